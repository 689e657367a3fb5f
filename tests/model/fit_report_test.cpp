#include <gtest/gtest.h>

#include "estimators/problems.hpp"
#include "mercer/fit.hpp"
#include "mercer/methods/pca.hpp"
#include "mercer/model.hpp"

namespace mercer {
namespace {

TEST(FitReport, DiagnosticsAreFoundByTheirIds) {
  FitReport report;
  report.add("p_value", "p-value", 0.25);
  report.diagnostics.push_back({.id = "eigenvalues", .label = "eigenvalue", .values = {3}, .list = true});
  report.diagnostics.push_back({.id = "kernel_weights", .label = "weight of", .values = {1, 2}, .names = {"rbf", "linear"}});
  ASSERT_TRUE(report.diagnostic("p_value"));
  EXPECT_EQ(report.diagnostic("p_value")->values, std::vector<double>{0.25});
  EXPECT_FALSE(report.diagnostic("p-value"));
  EXPECT_EQ(value_label(report.diagnostics[0], 0), "p-value");
  EXPECT_EQ(value_label(report.diagnostics[1], 0), "eigenvalue 1");
  EXPECT_EQ(value_label(report.diagnostics[2], 1), "weight of linear");
}

TEST(FitReport, DiagnosticsSurviveAFile) {
  const Model model = fit(Pca{.components = 2}, Kernel::parse("rbf(gamma=1)"), testing::wave(20, 2));
  const Model back = Model::from_bytes(model.bytes());
  ASSERT_EQ(back.fitted.report.diagnostics.size(), model.fitted.report.diagnostics.size());
  for (std::size_t d = 0; d < model.fitted.report.diagnostics.size(); ++d) {
    const Diagnostic &one = model.fitted.report.diagnostics[d], &read = back.fitted.report.diagnostics[d];
    EXPECT_EQ(read.id, one.id);
    EXPECT_EQ(read.label, one.label);
    EXPECT_EQ(read.values, one.values);
    EXPECT_EQ(read.unit, one.unit);
    EXPECT_EQ(read.names, one.names);
    EXPECT_EQ(read.list, one.list);
  }
  EXPECT_EQ(back.fitted.report.certificate, CertificateKind::relative_residual);
}

TEST(FitReport, CertificatesHaveNamesAndLabels) {
  EXPECT_EQ(name_of(CertificateKind::kkt_violation), "kkt_violation");
  EXPECT_EQ(label_of(CertificateKind::kkt_violation), "violation");
  EXPECT_EQ(name_of(CertificateKind::none), "");
  EXPECT_EQ(label_of(CertificateKind::objective_change), "last change of the objective");
}

}  // namespace
}  // namespace mercer

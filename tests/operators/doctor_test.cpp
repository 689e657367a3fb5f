#include "mercer/doctor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mercer/version.hpp"

namespace mercer {
namespace {

std::string value_of(const std::vector<Finding>& found, const std::string& id) {
  const auto at = std::ranges::find(found, id, &Finding::id);
  return at == found.end() ? "" : at->value;
}

TEST(Doctor, TellsWhatABugReportNeeds) {
  const std::vector<Finding> found = doctor();
  EXPECT_EQ(value_of(found, "mercer"), version());
  for (const char* id : {"compiler", "system", "cpu", "instruction_set", "blas", "blas_core", "onednn",
                         "threads", "memory", "molecules"})
    EXPECT_FALSE(value_of(found, id).empty()) << id;
  std::set<std::string> ids, labels;
  for (const Finding& finding : found) ids.insert(finding.id), labels.insert(finding.label);
  EXPECT_EQ(ids.size(), found.size());
  EXPECT_EQ(labels.size(), found.size());
}

TEST(Doctor, WarnsInItsListWhereItWarnsAtAll) {
  const std::vector<Finding> found = doctor();
  EXPECT_EQ(value_of(found, "warning"), performance_warning());
}

}  // namespace
}  // namespace mercer

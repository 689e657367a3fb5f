#include "mercer/methods/gp_classifier.hpp"

#include "laplace_textbook.hpp"
#include "methods/problems.hpp"
#include "mercer/kernel_parameters.hpp"
#include "solvers/laplace.hpp"

namespace mercer {
namespace {

GpClassifier kernel_as_given() {
  GpClassifier method;
  method.optimize = GpClassifier::Optimize::none;
  return method;
}

// The textbook's mode for class c against the rest, and the probabilities of fresh rows.
std::vector<double> textbook_probabilities(const Dataset& data, const Points& fresh, std::int32_t c,
                                           const testing::KernelFunction& k) {
  const std::size_t n = data.rows();
  testing::TextbookMatrix K(n, std::vector<double>(n));
  std::vector<double> y, weights = data.weights;
  weights.resize(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) {
    y.push_back(data.target.codes[i] == c ? 1 : -1);
    for (std::size_t j = 0; j < n; ++j) K[i][j] = k(data.points.row(i), data.points.row(j));
  }
  const testing::LaplaceTextbook book(K, y, weights);
  std::vector<double> probabilities;
  for (std::size_t r = 0; r < fresh.rows(); ++r) {
    const std::vector<double> x = fresh.row(r);
    std::vector<double> column;
    for (std::size_t i = 0; i < n; ++i) column.push_back(k(data.points.row(i), x));
    probabilities.push_back(averaged_sigmoid(book.mean(column), book.variance(column, k(x, x))));
  }
  return probabilities;
}

TEST(GpClassifier, HasTheProbabilitiesOfTheTextbook) {
  for (const std::size_t classes : {2u, 3u}) {
    Dataset data = testing::blobs(36, classes, 3);
    const Dataset fresh = testing::blobs(15, classes, 4, 2);
    for (const bool weighted : {false, true}) {
      if (weighted)
        for (std::size_t i = 0; i < 36; ++i) data.weights.push_back(1 + double(i % 4));
      for (const auto& [expression, k] : testing::plain_kernels) {
        const Model model = fit(kernel_as_given(), Kernel::parse(expression), data, {.threads = 1});
        EXPECT_TRUE(model.fitted.report.converged);
        const Predictions p = model.predict(fresh.points);
        testing::TextbookMatrix expected;
        for (std::size_t c = 0; c < classes; ++c)
          expected.push_back(textbook_probabilities(data, fresh.points, std::int32_t(c), k));
        for (std::size_t r = 0; r < fresh.rows(); ++r) {
          double sum = 0;
          for (std::size_t c = 0; c < classes; ++c) sum += expected[c][r];
          for (std::size_t c = 0; c < classes; ++c)
            EXPECT_NEAR(p.probabilities[r * classes + c], expected[c][r] / sum, 1e-8)
                << expression << " row " << r << " class " << c;
        }
      }
    }
  }
}

TEST(GpClassifier, RaisesTheEvidenceToAMaximum) {
  const Dataset data = testing::blobs(150, 2, 3, 2);
  const Kernel start = Kernel::parse("rbf(gamma=5)");
  const Model model = fit(GpClassifier{}, start, data, {.threads = 1});
  const double found = testing::diagnostic(model, "log_marginal_likelihood");
  EXPECT_GT(found, testing::diagnostic(fit(kernel_as_given(), start, data), "log_marginal_likelihood") + 5);
  for (std::size_t which = 0; which < 2; ++which)
    for (const double factor : {0.9, 1.1}) {
      std::vector<double> values;
      for (const KernelParameter& p : numeric_parameters(model.kernel())) values.push_back(p.value);
      values[which] *= factor;
      const Model beside = fit(kernel_as_given(), with_parameters(model.kernel(), values), data);
      EXPECT_LT(testing::diagnostic(beside, "log_marginal_likelihood"), found);
    }
}

TEST(GpClassifier, KeepsNumbersWithinTheirBounds) {
  const Dataset data = testing::blobs(40, 2, 3, 2);
  const Model model = fit(GpClassifier{}, Kernel::parse("2*rbf(sigma=0.3)"), data,
                          {.bounds = {{"sigma", 0.1, 0.5}, {"factor", 2, 2}}});
  EXPECT_EQ(testing::diagnostic(model, "kernel_parameters", "factor"), 2);
  EXPECT_LE(testing::diagnostic(model, "kernel_parameters", "sigma"), 0.5 * (1 + 1e-12));
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] {
                      fit(GpClassifier{}, Kernel::parse("rbf(sigma=1)"), data, {.bounds = {{"noise", 1, 2}}});
                    }),
            "bounds are given for noise, which the kernel does not have; it has factor, sigma");
}

TEST(GpClassifier, PredictsTheSameFromItsFile) {
  const Dataset fresh = testing::blobs(30, 3, 9);
  for (const std::size_t classes : {2u, 3u}) {
    const Dataset data = testing::blobs(30, classes, 3);
    const Model model = fit(kernel_as_given(), Kernel::parse("4*rbf(gamma=0.3)"), data);
    const Model loaded = Model::from_bytes(model.bytes());
    EXPECT_EQ(loaded.predict(fresh.points).probabilities, model.predict(fresh.points).probabilities);
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { (void)model.variances(fresh.points); }),
              "a model of gp_classifier has no variances; gp has");
  }
}

TEST(GpClassifier, RefusesWhatItCannotLearnFrom) {
  Dataset data = testing::blobs(10, 2, 3);
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  EXPECT_NE(refusal(ErrorKind::budget, [&] { fit(GpClassifier{}, kernel, data, {.memory = 1000}); })
                .find("a Gaussian process of 10 rows and 1 function needs"),
            std::string::npos);
  data.weights.assign(10, 1.0);
  for (std::size_t i = 0; i < 10; ++i) data.weights[i] = data.target.codes[i];
  EXPECT_EQ(refusal(ErrorKind::data, [&] { fit(GpClassifier{}, kernel, data); }),
            "class '1' has no row with weight above 0");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { fit(GpClassifier{}, kernel, testing::blobs(10, 1, 3)); }),
            "gp_classifier needs classes, but the target has 1; it must have two or more");
}

}  // namespace
}  // namespace mercer

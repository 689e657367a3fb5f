// A support vector machine with a kernel made by the algebra: fit, look at the certificate, predict, save,
// load.
#include <cstdio>

#include "mercer/generate.hpp"
#include "mercer/kernels.hpp"
#include "mercer/methods.hpp"
#include "mercer/metrics.hpp"
#include "mercer/model.hpp"

int main() {
  using namespace mercer;
  const Dataset train = generate("moons", {.n = 300}), test = generate("moons", {.n = 1000, .seed = 2});
  const Kernel kernel = rbf({.gamma = 2}) + 0.1 * linear();
  const Model model = fit(Svm{.C = 10}, kernel, train, {.probabilities = true});
  const FitReport& report = model.fitted.report;
  std::printf("%s: %s, violation %.1e, duality gap %.1e, %zu support vectors\n",
              model.kernel().text().c_str(), report.converged ? "converged" : "not converged",
              report.violation, report.gap, report.support_vectors);

  model.save("svm_example.mercer");
  const Predictions p = Model::load("svm_example.mercer").predict(test.points);
  const ClassMetrics metrics = class_metrics(test.target.codes, p.codes, model.labels.size());
  std::printf("accuracy %.3f; row 1 is of class %s with probability %.2f\n", metrics.accuracy,
              model.labels[p.codes[0]].c_str(), p.probabilities[std::size_t(p.codes[0])]);
  std::remove("svm_example.mercer");
  return report.converged && metrics.accuracy > 0.95 ? 0 : 1;
}

#include "mercer/methods/logistic.hpp"

#include "methods/risk.hpp"

namespace mercer {

Fitted Logistic::fit(const Training& training) const {
  const bool two = training.target.labels.size() <= 2;
  return fit_risk(training, *loss_named(two ? "logistic" : "multinomial"),
                  {.lambda = lambda, .bias = bias == Bias::free});
}

}  // namespace mercer

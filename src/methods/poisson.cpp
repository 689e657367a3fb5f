#include "mercer/methods/poisson.hpp"

#include "methods/risk.hpp"

namespace mercer {

Fitted Poisson::fit(const Training& training) const {
  return fit_risk(training, *loss_named("poisson"), {.lambda = lambda, .bias = bias == Bias::free});
}

}  // namespace mercer

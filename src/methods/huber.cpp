#include "mercer/methods/huber.hpp"

#include "methods/risk.hpp"

namespace mercer {

Fitted Huber::fit(const Training& training) const {
  AnyLoss loss = loss_named("huber");
  loss->set("delta", delta);
  return fit_risk(training, *loss, {.lambda = lambda, .bias = bias == Bias::free});
}

}  // namespace mercer

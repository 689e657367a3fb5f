#include "mercer/methods/rerm.hpp"

#include <fmt/format.h>

#include "estimators/risk.hpp"
#include "mercer/error.hpp"

namespace mercer {

Fitted Rerm::fit(const Training& training) const {
  AnyLoss chosen = loss_named(loss);
  const auto parameters = chosen->parameters();
  if (shape) {
    if (parameters.empty()) throw Error(ErrorKind::usage, fmt::format("rerm: {} has no number of its own; leave shape out", loss));
    chosen->set(parameters.front().name, *shape);
  }
  return fit_risk(training, *chosen, {.lambda = lambda, .omega = omega, .bias = bias == "free"});
}

}  // namespace mercer

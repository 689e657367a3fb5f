#include "mercer/methods/rerm.hpp"

#include <fmt/format.h>

#include "methods/risk.hpp"
#include "mercer/error.hpp"

namespace mercer {

Fitted Rerm::fit(const Training& training) const {
  AnyLoss chosen = loss_named(loss);
  const auto parameters = chosen->parameters();
  if (shape) {
    if (parameters.empty())
      throw Error(ErrorCode::unsupported, fmt::format("{} has no number of its own", loss),
                  {.owner = "rerm", .hint = "leave shape out"});
    chosen->set(parameters.front().name, *shape);
  }
  return fit_risk(training, *chosen, {.lambda = lambda, .omega = omega, .bias = bias == Bias::free});
}

}  // namespace mercer

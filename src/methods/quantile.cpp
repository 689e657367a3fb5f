#include "mercer/methods/quantile.hpp"

#include "methods/risk.hpp"

namespace mercer {

Fitted Quantile::fit(const Training& training) const {
  AnyLoss loss = loss_named("pinball");
  loss->set("tau", tau);
  return fit_risk(training, *loss, {.lambda = lambda});
}

}  // namespace mercer

#include "mercer/methods/ols.hpp"

#include "methods/least_squares.hpp"
#include "methods/trend.hpp"

namespace mercer {

Fitted Ols::fit(const Training& training) const {
  if (bias == Bias::free && valid_conditionally(training.kernel))
    return fit_centred(training, false, [&](const Training& centred) { return fit(centred); });
  Watch watch(training.options);
  const Rows rows(training);
  if (needs_trend(training.kernel)) return fit_with_trend(training, rows, watch, 0);
  return fit_least_squares(training, rows, watch, 0, bias == Bias::free);
}

}  // namespace mercer

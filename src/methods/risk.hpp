// Any regularised risk, the one door of the methods with a loss:
//   min (1/Σw)·Σ w·L(y, f(x) + b) + λ·Ω(‖f‖²)
// Smooth losses: Newton's method (solvers/newton.hpp), or the lecture's gradient recursion. Losses linear in
// pieces: the box-constrained dual of the SVMs, with C = 1/(2λΣw)·w. For another Ω than ‖f‖² itself the
// minimum is that of λ′‖f‖² with λ′ = λΩ′(‖f‖²), found by a search on λ′. The certificate of smooth losses is
// the norm of the gradient, in units of that at f = 0 where that one is above 1: so targets in thousands ask
// for no more digits than others.
#pragma once

#include "mercer/fit.hpp"
#include "mercer/methods/rerm.hpp"

namespace mercer {

struct RiskSettings {
  double lambda = 1e-3;
  Rerm::Omega omega = Rerm::Omega::square;  ///< square: Ω(t) = t; norm: √t; fourth: t²
  std::optional<Regularizer> own_omega = {};
  bool bias = true;
  bool check_loss = false;  ///< it is somebody's own: is it convex?
};

/// Classes become −1 and 1 (the first) for losses of signs, and 0 … k − 1 for those of classes. Throws
/// Error{data} where the target is not what the loss takes.
Fitted fit_risk(const Training& training, const Loss& loss, const RiskSettings& settings);

}  // namespace mercer

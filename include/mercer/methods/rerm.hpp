#pragma once
#include "mercer/loss.hpp"
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Any regularised risk: one entry for every convex loss and increasing Ω, by the representer theorem
/// (Schölkopf, Herbrich & Smola 2001). Smooth losses go to Newton's method, those linear in pieces to the
/// box-constrained dual.
struct Rerm {
  static constexpr std::string_view name = "rerm";
  static constexpr std::string_view formula = "min (1/n)·Σ L(y, f(x)) + λ·Ω(‖f‖²)";
  static constexpr std::string_view summary = "regularized risk minimization with any loss and regularizer";
  static constexpr std::string_view solvers[] = {"newton", "gradient", "cholesky", "cg", "primal", "dual"};
  static constexpr MethodTraits traits = smooth_risk(Task::either, solvers);
  enum class Omega { square, norm, fourth };
  friend constexpr Words<3> words_of(Omega) noexcept { return {"square", "norm", "fourth"}; }
  std::string loss = "squared";
  double lambda = 1e-3;
  Omega omega = Omega::square;
  std::optional<double> shape = {};
  Bias bias = Bias::free;
  static void params(auto&& param) {
    param({"loss", "loss L", any_number, loss_names()}, &Rerm::loss);
    param({"lambda", "penalty on Ω", positive}, &Rerm::lambda);
    param({"omega", "Ω: square ‖f‖², norm ‖f‖, fourth ‖f‖⁴"}, &Rerm::omega);
    param({"shape",
           "parameter of the loss (delta of huber, tau of pinball, epsilon of epsilon_insensitive); none: "
           "the usual one",
           non_negative},
          &Rerm::shape);
    param({"bias", bias_meaning}, &Rerm::bias);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

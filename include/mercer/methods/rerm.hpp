#pragma once
#include "mercer/loss.hpp"
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Throws Error{usage} where it is neither a formula over y and f nor user:name.
void check_loss_text(const std::string& text);

/// Any regularised risk: one entry for every convex loss and increasing Ω, by the representer theorem
/// (Schölkopf, Herbrich & Smola 2001). Smooth losses go to Newton's method, those linear in pieces to the
/// box-constrained dual.
struct Rerm {
  static constexpr std::string_view name = "rerm";
  static constexpr std::string_view formula = "min (1/n)·Σ L(y, f(x)) + λ·Ω(‖f‖²)";
  static constexpr std::string_view summary = "regularized risk minimization with any loss and regularizer";
  static constexpr std::string_view solvers[] = {"newton", "gradient", "cholesky", "cg", "primal", "dual"};
  static constexpr MethodTraits traits = smooth_risk(Task::either, solvers);
  enum class Omega { square, norm, fourth, user };
  friend constexpr Words<4> words_of(Omega) noexcept { return {"square", "norm", "fourth", "user"}; }
  std::string loss = "squared";
  double lambda = 1e-3;
  Omega omega = Omega::square;
  std::optional<double> shape = {};
  Bias bias = Bias::free;
  /// Of a program, not kept in model files: predictions need neither. They take the place of `loss`, which is
  /// "user:name" then, and of `omega`, which is user.
  std::optional<AnyLoss> own_loss = {};
  std::optional<Regularizer> own_omega = {};
  static void params(auto&& param) {
    param({"loss", "loss L: one of the catalogue, or a formula over y and f, such as \"log(1 + exp(-y*f))\"",
           any_number, loss_names(), check_loss_text},
          &Rerm::loss);
    param({"lambda", "penalty on Ω", positive}, &Rerm::lambda);
    param({"omega", "Ω: square ‖f‖², norm ‖f‖, fourth ‖f‖⁴, user: a function of the program"}, &Rerm::omega);
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

// Makes a Loss of a struct. The struct says name, formula, summary and traits, and has
//
//   double value(double y, double f) const          L(y, f)
//   double derivative(double y, double f) const     ∂L/∂f
//   double conjugate(double y, double a) const      sup over f of a·f − L(y, f)
//   double second(double y, double f) const         ∂²L/∂f², where the loss is smooth
//   std::vector<DualPiece> dual(double y) const     where the loss is linear in pieces
//   static void params(auto&& param)                where it has parameters:
//                                                   param("delta", &HuberLoss::delta, positive, "meaning")
//
// A struct over classes has value, derivative, curvature and conjugate over spans, as Loss itself.
#pragma once

#include <cmath>
#include <limits>

#include "mercer/loss.hpp"

namespace mercer {

/// What a loss says of itself, as its static member `traits`. A word that is not here does not compile.
struct LossTraits {
  LossTarget target;
  bool smooth = false, dual = false,
       parameters = false;  ///< it has second() or curvature(), dual(), params()
};

/// L* where a lies outside its domain: the supremum is not bounded.
inline constexpr double outside_domain = std::numeric_limits<double>::infinity();

/// x·log x, with its limit 0 at 0.
inline double x_log_x(double x) noexcept { return x > 0 ? x * std::log(x) : 0; }

[[noreturn]] void refuse_loss_parameter(const Loss& loss, std::string_view parameter);
void assign_loss_parameter(const Loss& loss, const LossParameter& parameter, double& value, double given);

template <class L>
class LossOf final : public Loss {
 public:
  explicit LossOf(L loss) : loss_(loss) {}
  std::unique_ptr<Loss> clone() const override { return std::make_unique<LossOf>(loss_); }
  std::string_view name() const override { return L::name; }
  std::string_view formula() const override { return L::formula; }
  std::string_view summary() const override { return L::summary; }
  LossTarget target() const override { return L::traits.target; }

  std::vector<LossParameter> parameters() const override {
    std::vector<LossParameter> list;
    each_parameter([&](const LossParameter& parameter, auto) { list.push_back(parameter); });
    return list;
  }
  double get(std::string_view wanted) const override {
    std::optional<double> found;
    each_parameter([&](const LossParameter& parameter, auto member) {
      if (parameter.name == wanted) found = loss_.*member;
    });
    if (!found) refuse_loss_parameter(*this, wanted);
    return *found;
  }
  void set(std::string_view wanted, double value) override {
    bool found = false;
    each_parameter([&](const LossParameter& parameter, auto member) {
      if (parameter.name != wanted) return;
      assign_loss_parameter(*this, parameter, loss_.*member, value);
      found = true;
    });
    if (!found) refuse_loss_parameter(*this, wanted);
  }

  double value(double y, std::span<const double> f) const override {
    if constexpr (scalar)
      return loss_.value(y, f[0]);
    else
      return loss_.value(y, f);
  }
  void derivative(double y, std::span<const double> f, std::span<double> g) const override {
    if constexpr (scalar)
      g[0] = loss_.derivative(y, f[0]);
    else
      loss_.derivative(y, f, g);
  }
  bool smooth() const override { return L::traits.smooth; }
  void curvature(double y, std::span<const double> f, std::span<double> s,
                 std::span<double> u) const override {
    if constexpr (scalar) {
      s[0] = u[0] = 0;
      if constexpr (L::traits.smooth) s[0] = std::sqrt(loss_.second(y, f[0]));
    } else {
      loss_.curvature(y, f, s, u);
    }
  }
  std::optional<double> conjugate(double y, std::span<const double> a) const override {
    if constexpr (scalar)
      return loss_.conjugate(y, a[0]);
    else
      return loss_.conjugate(y, a);
  }
  std::vector<DualPiece> dual(double y) const override {
    if constexpr (L::traits.dual) return loss_.dual(y);
    return {};
  }

 private:
  static constexpr bool scalar = L::traits.target != LossTarget::classes;
  using Use = void (*)(std::string_view, double L::*, const Interval&, std::string_view);
  static_assert(
      requires(const L loss) { loss.second(0.0, 0.0); } == (scalar && L::traits.smooth),
      "second() goes with .smooth = true in the traits");
  static_assert(
      requires(const L loss) { loss.dual(0.0); } == L::traits.dual,
      "dual() goes with .dual = true in the traits");
  static_assert(
      requires(Use use) { L::params(use); } == L::traits.parameters,
      "params() goes with .parameters = true in the traits");

  static void each_parameter(auto&& use) {
    if constexpr (L::traits.parameters)
      L::params(
          [&](std::string_view name, double L::*member, const Interval& interval, std::string_view meaning) {
            use(LossParameter{name, meaning, interval}, member);
          });
  }

  L loss_;
};

}  // namespace mercer

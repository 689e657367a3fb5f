// What a loss is: L(y, f), the penalty for predicting f where the target is y, convex in f. Every regularised
// risk
//   min over f of (1/n) Σ L(yᵢ, f(xᵢ)) + λ Ω(‖f‖²)
// has a solution f = Σ αⱼ k(xⱼ, ·) (representer theorem), and a solver needs of the loss only what stands
// here: its derivatives where it is smooth, its dual where it is linear in pieces, its conjugate for the
// duality gap. A new loss is a struct in src/losses/ and a word in the catalogue there. One of your own is a
// formula over y and f, functions (OwnLoss), or a class derived from Loss; Rerm takes all of them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mercer/leaf.hpp"
#include "mercer/task.hpp"

namespace MERCER_EXPORT mercer {

/// What a loss takes for y.
enum class LossTarget {
  real,     ///< any number
  counts,   ///< ≥ 0
  signs,    ///< −1 or 1
  classes,  ///< 0 … k − 1; f has k entries
};
std::string_view target_name(LossTarget target);  ///< "real", "counts", "signs", "classes"
constexpr Task task_of(LossTarget target) noexcept {
  return target == LossTarget::signs || target == LossTarget::classes ? Task::classification
                                                                      : Task::regression;
}
std::string_view target_range(LossTarget target);  ///< "-1 or 1"

struct LossParameter {
  std::string_view name, meaning;
  Interval interval;
};

/// One variable of the dual of a loss that is linear in pieces. The minimum over f of Σ C·L(yᵢ, fᵢ) + ½‖f‖²
/// is found in
///   min ½βᵀKβ + Σ linear·β   subject to   C·lower ≤ β ≤ C·upper,   f = Kβ,
/// where a point has one variable for each of its pieces.
struct DualPiece {
  double linear, lower, upper;
};

/// A loss with its type erased. f, and what is written, has k entries where the target is classes, one
/// otherwise.
class Loss {
 public:
  virtual ~Loss() = default;
  virtual std::unique_ptr<Loss> clone() const = 0;
  virtual std::string_view name() const = 0;
  virtual std::string_view formula() const = 0;
  virtual std::string_view summary() const = 0;
  virtual LossTarget target() const = 0;
  Task task() const { return task_of(target()); }
  virtual std::vector<LossParameter> parameters() const = 0;
  virtual double get(std::string_view parameter) const = 0;        ///< throws Error{usage}
  virtual void set(std::string_view parameter, double value) = 0;  ///< throws Error{usage}

  virtual double value(double y, std::span<const double> f) const = 0;
  /// g = ∂L/∂f; at a kink one of the subgradients.
  virtual void derivative(double y, std::span<const double> f, std::span<double> g) const = 0;
  /// Whether curvature() is the second derivative, as Newton's method needs it; else it gives 0.
  virtual bool smooth() const = 0;
  /// The second derivative W = diag(s)(I − uuᵀ)diag(s): of one output s = √L″ and u = 0, of multinomial s = u
  /// = √p. Where the derivative has a kink, one of the generalised second derivatives (Clarke).
  virtual void curvature(double y, std::span<const double> f, std::span<double> s,
                         std::span<double> u) const = 0;
  /// L*(y, a) = sup over f of a·f − L(y, f), infinite outside its domain; none where no closed form is known.
  virtual std::optional<double> conjugate(double y, std::span<const double> a) const = 0;
  /// Of a loss that is linear in pieces; empty for the others.
  virtual std::vector<DualPiece> dual(double y) const = 0;

  /// The same of many points at once, f being n × k: what solvers ask for.
  virtual void values(std::span<const double> y, std::span<const double> f, std::span<double> out) const;
  virtual void derivatives(std::span<const double> y, std::span<const double> f, std::span<double> g) const;
  virtual void curvatures(std::span<const double> y, std::span<const double> f, std::span<double> s,
                          std::span<double> u) const;
};

using AnyLoss = Polymorphic<Loss>;

/// A smooth loss that a program gives as functions of many y and f, each of which writes as many numbers.
/// Where `second` is missing it is found from differences of `derivative`; without `conjugate` there is no
/// duality gap.
struct OwnLoss {
  using OfMany =
      std::function<void(std::span<const double> y, std::span<const double> f, std::span<double> out)>;
  std::string name;
  LossTarget target =
      LossTarget::real;  ///< not classes. Of signs y is 1 for the second class, −1 for the first
  OfMany value, derivative, second = {}, conjugate = {};
};
AnyLoss make_loss(OwnLoss loss);

/// A loss as a formula over y and f, such as "log(exp(f - y) + exp(y - f))", with exact derivatives. Throws
/// Error{usage} that quotes the place.
AnyLoss loss_of_formula(std::string_view formula, LossTarget target = LossTarget::real);

/// Ω of a regularised risk: a strictly increasing function of t = ‖f‖², and its derivative.
struct Regularizer {
  std::function<double(double)> value, slope;
};

/// Every loss, with its defaults.
const std::vector<AnyLoss>& losses();
std::vector<std::string_view> loss_names();
/// Throws Error{usage} with a suggestion for an unknown name.
const AnyLoss& loss_named(std::string_view name);

/// Throws Error{data} for the first y that the loss cannot take. `classes`: k, where it is known.
void check_targets(const Loss& loss, std::span<const double> y, std::optional<std::size_t> classes = {});

}  // namespace mercer

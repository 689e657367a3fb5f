// Losses that a user gives: functions of a program, or a formula over y and f whose derivatives follow from
// it.
//
// Of two classes a solver's y is 1 for the first; whoever writes a loss expects 1 for the second, as the sign
// of the score. So L(−y, −f) stands for L(y, f) there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/arithmetic.hpp"
#include "losses/loss_of.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

class GivenLoss : public Loss {
 public:
  GivenLoss(std::string name, LossTarget target) : name_(std::move(name)), target_(target) {}
  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return "a loss of your own"; }
  LossTarget target() const override { return target_; }
  std::vector<LossParameter> parameters() const override { return {}; }
  double get(std::string_view parameter) const override { refuse_loss_parameter(*this, parameter); }
  void set(std::string_view parameter, double) override { refuse_loss_parameter(*this, parameter); }
  bool smooth() const override { return true; }
  std::vector<DualPiece> dual(double) const override { return {}; }

  double value(double y, std::span<const double> f) const override {
    double out = 0;
    values({&y, 1}, f, {&out, 1});
    return out;
  }
  void derivative(double y, std::span<const double> f, std::span<double> g) const override {
    derivatives({&y, 1}, f, g);
  }
  void curvature(double y, std::span<const double> f, std::span<double> s,
                 std::span<double> u) const override {
    curvatures({&y, 1}, f, s, u);
  }

 protected:
  double sign() const noexcept { return target_ == LossTarget::signs ? -1 : 1; }

 private:
  std::string name_;
  LossTarget target_;
};

// --- Functions of a program.
class LossOfFunctions final : public GivenLoss {
 public:
  explicit LossOfFunctions(OwnLoss own) : GivenLoss(own.name, own.target), own_(std::move(own)) {}
  std::unique_ptr<Loss> clone() const override { return std::make_unique<LossOfFunctions>(*this); }
  std::string_view formula() const override { return own_.name; }

  void values(std::span<const double> y, std::span<const double> f, std::span<double> out) const override {
    ask(own_.value, y, f, out, 1);
  }
  void derivatives(std::span<const double> y, std::span<const double> f, std::span<double> g) const override {
    ask(own_.derivative, y, f, g, sign());
  }
  void curvatures(std::span<const double> y, std::span<const double> f, std::span<double> s,
                  std::span<double> u) const override {
    if (own_.second)
      ask(own_.second, y, f, s, 1);
    else
      differences(y, f, s);
    for (double& second : s) second = std::sqrt(std::max(second, 0.0));
    std::ranges::fill(u, 0.0);
  }
  std::optional<double> conjugate(double y, std::span<const double> a) const override {
    if (!own_.conjugate) return {};
    double out = 0;
    ask(own_.conjugate, {&y, 1}, a, {&out, 1}, 1);
    return out;
  }

 private:
  void ask(const OwnLoss::OfMany& function, std::span<const double> y, std::span<const double> f,
           std::span<double> out, double factor) const {
    if (sign() > 0) return function(y, f, out);
    std::vector<double> turned_y(y.size()), turned_f(f.size());
    std::ranges::transform(y, turned_y.begin(), std::negate<>());
    std::ranges::transform(f, turned_f.begin(), std::negate<>());
    function(turned_y, turned_f, out);
    for (double& value : out) value *= factor;
  }
  void differences(std::span<const double> y, std::span<const double> f, std::span<double> out) const {
    std::vector<double> moved(f.size()), below(f.size());
    const auto step = [](double at) { return 1e-5 * std::max(1.0, std::abs(at)); };
    for (std::size_t i = 0; i < f.size(); ++i) moved[i] = f[i] - step(f[i]);
    derivatives(y, moved, below);
    for (std::size_t i = 0; i < f.size(); ++i) moved[i] = f[i] + step(f[i]);
    derivatives(y, moved, out);
    for (std::size_t i = 0; i < f.size(); ++i) out[i] = (out[i] - below[i]) / (2 * step(f[i]));
  }

  OwnLoss own_;
};

// --- A formula. A number with its first and second derivative by f (forward differentiation; Wengert 1964).
struct Jet {
  double value = 0, first = 0, second = 0;
};

/// g(a) from g, g′ and g″ at a.
Jet chain(const Jet& a, double g, double first, double second) {
  return {g, first * a.first, second * a.first * a.first + first * a.second};
}

Jet times(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2 * a.first * b.first + a.value * b.second};
}

Jet power(const Jet& a, const Jet& b) {
  if (b.first == 0 && b.second == 0) {
    const double p = b.value;
    const double first = p == 0 ? 0 : p * std::pow(a.value, p - 1),
                 second = p == 0 || p == 1 ? 0 : p * (p - 1) * std::pow(a.value, p - 2);
    return chain(a, std::pow(a.value, p), first, second);
  }
  const Jet logarithm = chain(a, std::log(a.value), 1 / a.value, -1 / (a.value * a.value));
  const Jet exponent = times(b, logarithm);
  const double e = std::exp(exponent.value);
  return chain(exponent, e, e, e);
}

Jet applied(Arithmetic::Operation operation, const Jet& a) {
  const double v = mercer::applied(operation, a.value);
  switch (operation) {
    case Arithmetic::Operation::negate:
      return {-a.value, -a.first, -a.second};
    case Arithmetic::Operation::abs:
      return a.value >= 0 ? a : Jet{-a.value, -a.first, -a.second};
    case Arithmetic::Operation::cos:
      return chain(a, v, -std::sin(a.value), -v);
    case Arithmetic::Operation::exp:
      return chain(a, v, v, v);
    case Arithmetic::Operation::log:
      return chain(a, v, 1 / a.value, -1 / (a.value * a.value));
    case Arithmetic::Operation::sin:
      return chain(a, v, std::cos(a.value), -v);
    case Arithmetic::Operation::sqrt:
      return chain(a, v, 0.5 / v, -0.25 / (v * a.value));
    default:  // tanh
      return chain(a, v, 1 - v * v, -2 * v * (1 - v * v));
  }
}

Jet applied(Arithmetic::Operation operation, const Jet& a, const Jet& b) {
  switch (operation) {
    case Arithmetic::Operation::add:
      return {a.value + b.value, a.first + b.first, a.second + b.second};
    case Arithmetic::Operation::subtract:
      return {a.value - b.value, a.first - b.first, a.second - b.second};
    case Arithmetic::Operation::multiply:
      return times(a, b);
    case Arithmetic::Operation::divide: {
      const double r = 1 / b.value;
      return times(a, chain(b, r, -r * r, 2 * r * r * r));
    }
    case Arithmetic::Operation::max:
      return a.value >= b.value ? a : b;
    case Arithmetic::Operation::min:
      return a.value <= b.value ? a : b;
    default:
      return power(a, b);
  }
}

class LossOfFormula final : public GivenLoss {
 public:
  LossOfFormula(Arithmetic formula, std::span<const std::string> variables, LossTarget target)
      : GivenLoss(formula.text, target), formula_(std::move(formula)) {
    for (const std::string& name : variables) is_f_.push_back(name == "f");
  }
  std::unique_ptr<Loss> clone() const override { return std::make_unique<LossOfFormula>(*this); }
  std::string_view formula() const override { return formula_.text; }
  std::optional<double> conjugate(double, std::span<const double>) const override { return {}; }

  void values(std::span<const double> y, std::span<const double> f, std::span<double> out) const override {
    for (std::size_t i = 0; i < y.size(); ++i) out[i] = at(y[i], f[i]).value;
  }
  void derivatives(std::span<const double> y, std::span<const double> f, std::span<double> g) const override {
    for (std::size_t i = 0; i < y.size(); ++i) g[i] = sign() * at(y[i], f[i]).first;
  }
  void curvatures(std::span<const double> y, std::span<const double> f, std::span<double> s,
                  std::span<double> u) const override {
    for (std::size_t i = 0; i < y.size(); ++i) {
      s[i] = std::sqrt(std::max(0.0, at(y[i], f[i]).second));
      u[i] = 0;
    }
  }

 private:
  Jet at(double y, double f) const {
    return formula_.run<Jet>(
        [&](const Arithmetic::Step& step) {
          if (step.operation == Arithmetic::Operation::number) return Jet{step.number};
          return is_f_[step.variable] ? Jet{sign() * f, 1} : Jet{sign() * y};
        },
        [](Arithmetic::Operation operation, Jet& a) { a = applied(operation, a); },
        [](Arithmetic::Operation operation, Jet& a, const Jet& b) { a = applied(operation, a, b); });
  }

  Arithmetic formula_;
  std::vector<bool> is_f_;  // of each variable; else it is y
};

}  // namespace

AnyLoss make_loss(OwnLoss loss) {
  if (!loss.value || !loss.derivative)
    throw Error(ErrorCode::invalid_argument, "a loss needs its value and its derivative",
                {.owner = loss.name});
  if (loss.target == LossTarget::classes)
    throw Error(ErrorCode::unsupported, "a loss of your own is of one number f",
                {.owner = loss.name, .hint = "its target is real, counts or signs"});
  return AnyLoss(LossOfFunctions(std::move(loss)));
}

AnyLoss loss_of_formula(std::string_view formula, LossTarget target) {
  std::vector<std::string> variables;
  Arithmetic parsed = Arithmetic::parse(formula, variables);
  for (const std::string& name : variables)
    if (name != "y" && name != "f")
      throw Error(ErrorCode::unknown_name, fmt::format("a loss is a formula over y and f, not '{}'", name),
                  {.value = name});
  if (std::ranges::find(variables, "f") == variables.end())
    throw Error(ErrorCode::invalid_argument, fmt::format("the loss {} does not depend on f", parsed.text),
                {.hint = "f is the prediction and y the target, as in (y - f)^2"});
  return AnyLoss(LossOfFormula(std::move(parsed), variables, target));
}

}  // namespace mercer

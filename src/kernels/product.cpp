// Products, k₁·k₂ (rule A3), and power series: k^p and q(k) = c₀ + c₁k + c₂k² + … (rule A4), valid where no
// coefficient is negative, and their limit exp(k) (rule A5).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// The terms of a product: each of the left with each of the right, their frequencies added.
std::vector<SpectralTerm> products(const std::vector<SpectralTerm>& left,
                                   const std::vector<SpectralTerm>& right) {
  if (left.size() * right.size() > 1000)
    throw Error(ErrorCode::invalid_kernel,
                "the product of sums has over 1000 terms, too many for Fourier features",
                {.hint = "nystrom takes any kernel"});
  std::vector<SpectralTerm> all;
  for (const SpectralTerm& a : left)
    for (const SpectralTerm& b : right) {
      all.push_back({a.weight * b.weight, a.factors});
      all.back().factors.insert(all.back().factors.end(), b.factors.begin(), b.factors.end());
    }
  return all;
}

class Product final : public RuleNode<Product> {
 public:
  static constexpr auto proved = "a product of valid kernels";
  using RuleNode::RuleNode;
  std::string text() const override {
    std::string text = text_within(parts_.front(), Binding::product);
    for (std::size_t i = 1; i < parts_.size(); ++i) text += "*" + text_within(parts_[i], Binding::power);
    return text;
  }
  Binding binding() const override { return Binding::product; }
  Properties properties() const override {
    return combined({.bound = 1, .diagonal = 1}, [](Properties& all, const Properties& p) {
      all.bound = all.bound == 0 || p.bound == 0 ? 0 : all.bound * p.bound;  // not 0·∞
      all.diagonal = all.diagonal && p.diagonal ? std::optional(*all.diagonal * *p.diagonal) : std::nullopt;
    });
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    FeatureAlgebra::Id all = parts_.front().node().features(algebra);
    for (std::size_t i = 1; i < parts_.size(); ++i)
      all = algebra.tensor(all, parts_[i].node().features(algebra));
    return all;
  }
  Symbol trace(Tracer& tracer) const override {
    Symbol product = parts_.front().node().trace(tracer);
    for (std::size_t i = 1; i < parts_.size(); ++i) product = product * parts_[i].node().trace(tracer);
    return product;
  }
  std::vector<SpectralTerm> spectrum() const override {
    std::vector<SpectralTerm> all{SpectralTerm{}};
    for (const Kernel& factor : parts_) all = products(all, factor.node().spectrum());
    return all;
  }
  Dependence dependence() const override { return Dependence::linear; }
};

class Power final : public RuleNode<Power> {
 public:
  static constexpr auto proved = "a power of a valid kernel";
  Power(Kernel k, int exponent) : RuleNode({std::move(k)}), exponent_(exponent) {}
  std::string text() const override {
    return fmt::format("{}^{}", text_within(k(), Binding::atom), exponent_);
  }
  Binding binding() const override { return Binding::power; }
  Properties properties() const override {
    Properties p = k().properties();
    p.conditional_order = 0;
    p.bound = std::pow(p.bound, exponent_);
    if (p.diagonal) p.diagonal = std::pow(*p.diagonal, exponent_);
    return p;
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    Series series{.coefficients = std::vector<double>(std::size_t(exponent_) + 1)};
    series.coefficients.back() = 1;
    return algebra.series(k().node().features(algebra), series);
  }
  Symbol trace(Tracer& tracer) const override { return pow(k().node().trace(tracer), exponent_); }
  std::vector<SpectralTerm> spectrum() const override {
    std::vector<SpectralTerm> all{SpectralTerm{}};
    const std::vector<SpectralTerm> one = k().node().spectrum();
    for (int factor = 0; factor < exponent_; ++factor) all = products(all, one);
    return all;
  }
  std::optional<DotPower> dot_power() const override {
    auto power = k().node().dot_power();
    if (!power || power->degree > 1000 / exponent_) return std::nullopt;
    power->degree *= exponent_;
    power->weight = std::pow(power->weight, exponent_);
    return power;
  }

 private:
  int exponent_;
};

class Polynomial final : public RuleNode<Polynomial> {
 public:
  static constexpr auto proved = "a polynomial with non-negative coefficients of a valid kernel";
  Polynomial(Kernel k, std::vector<double> coefficients)
      : RuleNode({std::move(k)}), c_(std::move(coefficients)) {}
  std::string text() const override {
    return fmt::format("polynomial({}, coefficients={})", k().text(), to_text(Argument(c_)));
  }
  Properties properties() const override {
    Properties p = k().properties();
    p.psd = prove().psd;
    p.conditional_order = 0;
    double bound = 0;
    for (std::size_t i = c_.size(); i-- > 0;) bound = std::abs(c_[i]) + (bound == 0 ? 0 : bound * p.bound);
    p.bound = bound;
    if (p.diagonal) p.diagonal = horner<double>(*p.diagonal);
    return p;
  }
  Proof prove() const override {
    if (std::ranges::any_of(c_, [](double c) { return c < 0; }))
      return {false, fmt::format("{} has a negative coefficient, which no rule allows", text())};
    return RuleNode::prove();
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.series(k().node().features(algebra), {.coefficients = c_});
  }
  Symbol trace(Tracer& tracer) const override { return horner<Symbol>(k().node().trace(tracer)); }

 private:
  template <class T>
  T horner(T x) const {
    T sum = c_.back();
    for (std::size_t i = c_.size() - 1; i-- > 0;) sum = sum * x + c_[i];
    return sum;
  }

  std::vector<double> c_;
};

class Exp final : public RuleNode<Exp> {
 public:
  static constexpr auto proved = "the exponential of a valid kernel";
  using RuleNode::RuleNode;
  std::string text() const override { return "exp(" + k().text() + ")"; }
  Properties properties() const override {
    Properties p = k().properties();
    p.psd = p.psd || p.conditional_order == 1;
    p.conditional_order = 0;
    p.bound = std::exp(p.bound);
    if (p.diagonal) p.diagonal = std::exp(*p.diagonal);
    if (p.psd && p.diagonal) p.bound = std::min(p.bound, *p.diagonal);  // Cauchy–Schwarz
    return p;
  }
  /// e^k is valid where k is conditionally so of order 1, and then e^(tk) is for every t > 0.  Schoenberg
  /// 1938
  Proof prove() const override {
    if (k().properties().conditional_order != 1) return RuleNode::prove();
    return {true,
            "the exponential of a kernel that is conditionally positive semidefinite of order 1 "
            "(Schoenberg 1938)"};
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.series(k().node().features(algebra),
                          {.coefficients = exponential_series(1, algebra.terms()), .exact = false});
  }
  Symbol trace(Tracer& tracer) const override { return exp(k().node().trace(tracer)); }
};

}  // namespace

Kernel operator*(const Kernel& a, const Kernel& b) {
  std::vector<Kernel> factors = dynamic_cast<const Product*>(&a.node()) ? a.parts() : std::vector{a};
  factors.push_back(b);
  return Kernel(std::make_shared<Product>(std::move(factors)));
}

Kernel pow(const Kernel& k, int exponent) {
  if (exponent < 1 || exponent > 1000)
    throw Error(
        ErrorCode::invalid_parameter,
        fmt::format("the exponent of a kernel must be a whole number from 1 to 1000, not {}", exponent));
  return Kernel(std::make_shared<Power>(k, exponent));
}

Kernel polynomial(const Kernel& k, std::vector<double> coefficients) {
  if (coefficients.empty() || !std::ranges::all_of(coefficients, [](double c) { return std::isfinite(c); }))
    throw Error(ErrorCode::invalid_parameter,
                "coefficients must be a list of at least one finite number, constant term first");
  return Kernel(std::make_shared<Polynomial>(k, std::move(coefficients)));
}

extern const Combinator polynomial_combinator{
    .name = "polynomial",
    .formula = "c₀ + c₁·k + c₂·k² + …",
    .summary = "a polynomial of a kernel",
    .parameters = {{"coefficients", "[c₀, c₁, …], constant term first", ""}},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
      const auto* list = std::get_if<std::vector<double>>(&arguments.at(0).second);
      if (!list) throw Error(ErrorCode::invalid_parameter, "coefficients must be a list such as [1, 0.5, 2]");
      return polynomial(kernels.front(), *list);
    }};

Kernel exp(const Kernel& k) { return Kernel(std::make_shared<Exp>(std::vector{k})); }

extern const Combinator exp_combinator{
    .name = "exp",
    .formula = "e^k(x,z)",
    .summary = "the exponential of a kernel",
    .parameters = {},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments&) {
      return exp(kernels.front());
    }};

}  // namespace mercer

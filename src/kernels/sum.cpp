// c·k and k₁ + k₂ (rules A1 and A2). A difference is a sum with a negative coefficient; no rule covers that.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// A factor above 0 stays so when it is changed: a kernel proved valid remains valid.
constexpr double largest = std::numeric_limits<double>::max();
constexpr Interval positive_factor{0, largest, true, "> 0 and finite"};
constexpr Interval any_factor{-largest, largest, false, "a finite number"};

class Scaled final : public RuleNode<Scaled> {
 public:
  static constexpr auto proved = "a positive multiple of a valid kernel";
  Scaled(double c, Kernel k) : RuleNode({std::move(k)}), c_(c) {}
  std::string text() const override { return to_text(c_) + "*" + text_within(k(), Binding::power); }
  Binding binding() const override { return Binding::product; }
  Properties properties() const override {
    Properties p = k().properties();
    p.psd = p.psd && c_ >= 0;
    if (c_ < 0) p.conditional_order = 0;
    p.bound = c_ == 0 ? 0 : p.bound * std::abs(c_);  // not 0·∞
    if (p.diagonal) *p.diagonal *= c_;
    return p;
  }
  Proof prove() const override {
    if (c_ < 0) return {false, fmt::format("{} has a negative coefficient, which no rule allows", text())};
    Proof proof = k().prove();
    if (proof.psd) proof.because = fmt::format("{}; {}", proved, proof.because);
    return proof;
  }
  Symbol trace(Tracer& tracer) const override { return c_ * k().node().trace(tracer); }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.series(k().node().features(algebra), {.coefficients = {0, c_}});
  }
  std::vector<SpectralTerm> spectrum() const override {
    if (c_ < 0)
      throw Error(ErrorCode::invalid_kernel,
                  fmt::format("{} has a negative coefficient and so no real features", text()));
    std::vector<SpectralTerm> terms = k().node().spectrum();
    for (SpectralTerm& term : terms) term.weight *= c_;
    return terms;
  }
  std::optional<DotPower> dot_power() const override {
    auto power = c_ < 0 ? std::nullopt : k().node().dot_power();
    if (power) power->weight *= c_;
    return power;
  }
  Dependence dependence() const override { return Dependence::linear; }
  std::vector<KernelParameter> numbers() const override {
    return {{"factor", c_, c_ > 0 ? positive_factor : any_factor}};
  }
  bool numbers_lead() const override { return true; }
  Kernel with_numbers(std::span<const double> values) const override {
    return Kernel(std::make_shared<Scaled>(values[0], k()));
  }
  double factor() const { return c_; }

 private:
  double c_;
};

class Sum final : public RuleNode<Sum> {
 public:
  static constexpr auto proved = "a sum of valid kernels";
  using RuleNode::RuleNode;
  std::string text() const override {
    std::string text = text_within(parts_.front(), Binding::product);
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      const std::string term = text_within(parts_[i], Binding::product);
      text += term.starts_with("-") ? " - " + term.substr(term.starts_with("-1*") ? 3 : 1) : " + " + term;
    }
    return text;
  }
  Binding binding() const override { return Binding::sum; }
  Properties properties() const override {
    bool conditional = true;
    Properties sum = combined({.bound = 0, .diagonal = 0}, [&](Properties& all, const Properties& p) {
      if (!p.psd) conditional &= p.conditional_order > 0;
      all.conditional_order = std::max(all.conditional_order, p.conditional_order);
      all.bound += p.bound;
      all.diagonal = all.diagonal && p.diagonal ? std::optional(*all.diagonal + *p.diagonal) : std::nullopt;
    });
    if (!conditional) sum.conditional_order = 0;
    return sum;
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    std::vector<FeatureAlgebra::Id> joined;
    for (const Kernel& term : parts_) joined.push_back(term.node().features(algebra));
    return algebra.join(joined);
  }
  Symbol trace(Tracer& tracer) const override {
    Symbol sum = parts_.front().node().trace(tracer);
    for (std::size_t i = 1; i < parts_.size(); ++i) sum = sum + parts_[i].node().trace(tracer);
    return sum;
  }
  std::vector<SpectralTerm> spectrum() const override {
    std::vector<SpectralTerm> all;
    for (const Kernel& term : parts_) std::ranges::move(term.node().spectrum(), std::back_inserter(all));
    return all;
  }
  Dependence dependence() const override { return Dependence::added; }
};

const Scaled* as_scaled(const Kernel& kernel) { return dynamic_cast<const Scaled*>(&kernel.node()); }

void collect_terms(const Kernel& kernel, std::optional<double> factor, std::vector<Kernel>& terms) {
  if (kernel.node().dependence() == Dependence::added) {
    for (const Kernel& term : kernel.parts()) collect_terms(term, factor, terms);
  } else if (const Scaled* scaled = as_scaled(kernel)) {
    collect_terms(kernel.parts()[0], factor.value_or(1) * scaled->factor(), terms);
  } else {
    terms.push_back(factor ? *factor * kernel : kernel);
  }
}

}  // namespace

Kernel operator*(double c, const Kernel& k) {
  if (!std::isfinite(c))
    throw Error(ErrorCode::invalid_parameter, "the coefficient of a kernel must be a finite number");
  if (const Scaled* scaled = as_scaled(k); scaled && c == -1)
    return Kernel(std::make_shared<Scaled>(-scaled->factor(), k.parts()[0]));
  return Kernel(std::make_shared<Scaled>(c, k));
}
Kernel operator*(const Kernel& k, double c) { return c * k; }

Kernel add(const Kernel& first, std::vector<Kernel> more) {
  std::vector<Kernel> terms = dynamic_cast<const Sum*>(&first.node()) ? first.parts() : std::vector{first};
  std::ranges::move(more, std::back_inserter(terms));
  return Kernel(std::make_shared<Sum>(std::move(terms)));
}
Kernel operator+(const Kernel& a, const Kernel& b) { return add(a, {b}); }
Kernel operator-(const Kernel& a, const Kernel& b) { return a + -1 * b; }

std::vector<Kernel> terms_of(const Kernel& kernel) {
  std::vector<Kernel> terms;
  collect_terms(kernel, {}, terms);
  return terms;
}

}  // namespace mercer

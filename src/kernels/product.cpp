// k₁·k₂ and k^p (rules A3 and A4).
#include <fmt/format.h>

#include <cmath>

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

class Product final : public Node {
 public:
  explicit Product(std::vector<Kernel> factors) : factors_(std::move(factors)) {}
  std::string text() const override {
    std::string text = text_within(factors_.front(), Binding::product);
    for (std::size_t i = 1; i < factors_.size(); ++i) text += "*" + text_within(factors_[i], Binding::power);
    return text;
  }
  Binding binding() const override { return Binding::product; }
  Properties properties() const override {
    Properties all{.psd = true, .translation_invariant = true, .radial = true, .bound = 1, .diagonal = 1};
    for (const Kernel& factor : factors_) {
      const Properties p = factor.properties();
      all.psd &= p.psd;
      all.translation_invariant &= p.translation_invariant;
      all.radial &= p.radial;
      all.bound = all.bound == 0 || p.bound == 0 ? 0 : all.bound * p.bound;  // not 0·∞
      all.diagonal = all.diagonal && p.diagonal ? std::optional(*all.diagonal * *p.diagonal) : std::nullopt;
    }
    return all;
  }
  Proof prove() const override {
    for (const Kernel& factor : factors_)
      if (const Proof proof = factor.prove(); !proof.psd) return proof;
    return {true, "a product of valid kernels"};
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    FeatureAlgebra::Id all = factors_.front().node().features(algebra);
    for (std::size_t i = 1; i < factors_.size(); ++i)
      all = algebra.tensor(all, factors_[i].node().features(algebra));
    return all;
  }
  Symbol trace(Tracer& tracer) const override {
    Symbol product = factors_.front().node().trace(tracer);
    for (std::size_t i = 1; i < factors_.size(); ++i) product = product * factors_[i].node().trace(tracer);
    return product;
  }
  std::vector<SpectralTerm> spectrum() const override {
    std::vector<SpectralTerm> all{SpectralTerm{}};
    for (const Kernel& factor : factors_) all = products(all, factor.node().spectrum());
    return all;
  }
  std::vector<Kernel> parts() const override { return factors_; }
  Dependence dependence() const override { return Dependence::linear; }
  Kernel with_parts(std::vector<Kernel> parts) const override {
    return Kernel(std::make_shared<Product>(std::move(parts)));
  }

 private:
  std::vector<Kernel> factors_;
};

class Power final : public Node {
 public:
  Power(Kernel k, int exponent) : k_(std::move(k)), exponent_(exponent) {}
  std::string text() const override {
    return fmt::format("{}^{}", text_within(k_, Binding::atom), exponent_);
  }
  Binding binding() const override { return Binding::power; }
  Properties properties() const override {
    Properties p = k_.properties();
    p.bound = std::pow(p.bound, exponent_);
    if (p.diagonal) p.diagonal = std::pow(*p.diagonal, exponent_);
    return p;
  }
  Proof prove() const override {
    const Proof proof = k_.prove();
    return proof.psd ? Proof{true, "a power of a valid kernel"} : proof;
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    Series series{.coefficients = std::vector<double>(std::size_t(exponent_) + 1)};
    series.coefficients.back() = 1;
    return algebra.series(k_.node().features(algebra), series);
  }
  Symbol trace(Tracer& tracer) const override { return pow(k_.node().trace(tracer), exponent_); }
  std::vector<SpectralTerm> spectrum() const override {
    std::vector<SpectralTerm> all{SpectralTerm{}};
    const std::vector<SpectralTerm> one = k_.node().spectrum();
    for (int factor = 0; factor < exponent_; ++factor) all = products(all, one);
    return all;
  }
  std::optional<DotPower> dot_power() const override {
    auto power = k_.node().dot_power();
    if (!power || power->degree > 1000 / exponent_) return std::nullopt;
    power->degree *= exponent_;
    power->weight = std::pow(power->weight, exponent_);
    return power;
  }
  std::vector<Kernel> parts() const override { return {k_}; }
  Kernel with_parts(std::vector<Kernel> parts) const override { return pow(parts.at(0), exponent_); }

 private:
  Kernel k_;
  int exponent_;
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

}  // namespace mercer

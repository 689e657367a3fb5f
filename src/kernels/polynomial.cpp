// q(k) = c₀ + c₁k + c₂k² + … (rule A4): valid where no coefficient is negative.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

class Polynomial final : public Node {
 public:
  Polynomial(Kernel k, std::vector<double> coefficients) : k_(std::move(k)), c_(std::move(coefficients)) {}
  std::string text() const override {
    return fmt::format("polynomial({}, coefficients={})", k_.text(), to_text(Argument(c_)));
  }
  Properties properties() const override {
    Properties p = k_.properties();
    p.psd = prove().psd;
    double bound = 0;
    for (std::size_t i = c_.size(); i-- > 0;) bound = std::abs(c_[i]) + (bound == 0 ? 0 : bound * p.bound);
    p.bound = bound;
    if (p.diagonal) p.diagonal = horner<double>(*p.diagonal);
    return p;
  }
  Proof prove() const override {
    if (std::ranges::any_of(c_, [](double c) { return c < 0; }))
      return {false, fmt::format("{} has a negative coefficient, which no rule allows", text())};
    const Proof proof = k_.prove();
    return proof.psd ? Proof{true, "a polynomial with non-negative coefficients of a valid kernel"} : proof;
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.series(k_.node().features(algebra), {.coefficients = c_});
  }
  Symbol trace(Tracer& tracer) const override { return horner<Symbol>(k_.node().trace(tracer)); }
  std::vector<Kernel> parts() const override { return {k_}; }
  Kernel with_parts(std::vector<Kernel> parts) const override { return polynomial(parts.at(0), c_); }

 private:
  template <class T>
  T horner(T x) const {
    T sum = c_.back();
    for (std::size_t i = c_.size() - 1; i-- > 0;) sum = sum * x + c_[i];
    return sum;
  }

  Kernel k_;
  std::vector<double> c_;
};

}  // namespace

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

}  // namespace mercer

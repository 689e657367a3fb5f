// exp(k) (rule A5): the limit of polynomials with non-negative coefficients.
#include <cmath>

#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

class Exp final : public Node {
 public:
  explicit Exp(Kernel k) : k_(std::move(k)) {}
  std::string text() const override { return "exp(" + k_.text() + ")"; }
  Properties properties() const override {
    Properties p = k_.properties();
    p.bound = std::exp(p.bound);
    if (p.diagonal) p.diagonal = std::exp(*p.diagonal);
    return p;
  }
  Proof prove() const override {
    const Proof proof = k_.prove();
    return proof.psd ? Proof{true, "the exponential of a valid kernel"} : proof;
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.series(k_.node().features(algebra),
                          {.coefficients = exponential_series(1, algebra.terms()), .exact = false});
  }
  Symbol trace(Tracer& tracer) const override { return exp(k_.node().trace(tracer)); }
  std::vector<Kernel> parts() const override { return {k_}; }
  Kernel with_parts(std::vector<Kernel> parts) const override { return exp(parts.at(0)); }

 private:
  Kernel k_;
};

}  // namespace

Kernel exp(const Kernel& k) { return Kernel(std::make_shared<Exp>(k)); }

extern const Combinator exp_combinator{
    .name = "exp",
    .formula = "e^k(x,z)",
    .summary = "the exponential of a kernel",
    .parameters = {},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments&) {
      return exp(kernels.front());
    }};

}  // namespace mercer

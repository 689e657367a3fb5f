// k(x,z) / √(k(x,x) k(z,z)) (rule A8): all points on the unit sphere of the feature space.
#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

class Normalize final : public Node {
 public:
  explicit Normalize(Kernel k) : k_(std::move(k)) {}
  std::string text() const override { return "normalize(" + k_.text() + ")"; }
  Properties properties() const override {
    Properties p = k_.properties();
    // Cauchy–Schwarz, or perhaps √ of a negative.
    p.bound = p.psd ? 1 : std::numeric_limits<double>::infinity();
    if (p.diagonal && *p.diagonal != 0) p.diagonal = *p.diagonal > 0 ? std::optional(1.0) : std::nullopt;
    return p;
  }
  Proof prove() const override {
    const Proof proof = k_.prove();
    return proof.psd ? Proof{true, "a valid kernel, normalised"} : proof;
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.normalize(k_.node().features(algebra));
  }
  Symbol trace(Tracer& tracer) const override {
    const auto [xx, zz] = tracer.diagonal(k_);
    return k_.node().trace(tracer) * (inverse_root(xx) * inverse_root(zz));
  }
  std::vector<Kernel> parts() const override { return {k_}; }
  Kernel with_parts(std::vector<Kernel> parts) const override { return normalize(parts.at(0)); }

 private:
  Kernel k_;
};

}  // namespace

Kernel normalize(const Kernel& k) { return Kernel(std::make_shared<Normalize>(k)); }

extern const Combinator normalize_combinator{
    .name = "normalize",
    .formula = "k(x,z) / √(k(x,x)·k(z,z))",
    .summary = "normalizes every row to length 1 in feature space",
    .parameters = {},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments&) {
      return normalize(kernels.front());
    }};

}  // namespace mercer

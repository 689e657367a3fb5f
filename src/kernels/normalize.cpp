// All points on the unit sphere of the feature space, k(x,z) / √(k(x,x) k(z,z)), or around its origin (rule
// A8).
#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

class Normalize final : public RuleNode<Normalize> {
 public:
  static constexpr auto proved = "a valid kernel, normalised";
  using RuleNode::RuleNode;
  std::string text() const override { return "normalize(" + k().text() + ")"; }
  Properties properties() const override {
    Properties p = k().properties();
    p.conditional_order = 0;
    // Cauchy–Schwarz, or perhaps √ of a negative.
    p.bound = p.psd ? 1 : std::numeric_limits<double>::infinity();
    if (p.diagonal && *p.diagonal != 0) p.diagonal = *p.diagonal > 0 ? std::optional(1.0) : std::nullopt;
    return p;
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.normalize(k().node().features(algebra));
  }
  Symbol trace(Tracer& tracer) const override {
    const auto [xx, zz] = tracer.diagonal(k());
    return k().node().trace(tracer) * (inverse_root(xx) * inverse_root(zz));
  }
};

// ⟨φ(x) − φ̄, φ(z) − φ̄⟩ with φ̄ the mean of the reference points (rule A8), by kernels alone:
// k(x,z) − mean k(x,·) − mean k(z,·) + mean k(·,·).                    Schölkopf, Smola & Müller 1998, App. A
class Center final : public RuleNode<Center> {
 public:
  static constexpr auto proved = "a valid kernel, centred in its feature space";
  using RuleNode::RuleNode;
  std::string text() const override { return "center(" + k().text() + ")"; }
  bool centred() const override { return true; }
  Properties properties() const override {
    const Properties p = k().properties();
    return {.psd = p.psd || p.conditional_order == 1, .bound = 4 * p.bound};
  }
  Proof prove() const override {
    if (k().properties().conditional_order != 1) return RuleNode::prove();
    return {true,
            "a kernel that is conditionally positive semidefinite of order 1, centred (Schoenberg 1938)"};
  }
  Symbol trace(Tracer& tracer) const override {
    const auto [of, all] = tracer.means(k());
    return k().node().trace(tracer) - (of.x + of.z) + all;
  }
  Dependence dependence() const override { return Dependence::linear; }
};

}  // namespace

Kernel normalize(const Kernel& k) { return Kernel(std::make_shared<Normalize>(std::vector{k})); }

extern const Combinator normalize_combinator{
    .name = "normalize",
    .formula = "k(x,z) / √(k(x,x)·k(z,z))",
    .summary = "normalizes every row to length 1 in feature space",
    .parameters = {},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments&) {
      return normalize(kernels.front());
    }};

Kernel center(const Kernel& k) { return Kernel(std::make_shared<Center>(std::vector{k})); }

extern const Combinator center_combinator{
    .name = "center",
    .formula = "k(x,z) − mean k(x,·) − mean k(z,·) + mean k(·,·)",
    .summary = "centers the training rows in feature space",
    .parameters = {},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments&) {
      return center(kernels.front());
    }};

}  // namespace mercer

// ⟨φ(x) − φ̄, φ(z) − φ̄⟩ with φ̄ the mean of the reference points (rule A8), by kernels alone:
// k(x,z) − mean k(x,·) − mean k(z,·) + mean k(·,·).                    Schölkopf, Smola & Müller 1998, App. A
#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

class Center final : public Node {
 public:
  explicit Center(Kernel k) : k_(std::move(k)) {}
  std::string text() const override { return "center(" + k_.text() + ")"; }
  bool centred() const override { return true; }
  Properties properties() const override {
    const Properties p = k_.properties();
    return {.psd = p.psd, .bound = 4 * p.bound};
  }
  Proof prove() const override {
    const Proof proof = k_.prove();
    return proof.psd ? Proof{true, "a valid kernel, centred in its feature space"} : proof;
  }
  Symbol trace(Tracer& tracer) const override {
    const auto [of, all] = tracer.means(k_);
    return k_.node().trace(tracer) - (of.x + of.z) + all;
  }
  std::vector<Kernel> parts() const override { return {k_}; }
  Dependence dependence() const override { return Dependence::linear; }
  Kernel with_parts(std::vector<Kernel> parts) const override { return center(parts.at(0)); }

 private:
  Kernel k_;
};

}  // namespace

Kernel center(const Kernel& k) { return Kernel(std::make_shared<Center>(k)); }

extern const Combinator center_combinator{
    .name = "center",
    .formula = "k(x,z) − mean k(x,·) − mean k(z,·) + mean k(·,·)",
    .summary = "centers the training rows in feature space",
    .parameters = {},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments&) {
      return center(kernels.front());
    }};

}  // namespace mercer

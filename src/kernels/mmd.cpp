// exp(−γ·MMD²(A, B)), with MMD² = ‖mean φ(a) − mean φ(b)‖² = mean k(a, a′) + mean k(b, b′) − 2 mean k(a, b),
// the maximum mean discrepancy of two samples (Gretton, Borgwardt, Rasch, Schölkopf & Smola 2012): a Gaussian
// kernel of the mean embeddings, so that sets are told apart by the shape of their distributions too
// (Muandet, Fukumizu, Dinuzzo & Schölkopf 2012). Valid where k is.
#include <fmt/format.h>

#include <cmath>

#include "kernels/catalogue.hpp"
#include "kernels/members.hpp"
#include "mercer/error.hpp"
#include "mercer/set_kernels.hpp"

namespace mercer {

namespace {

class MeanDiscrepancy final : public Node {
 public:
  MeanDiscrepancy(Kernel k, double gamma) : k_(std::move(k)), gamma_(gamma) {}
  std::string text() const override { return fmt::format("mmd({}, gamma={})", k_.text(), to_text(gamma_)); }
  Properties properties() const override {
    if (!k_.properties().psd) return {};
    return {.psd = true, .bound = 1, .diagonal = 1};
  }
  Proof prove() const override {
    const Proof proof = k_.prove();
    return proof.psd ? Proof{true, "a Gaussian kernel of the means of the members under a valid kernel"}
                     : proof;
  }
  std::vector<Domain> domains() const override { return member_domains(k_); }
  Symbol trace(Tracer& tracer) const override {
    const MemberMap members = members_of("mmd");
    const Symbol sum = tracer.member_sum(members, k_);
    const auto [xx, zz] = tracer.self_member_sum(members, k_);
    const auto [x, z] = tracer.value(inverse_size("mmd"));
    const Symbol squared = xx * (x * x) + zz * (z * z) - 2 * (sum * (x * z));
    // Rounding may leave a little below 0 of equal sets; below that the kernel is no valid one, and its
    // discrepancy stays as it is.
    return exp(-gamma_ * (k_.properties().psd ? max(squared, 0) : squared));
  }
  std::vector<Kernel> parts() const override { return {k_}; }
  Kernel with_parts(std::vector<Kernel> parts) const override { return mmd_kernel(parts.at(0), gamma_); }
  Points points_inside(const Points& points) const override { return members_of("mmd").apply(points).points; }
  std::vector<KernelParameter> numbers() const override { return {{"gamma", gamma_, positive}}; }
  Kernel with_numbers(std::span<const double> values) const override { return mmd_kernel(k_, values[0]); }

 private:
  Kernel k_;
  double gamma_;
};

}  // namespace

Kernel mmd_kernel(const Kernel& of_members, double gamma) {
  check_for_members(of_members, "mmd");
  if (!positive.contains(gamma))
    throw Error::of_parameter("mmd", "gamma", "must be > 0 and at most 1e300", to_text(gamma));
  return Kernel(std::make_shared<MeanDiscrepancy>(of_members, gamma));
}

extern const Combinator mmd_combinator{
    .name = "mmd",
    .formula = "exp(−gamma·MMD²), MMD² = mean k(a,a′) + mean k(b,b′) − 2·mean k(a,b)",
    .summary = "sets compared by the means of their members in the feature space (maximum mean discrepancy)",
    .parameters = {{"gamma", "inverse width", "1"}},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
      if (arguments.empty()) return mmd_kernel(kernels.front());
      const double* gamma = std::get_if<double>(&arguments.front().second);
      if (!gamma)
        throw Error::of_parameter("", "gamma", "must be a number > 0", to_text(arguments.front().second));
      return mmd_kernel(kernels.front(), *gamma);
    }};

}  // namespace mercer

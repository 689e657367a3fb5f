// Σ_x Σ_y k(x, y)·k̄(A(x), B(y)) over the distinct symbols of two multisets, A(x) being how often x is in A. k
// says how alike two symbols are (delta: not at all unless they are one; spectrum: by their spelling), k̄ what
// becomes of the counts (linear: their product; intersection: the smaller). It is set(k·k̄) of pairs (symbol,
// count), so it is valid where k and k̄ are.
#include <fmt/format.h>

#include "kernels/catalogue.hpp"
#include "kernels/members.hpp"
#include "mercer/error.hpp"
#include "mercer/set_kernels.hpp"

namespace mercer {

namespace {

class GeneralSet final : public Node {
 public:
  /// Both as they see a member: k@symbol and k̄@count.
  GeneralSet(Kernel of_symbols, Kernel of_counts)
      : of_symbols_(std::move(of_symbols)), of_counts_(std::move(of_counts)) {}
  std::string text() const override {
    return fmt::format("general_set({}, {})", of_symbols_.parts().at(0).text(),
                       of_counts_.parts().at(0).text());
  }
  Properties properties() const override {
    return {.psd = of_symbols_.properties().psd && of_counts_.properties().psd};
  }
  Proof prove() const override {
    for (const Kernel* k : {&of_symbols_, &of_counts_})
      if (const Proof proof = k->prove(); !proof.psd) return proof;
    return {true, "a product of valid kernels, summed over the symbols of two sets"};
  }
  std::vector<Domain> domains() const override { return {Domain::text, Domain::symbols}; }
  Symbol trace(Tracer& tracer) const override {
    return tracer.member_sum(counted_symbols("general_set"), of_members_);
  }
  std::vector<Kernel> parts() const override { return {of_symbols_, of_counts_}; }
  Dependence dependence() const override { return Dependence::linear; }
  Kernel with_parts(std::vector<Kernel> parts) const override {
    return Kernel(std::make_shared<GeneralSet>(parts.at(0), parts.at(1)));
  }
  Points points_inside(const Points& points) const override {
    return counted_symbols("general_set").apply(points).points;
  }

 private:
  Kernel of_symbols_, of_counts_;
  Kernel of_members_ = of_symbols_ * of_counts_;  // one node, so that equal questions have one answer
};

}  // namespace

Kernel general_set_kernel(const Kernel& of_symbols, const Kernel& of_counts) {
  check_for_members(of_symbols, "general_set");
  check_for_members(of_counts, "general_set");
  return Kernel(
      std::make_shared<GeneralSet>(on_columns(of_symbols, {"symbol"}), on_columns(of_counts, {"count"})));
}

extern const Combinator general_set_combinator{
    .name = "general_set",
    .formula = "Σ_x Σ_y k₁(x,y)·k₂(A(x),B(y)), A(x): how often x is in A",
    .summary = "multisets of symbols or words, compared by a kernel of symbols and a kernel of counts",
    .parameters = {},
    .several = true,
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments&) {
      if (kernels.size() != 2)
        throw Error(ErrorCode::invalid_kernel, fmt::format("general_set takes two kernels, of symbols and of "
                                                           "counts, not {}: general_set(delta, intersection)",
                                                           kernels.size()));
      return general_set_kernel(kernels[0], kernels[1]);
    }};

}  // namespace mercer

// Σₐ Σ_b k(a, b) over the members of two sets: the inner product of Σₐ φ(a) and Σ_b φ(b), so it is valid
// where k is. Haussler 1999; Gärtner, Flach, Kowalczyk & Smola 2002. Divided by the sizes it is the inner
// product of the means, divided by the lengths their cosine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/catalogue.hpp"
#include "kernels/members.hpp"
#include "mercer/error.hpp"
#include "mercer/set_kernels.hpp"

namespace mercer {

namespace {

class Set final : public RuleNode<Set> {
 public:
  static constexpr auto proved = "a valid kernel, summed over the members of two sets";
  Set(Kernel k, SetNormalize normalize) : RuleNode({std::move(k)}), normalize_(normalize) {}
  std::string text() const override {
    return fmt::format("set({}, normalize={})", k().text(), name_of(normalize_));
  }
  Properties properties() const override { return properties_of_sum(k().properties(), normalize_); }
  std::vector<Domain> domains() const override { return member_domains(k()); }
  Symbol trace(Tracer& tracer) const override {
    const MemberMap members = members_of("set");
    return normalized_sum(tracer, members, starts_of(members), k(), normalize_);
  }
  Dependence dependence() const override {
    return normalize_ == SetNormalize::cosine ? Dependence::other : Dependence::linear;
  }
  Points points_inside(const Points& points) const override { return members_of("set").apply(points).points; }

 private:
  SetNormalize normalize_;
};

SetCounts counts_named(const Combinator::Arguments& arguments) {
  if (arguments.empty()) return SetCounts::raw;
  const Argument& argument = arguments.front().second;
  const Word* word = std::get_if<Word>(&argument);
  if (word && word->text == "share") return SetCounts::share;
  if (word && word->text == "raw") return SetCounts::raw;
  throw Error::of_parameter("", "counts", "must be raw or share", to_text(argument));
}

constexpr KernelSearch set_search[] = {
    {.kernel = "set(rbf(gamma=scale), normalize=cosine)",
     .multiples = {0.5, 1, 2},
     .domain = Domain::vectors},
    {.kernel = "set(rbf(gamma=scale), normalize=size)", .multiples = {0.5, 1, 2}, .domain = Domain::vectors}};

// Σ_x Σ_y k(x, y)·k̄(A(x), B(y)) over the distinct symbols of two multisets, A(x) being how often x is in A,
// or that divided by the size of A. k says how alike two symbols are (delta: not at all unless they are one;
// spectrum: by their spelling), k̄ what becomes of the counts (linear: their product; intersection: the
// smaller). It is set(k·k̄) of pairs (symbol, count), so it is valid where k and k̄ are.
class GeneralSet final : public RuleNode<GeneralSet> {
 public:
  static constexpr auto proved = "a product of valid kernels, summed over the symbols of two sets";
  /// `parts`: both as they see a member, k@symbol and k̄@count.
  GeneralSet(std::vector<Kernel> parts, SetCounts counts) : RuleNode(std::move(parts)), counts_(counts) {}
  std::string text() const override {
    return fmt::format("general_set({}{})",
                       list_text(parts_, [](const Kernel& k) { return k.parts().at(0).text(); }),
                       counts_ == SetCounts::share ? ", counts=share" : "");
  }
  Properties properties() const override {
    return {.psd = combined({}, [](auto&&...) {}).psd};
  }
  std::vector<Domain> domains() const override { return {Domain::text, Domain::symbols}; }
  Symbol trace(Tracer& tracer) const override {
    return tracer.member_sum(counted_symbols("general_set", counts_), of_members_);
  }
  Dependence dependence() const override { return Dependence::linear; }
  Kernel with_parts(std::vector<Kernel> parts) const override {
    return Kernel(std::make_shared<GeneralSet>(std::move(parts), counts_));
  }
  Points points_inside(const Points& points) const override {
    return counted_symbols("general_set", counts_).apply(points).points;
  }

 private:
  SetCounts counts_;
  Kernel of_members_ = parts_.at(0) * parts_.at(1);  // one node, so that equal questions have one answer
};

// exp(−γ·MMD²(A, B)), with MMD² = ‖mean φ(a) − mean φ(b)‖² = mean k(a, a′) + mean k(b, b′) − 2 mean k(a, b),
// the maximum mean discrepancy of two samples (Gretton, Borgwardt, Rasch, Schölkopf & Smola 2012): a Gaussian
// kernel of the mean embeddings, so that sets are told apart by the shape of their distributions too
// (Muandet, Fukumizu, Dinuzzo & Schölkopf 2012). Valid where k is.
class MeanDiscrepancy final : public RuleNode<MeanDiscrepancy> {
 public:
  static constexpr auto proved = "a Gaussian kernel of the means of the members under a valid kernel";
  MeanDiscrepancy(Kernel k, double gamma) : RuleNode({std::move(k)}), gamma_(gamma) {}
  std::string text() const override { return fmt::format("mmd({}, gamma={})", k().text(), to_text(gamma_)); }
  Properties properties() const override {
    if (!k().properties().psd) return {};
    return {.psd = true, .bound = 1, .diagonal = 1};
  }
  std::vector<Domain> domains() const override { return member_domains(k()); }
  Symbol trace(Tracer& tracer) const override {
    const MemberMap members = members_of("mmd");
    const Symbol sum = tracer.member_sum(members, k());
    const auto [xx, zz] = tracer.self_member_sum(members, k());
    const auto [x, z] = tracer.value(inverse_size(members, starts_of(members)));
    const Symbol squared = xx * (x * x) + zz * (z * z) - 2 * (sum * (x * z));
    // Rounding may leave a little below 0 of equal sets; below that the kernel is no valid one, and its
    // discrepancy stays as it is.
    return exp(-gamma_ * (k().properties().psd ? max(squared, 0) : squared));
  }
  Points points_inside(const Points& points) const override { return members_of("mmd").apply(points).points; }
  std::vector<KernelParameter> numbers() const override { return {{"gamma", gamma_, positive}}; }
  Kernel with_numbers(std::span<const double> values) const override { return mmd_kernel(k(), values[0]); }

 private:
  double gamma_;
};

}  // namespace

Kernel set_kernel(const Kernel& of_members, SetNormalize normalize) {
  check_for_members(of_members, "set");
  return Kernel(std::make_shared<Set>(of_members, normalize));
}

extern const Combinator set_combinator{
    .name = "set",
    .formula = "Σₐ Σ_b k(a,b), a in A, b in B",
    .summary =
        "sets compared by a kernel of their members: vectors, symbols, words of a text, nodes of a graph",
    .parameters = {{"normalize", "none, cosine (divided by √(k(A,A)·k(B,B))) or size (by |A|·|B|)", "none"}},
    .build =
        [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
          return set_kernel(kernels.front(), arguments.empty()
                                                 ? SetNormalize::none
                                                 : set_normalize_named(arguments.front().second));
        },
    .search = set_search};

Kernel general_set_kernel(const Kernel& of_symbols, const Kernel& of_counts, SetCounts counts) {
  check_for_members(of_symbols, "general_set");
  check_for_members(of_counts, "general_set");
  return Kernel(std::make_shared<GeneralSet>(
      std::vector{on_columns(of_symbols, {"symbol"}), on_columns(of_counts, {"count"})}, counts));
}

extern const Combinator general_set_combinator{
    .name = "general_set",
    .formula = "Σ_x Σ_y k₁(x,y)·k₂(A(x),B(y)), A(x): how often x is in A",
    .summary = "multisets of symbols or words, compared by a kernel of symbols and a kernel of counts",
    .parameters = {{"counts", "raw: how often a symbol is in a set; share: divided by the size of the set",
                    "raw"}},
    .several = true,
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
      if (kernels.size() != 2)
        throw Error(ErrorCode::invalid_kernel, fmt::format("general_set takes two kernels, of symbols and of "
                                                           "counts, not {}: general_set(delta, intersection)",
                                                           kernels.size()));
      return general_set_kernel(kernels[0], kernels[1], counts_named(arguments));
    }};

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

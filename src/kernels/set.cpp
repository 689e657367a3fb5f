// Σₐ Σ_b k(a, b) over the members of two sets: the inner product of Σₐ φ(a) and Σ_b φ(b), so it is valid
// where k is. Haussler 1999; Gärtner, Flach, Kowalczyk & Smola 2002. Divided by the sizes it is the inner
// product of the means, divided by the lengths their cosine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "kernels/catalogue.hpp"
#include "kernels/members.hpp"
#include "mercer/error.hpp"
#include "mercer/set_kernels.hpp"

namespace mercer {

namespace {

constexpr std::string_view normalizations[] = {"none", "cosine", "size"};  // as SetNormalize

class Set final : public Node {
 public:
  Set(Kernel k, SetNormalize normalize) : k_(std::move(k)), normalize_(normalize) {}
  std::string text() const override {
    return fmt::format("set({}, normalize={})", k_.text(), normalizations[int(normalize_)]);
  }
  Properties properties() const override {
    const Properties p = k_.properties();
    Properties own{.psd = p.psd};
    if (normalize_ == SetNormalize::size) own.bound = p.bound;
    if (normalize_ == SetNormalize::cosine && p.psd) own.bound = 1;
    return own;
  }
  Proof prove() const override {
    const Proof proof = k_.prove();
    return proof.psd ? Proof{true, "a valid kernel, summed over the members of two sets"} : proof;
  }
  std::vector<Domain> domains() const override { return member_domains(k_); }
  Symbol trace(Tracer& tracer) const override {
    const MemberMap members = members_of("set");
    const Symbol sum = tracer.member_sum(members, k_);
    if (normalize_ == SetNormalize::none) return sum;
    if (normalize_ == SetNormalize::size) {
      const auto [x, z] = tracer.value(inverse_size("set"));
      return sum * (x * z);
    }
    const auto [xx, zz] = tracer.self_member_sum(members, k_);
    return sum * (inverse_root(xx) * inverse_root(zz));
  }
  std::vector<Kernel> parts() const override { return {k_}; }
  Dependence dependence() const override {
    return normalize_ == SetNormalize::cosine ? Dependence::other : Dependence::linear;
  }
  Kernel with_parts(std::vector<Kernel> parts) const override { return set_kernel(parts.at(0), normalize_); }
  Points points_inside(const Points& points) const override { return members_of("set").apply(points).points; }

 private:
  Kernel k_;
  SetNormalize normalize_;
};

SetNormalize normalization(const Combinator::Arguments& arguments) {
  if (arguments.empty()) return SetNormalize::none;
  const Argument& argument = arguments.front().second;
  const Word* word = std::get_if<Word>(&argument);
  const auto found = word ? std::ranges::find(normalizations, word->text) : std::end(normalizations);
  if (found == std::end(normalizations))
    throw Error(
        ErrorCode::invalid_parameter,
        fmt::format("normalize must be {}, not {}", fmt::join(normalizations, " or "), to_text(argument)));
  return SetNormalize(found - std::begin(normalizations));
}

constexpr KernelSearch set_search[] = {
    {.kernel = "set(rbf(gamma=scale), normalize=cosine)",
     .multiples = {0.5, 1, 2},
     .domain = Domain::vectors},
    {.kernel = "set(rbf(gamma=scale), normalize=size)", .multiples = {0.5, 1, 2}, .domain = Domain::vectors}};

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
          return set_kernel(kernels.front(), normalization(arguments));
        },
    .search = set_search};

}  // namespace mercer

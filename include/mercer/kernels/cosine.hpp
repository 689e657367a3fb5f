#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = xᵀz / (‖x‖‖z‖), 0 where either is the zero vector.
struct Cosine {
  static constexpr std::string_view name = "cosine";
  static constexpr std::string_view formula = "xᵀz / (‖x‖·‖z‖)";
  static constexpr std::string_view summary = "cosine similarity: the angle only, not the lengths";
  static constexpr LeafTraits traits{.statistic = Statistic::dot};
  static void params(auto&&) {}
  Properties properties() const { return {.psd = true, .bound = 1}; }
  Symbol operator()(Symbol dot, Symbol xx, Symbol zz) const {
    return dot * (inverse_root(xx) * inverse_root(zz));
  }
};
inline constexpr Maker<Cosine> cosine;

}  // namespace mercer

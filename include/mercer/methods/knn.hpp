#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// k nearest neighbours (Cover & Hart 1967) by the distance that any kernel gives.
struct Knn {
  static constexpr std::string_view name = "knn";
  static constexpr std::string_view formula = "mean of y over the nearest by d² = k(x,x) − 2k(x,z) + k(z,z)";
  static constexpr std::string_view summary =
      "k nearest neighbours in feature space: their mean, or their majority class";
  static constexpr double counts[] = {1, 2, 3, 5, 8, 13, 21, 34};
  static constexpr SearchRange search[] = {{.parameter = "neighbours", .values = counts}};
  static constexpr MethodTraits traits{
      .task = Task::either, .multi_output = true, .keeps_self = true, .search = search, .expands = false};
  enum class Weighting { uniform, distance };
  friend constexpr Words<2> words_of(Weighting) noexcept { return {"uniform", "distance"}; }
  int neighbours = 5;
  Weighting weighting = Weighting::uniform;
  static void params(auto&& param) {
    param({"neighbours", "number of neighbours", {1, 1e9, false, "a whole number ≥ 1"}}, &Knn::neighbours);
    param({"weighting", "weight of a neighbour: equal, or 1/distance"}, &Knn::weighting);
  }
  Fitted fit(const Training& training) const;
  void evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                const Progress& progress) const;
};

}  // namespace mercer

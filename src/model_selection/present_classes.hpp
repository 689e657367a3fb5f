// A method cannot learn of a class that none of its rows has, and where classes are rare some part of the
// rows lacks some of them. Models are then fitted to the classes that are there, and predict among all. In
// cross_validation.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mercer/model.hpp"

namespace mercer {

/// The classes that some row has, ascending.
std::vector<std::int32_t> classes_of(const Target& target);

/// What a model that knows the classes `present` alone says of all `classes`: the others are never predicted,
/// have the probability 0 and the lowest score of the row; the score of a pair with one of them is 0.
Predictions among_all(const Predictions& few, const std::vector<std::int32_t>& present, std::size_t classes);

/// Puts the predictions of these rows of a data set among those of all its rows, as far as both have them.
void place_rows(const Predictions& from, std::span<const std::size_t> rows, Predictions& to);

/// A model of the classes that its rows have.
class PresentModel {
 public:
  PresentModel(const AnyMethod& method, const Kernel& kernel, const Dataset& rows, const FitOptions& options,
               Scaling::Kind scaling);
  /// Among all classes of the rows' target.
  Predictions predict(const Points& points, int threads, const Progress& progress = {}) const;
  /// None where the rows have one class alone, which needs no learning.
  const std::optional<Model>& model() const noexcept { return model_; }

 private:
  std::optional<Model> model_;
  std::vector<std::int32_t> present_;  // empty: all
  std::size_t classes_ = 0;
  bool probabilities_ = false;
};

}  // namespace mercer

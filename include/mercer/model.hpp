// A fitted model: what a method learned, with everything needed to use it on new rows.
#pragma once

#include "mercer/feature_map.hpp"
#include "mercer/method.hpp"
#include "mercer/scaling.hpp"

namespace MERCER_EXPORT mercer {

struct Predictions {
  std::vector<std::int32_t> codes;  ///< classes and clusters: indices into the model's labels
  std::vector<double> values;       ///< otherwise: rows × outputs (novelty: 1 inside, −1 outside)
  std::size_t outputs = 1;
  std::size_t width = 1;
  /// rows × classes, where the model has them: a calibrated one, or one of a method that gives probabilities.
  /// The class predicted is then the most probable one. Of novelty: rows × 2, inside and outside.
  std::vector<double> probabilities;
  /// Rows × width: decision values. Of two classes there is one, positive for the second, or one for each; of
  /// more classes one for each, or one for each pair i < j, positive for i; otherwise one for each output.
  std::vector<double> scores;
  bool pairs = false;  ///< whether they are per pair: of three classes there are as many pairs
};

enum class ModelFormat {
  automatic,  ///< LIBSVM's where the path ends in .model, else Mercer's
  mercer,
  libsvm,
};

struct Model {
  AnyMethod method;  ///< with its parameters
  Fitted fitted;
  Scaling scaling = {};
  /// Of the scaled rows: the expansion is then over features, its kernel linear.
  std::optional<FeatureMap> map = {};
  Schema schema = {};
  std::vector<std::string> labels = {};  ///< of the classes, or of the clusters that were found
  std::size_t columns = 0;               ///< of the points, before scaling
  std::size_t rows = 0;                  ///< learned from

  const Kernel& kernel() const noexcept { return map ? map->kernel() : fitted.expansion.kernel; }

  /// Rows must have the model's columns: read them with `schema` and `columns` in the ReadOptions.
  Predictions predict(const Points& points, int threads = 0, const Progress& progress = {}) const;

  /// Of Gaussian processes: the variance of the function at each row, without the noise; of multi_gp rows ×
  /// outputs. Throws Error{usage} for others.
  std::vector<double> variances(const Points& points, int threads = 0, const Progress& progress = {}) const;

  /// The same model over points with more columns, in which its own points are 0 (as in LIBSVM text, where a
  /// test file may have indices that no training row had): `before` of them in front of its own, the others
  /// behind.
  Model widened(std::size_t wider, std::size_t before = 0) const;

  /// Written whole or not at all. Throws Error{usage} where LIBSVM's format cannot express the model.
  void save(const std::string& path, ModelFormat format = ModelFormat::automatic) const;
  /// Either kind of file, told apart by its first bytes. Throws Error{data} naming the field that is wrong.
  static Model load(const std::string& path);
  /// The same of a model whose kernel has functions of a program in it, user:name (user_kernel.hpp).
  static Model load(const std::string& path, std::span<const UserFunction> functions);
  /// What save() writes into a .mercer file, and back; `name` is what messages call it.
  std::string bytes() const;
  static Model from_bytes(std::string_view bytes, const std::string& name = "the model",
                          std::span<const UserFunction> functions = {});
};

/// Fits a method with a kernel. `scaling` is fitted on the data and kept in the model.
Model fit(const AnyMethod& method, const Kernel& kernel, const Dataset& data, const FitOptions& options = {},
          Scaling::Kind scaling = Scaling::Kind::none);

}  // namespace mercer

// mercer predict: its options, and its work with the predictions made elsewhere, as on many machines.
#pragma once

#include <functional>

#include "cli/data_options.hpp"

namespace mercer::cli {

struct PredictOptions {
  std::string model, out = "-";
  DataOptions data;
  bool scores = false, probabilities = false, variances = false;

  void add(CLI::App& command);
};

/// Who predicts.
struct Predictor {
  std::function<Predictions(const Model& model, const Points& points)> predict;
  std::function<std::vector<double>(const Model& model, const Points& points)> variances;
};

/// Reads the model and the rows, and writes the predictions.
void run_predict(PredictOptions& options, const Session& session, const Predictor& predictor);

}  // namespace mercer::cli

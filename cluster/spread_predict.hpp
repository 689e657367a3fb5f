// Predictions of rows that rank 0 has, each rank predicting its share of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "mercer/model.hpp"

namespace mercer::cluster {

/// On rank 0: work that may ask for predictions any number of times. The other ranks help until it ends. An
/// error of the work, or of a prediction, is thrown on all ranks.
class PredictingRanks {
 public:
  PredictingRanks(const Communicator& ranks, int threads) : ranks_(ranks), threads_(threads) {}

  /// By all ranks together; `work` runs on rank 0.
  void run(const std::function<void()>& work);

  /// Inside of the work. Rows with objects are predicted by rank 0 alone.
  Predictions predict(const Model& model, const Points& points);
  std::vector<double> variances(const Model& model, const Points& points);

 private:
  enum Call : int { end, prediction, variance };
  Points ask(Call call, const Model& model, const Points& points);
  Points hand_out(const Model* model, const Points* points);
  void help();

  const Communicator& ranks_;
  int threads_;
  std::string bytes_;           // of the model that the ranks have
  std::optional<Model> model_;  // the same
};

}  // namespace mercer::cluster

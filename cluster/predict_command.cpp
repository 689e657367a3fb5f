// mercer-mpi predict MODEL DATA: as `mercer predict`, the rows spread over all ranks.
#include <memory>

#include "cli/predict.hpp"
#include "cluster/commands.hpp"
#include "cluster/spread_predict.hpp"

namespace mercer::cluster {

void add_cluster_predict(CLI::App& app, cli::Session& session) {
  auto* command = app.add_subcommand("predict", "predict rows with a model, each rank a share of them");
  auto options = std::make_shared<cli::PredictOptions>();
  options->add(*command);
  command->callback([&session, options] {
    pending_work() = [&session, options](const Communicator& ranks) {
      PredictingRanks predicting(ranks, session.threads);
      const cli::Predictor predictor{
          .predict = [&](const Model& model,
                         const Points& points) { return predicting.predict(model, points); },
          .variances = [&](const Model& model,
                           const Points& points) { return predicting.variances(model, points); }};
      predicting.run([&] { cli::run_predict(*options, session, predictor); });
    };
  });
}

}  // namespace mercer::cluster

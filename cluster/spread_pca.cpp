// Kernel PCA over the rows of all ranks: the eigenpairs are those of spread_eigen.hpp, the model is made of
// them on rank 0 as on one machine (methods/pca_components.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "cluster/spread_eigen.hpp"
#include "cluster/spread_fit.hpp"
#include "methods/pca_components.hpp"

namespace mercer::cluster {

// Without a checkpoint SLEPc begins with a vector of its own.
SpreadEigenOptions watched(const SpreadTraining& training, SpreadWatch& watch, std::string_view what,
                           std::vector<double>& start) {
  SpreadEigenOptions options{.tolerance = training.tolerance,
                             .memory = training.options.fit.memory,
                             .threads = training.options.fit.threads};
  if (!training.options.checkpoint.empty()) {
    start.resize(training.own.rows());
    for (std::size_t i = 0; i < start.size(); ++i)
      start[i] = Random(training.options.fit.seed + training.range().begin + i).normal();
    if (const auto earlier = training.checkpoint->read(start.size(), 1)) {
      start = earlier->X;
      watch.iterations = earlier->iterations;
    }
    options.start = start;
    options.each_restart = [&start](std::span<const double> sum) { start.assign(sum.begin(), sum.end()); };
  }
  options.each_product = [&watch, &start, what] {
    if (!watch.go_on([&](std::span<double> X) { std::ranges::copy(start, X.begin()); }, 1, 0))
      throw AgreedError(
          Error(ErrorCode::out_of_time, fmt::format("the time ran out before the {} were found", what)));
  };
  return options;
}

Fitted spread_pca(const SpreadTraining& training) {
  const Communicator& ranks = training.ranks;
  const std::size_t count = std::size_t(training.number("components"));
  const bool centred = training.word("centred") == "yes";
  in_step(ranks, [&] {
    if (count == 0)
      throw Error(ErrorCode::unsupported, "all components are not searched on several ranks",
                  {.owner = "pca", .hint = "say how many"});
    if (count > training.rows - centred)
      throw Error(ErrorCode::invalid_argument, fmt::format("{} components of {} rows", count, training.rows),
                  {.owner = "pca", .hint = fmt::format("there are at most {}", training.rows - centred)});
  });
  SpreadWatch watch(training);
  std::vector<double> start;
  SpreadEigenOptions options = watched(training, watch, "components", start);
  const std::size_t earlier = watch.iterations;
  options.centred = centred;
  if (training.weighted)
    for (const double weight : training.weights) options.scale.push_back(std::sqrt(weight));
  KernelEigen eigen = spread_eigenpairs(ranks, training.kernel, training.own, count, options);
  eigen.pairs.vectors = ranks.gather(std::span<const double>(eigen.pairs.vectors));
  eigen.means = ranks.gather(std::span<const double>(eigen.means));
  return in_step(ranks, [&] {
    if (!ranks.first()) return Fitted{.expansion = {training.kernel}};
    if (eigen.pairs.values.size() < count)
      throw Error(ErrorCode::rank_deficient,
                  fmt::format("{} components, but SLEPc found {}", count, eigen.pairs.values.size()),
                  {.owner = "pca"});
    keep_components(eigen, count, centred);
    Fitted fitted = components_of(*training.training, *training.all, eigen, centred);
    if (earlier > 0) fitted.report.solver += fmt::format("; after {} products of an earlier run", earlier);
    fitted.report.seconds = watch.seconds();
    return fitted;
  });
}

}  // namespace mercer::cluster

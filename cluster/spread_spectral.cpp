// Spectral clustering over the rows of all ranks: the degrees of its rows by each rank, which gets the whole
// table for that; the eigenpairs are those of spread_eigen.hpp, and the clusters are made of them on rank 0
// as on one machine (methods/spectral_steps.hpp).
#include <fmt/format.h>

#include <cmath>

#include "cluster/points_message.hpp"
#include "cluster/spread_eigen.hpp"
#include "cluster/spread_fit.hpp"
#include "methods/clusters.hpp"
#include "methods/spectral_steps.hpp"

namespace mercer::cluster {

namespace {

std::vector<double> own_degrees(const SpreadTraining& training) {
  const Communicator& ranks = training.ranks;
  std::vector<std::byte> bytes = training.all ? bytes_of(training.all->points) : std::vector<std::byte>();
  std::vector<std::size_t> numbers;
  if (training.all) numbers.assign(training.all->numbers.begin(), training.all->numbers.end());
  ranks.broadcast(bytes);
  ranks.broadcast(numbers);
  const std::vector<double> weights = ranks.gather(std::span<const double>(training.weights), true);
  const Range own = Share{training.rows, ranks.size()}.of(ranks.rank());
  return in_step(ranks, [&] {
    if (own.size() == 0) return std::vector<double>();
    const Points all = points_of(bytes, training.own.names());
    return affinity_degrees({training.kernel, all, weights, numbers}, own, training.options.fit.threads, {});
  });
}

}  // namespace

Fitted spread_spectral(const SpreadTraining& training) {
  const Communicator& ranks = training.ranks;
  const std::size_t count = std::size_t(training.number("clusters"));
  in_step(ranks, [&] { check_cluster_count("spectral", count, training.rows); });
  SpreadWatch watch(training);
  std::vector<double> d = own_degrees(training);
  std::vector<double> start;
  SpreadEigenOptions options = watched(training, watch, "clusters", start);
  const std::size_t earlier = watch.iterations;
  for (std::size_t i = 0; i < d.size(); ++i) options.scale.push_back(std::sqrt(training.weights[i] / d[i]));
  KernelEigen eigen = spread_eigenpairs(ranks, training.kernel, training.own, count, options);
  eigen.pairs.vectors = ranks.gather(std::span<const double>(eigen.pairs.vectors));
  d = ranks.gather(std::span<const double>(d));
  return in_step(ranks, [&] {
    if (!ranks.first()) return Fitted{.expansion = {training.kernel}};
    Fitted fitted = cluster_places(*training.training, *training.all, count,
                                   std::size_t(training.number("restarts")), d, eigen);
    if (earlier > 0) fitted.report.solver += fmt::format("; after {} products of an earlier run", earlier);
    fitted.report.seconds = watch.seconds();
    return fitted;
  });
}

}  // namespace mercer::cluster

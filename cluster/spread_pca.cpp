// Kernel PCA over the rows of all ranks: the eigenpairs are those of spread_eigen.hpp, the model is made of
// them on rank 0 as on one machine (methods/pca_components.hpp).
#include <fmt/format.h>

#include <cmath>

#include "cluster/spread_eigen.hpp"
#include "cluster/spread_fit.hpp"
#include "methods/pca_components.hpp"

namespace mercer::cluster {

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
    if (!training.options.checkpoint.empty())
      throw Error(ErrorCode::unsupported, "pca keeps no checkpoint", {.hint = "leave --checkpoint out"});
  });
  SpreadWatch watch(training);
  SpreadEigenOptions options{.centred = centred,
                             .tolerance = training.tolerance,
                             .memory = training.options.fit.memory,
                             .threads = training.options.fit.threads};
  options.each_product = [&] {
    if (!watch.go_on({}, 1, 0))
      throw AgreedError(Error(ErrorCode::out_of_time, "the time ran out before the components were found"));
  };
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
    fitted.report.seconds = watch.seconds();
    return fitted;
  });
}

}  // namespace mercer::cluster

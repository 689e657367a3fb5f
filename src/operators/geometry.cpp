#include "mercer/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mercer/error.hpp"
#include "operators/packed_points.hpp"

namespace mercer {

std::vector<double> self_similarities(const Kernel& kernel, const Points& points, const Points& reference) {
  const CompiledKernel program(kernel);
  std::vector<Points> theirs = program.views_of(reference, nullptr, 0),
                      ours = program.views_of(points, &theirs, 0);
  std::vector<Layout> layouts;
  for (std::size_t v = 0; v < ours.size(); ++v)
    layouts.push_back({.dense = !ours[v].sparse() && !theirs[v].sparse(),
                       .columns = std::max(ours[v].cols(), theirs[v].cols()),
                       .centre = {}});
  const PackedPoints<double> base(program, layouts, std::move(theirs), nullptr);
  return evaluate_points(
      program.diagonal, PackedPoints<double>(program, layouts, std::move(ours), &base).values, points.rows());
}

std::vector<double> squared_distances(const Kernel& kernel, const Points& x, const Points& z,
                                      const OperatorOptions& options) {
  const Kernel k = kernel.resolve(z);
  const std::vector<double> xx = self_similarities(k, x, z), zz = self_similarities(k, z, z);
  std::vector<double> distances(x.rows() * z.rows());
  KernelOperator<double>(k, x, z, options).matrix(distances);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < z.rows(); ++j) {
      double& entry = distances[i * z.rows() + j];
      entry = std::max(0.0, xx[i] - 2 * entry + zz[j]);
    }
  return distances;
}

std::vector<double> angles(const Kernel& kernel, const Points& x, const Points& z,
                           const OperatorOptions& options) {
  const Kernel k = kernel.resolve(z);
  const auto inverse_norms = [&](const Points& points) {
    std::vector<double> norms = self_similarities(k, points, z);
    for (std::size_t i = 0; i < norms.size(); ++i) {
      if (!(norms[i] > 0))
        throw Error(ErrorCode::invalid_data,
                    fmt::format("k(x, x) of row {} is {:g}, so that it has no direction", i + 1, norms[i]),
                    {.row = i + 1, .hint = "leave the row out"});
      norms[i] = 1 / std::sqrt(norms[i]);
    }
    return norms;
  };
  const std::vector<double> xx = inverse_norms(x), zz = inverse_norms(z);
  std::vector<double> found(x.rows() * z.rows());
  KernelOperator<double>(k, x, z, options).matrix(found);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < z.rows(); ++j) {
      double& entry = found[i * z.rows() + j];
      entry = std::acos(std::clamp(entry * xx[i] * zz[j], -1.0, 1.0));
    }
  return found;
}

std::vector<double> mean_embedding(const Kernel& kernel, const Points& x, const Points& reference,
                                   const OperatorOptions& options) {
  if (reference.rows() == 0) throw Error(ErrorCode::invalid_data, "there are no rows to take the mean of");
  const std::vector<double> weights(reference.rows(), 1 / double(reference.rows()));
  std::vector<double> means(x.rows());
  KernelOperator<double>(kernel.resolve(reference), x, reference, options).multiply(weights, 1, means);
  return means;
}

std::vector<double> squared_distances_to_mean(const Kernel& kernel, const Points& x, const Points& reference,
                                              const OperatorOptions& options) {
  const Kernel k = kernel.resolve(reference);
  const std::vector<double> xx = self_similarities(k, x, reference);
  const std::vector<double> means = mean_embedding(k, x, reference, options);
  const std::vector<double> own = mean_embedding(k, reference, reference, options);
  const double all = std::accumulate(own.begin(), own.end(), 0.0) / double(own.size());
  std::vector<double> distances(x.rows());
  for (std::size_t i = 0; i < x.rows(); ++i) distances[i] = std::max(0.0, xx[i] - 2 * means[i] + all);
  return distances;
}

}  // namespace mercer

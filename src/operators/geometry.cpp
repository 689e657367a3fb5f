#include "mercer/geometry.hpp"

#include <algorithm>
#include <numeric>

#include "operators/packed_points.hpp"

namespace mercer {

namespace {

// mean over the reference of k(x, ·)
std::vector<double> mean_similarities(const Kernel& kernel, const Points& x, const Points& reference,
                                      const OperatorOptions& options) {
  std::vector<double> means(x.rows());
  const std::vector<double> weights(reference.rows(), 1 / double(reference.rows()));
  KernelOperator<double>(kernel, x, reference, options).multiply(weights, 1, means);
  return means;
}

}  // namespace

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

std::vector<double> squared_distances_to_mean(const Kernel& kernel, const Points& x, const Points& reference,
                                              const OperatorOptions& options) {
  const Kernel k = kernel.resolve(reference);
  const std::vector<double> xx = self_similarities(k, x, reference);
  const std::vector<double> means = mean_similarities(k, x, reference, options);
  const std::vector<double> own = mean_similarities(k, reference, reference, options);
  const double all = std::accumulate(own.begin(), own.end(), 0.0) / double(own.size());
  std::vector<double> distances(x.rows());
  for (std::size_t i = 0; i < x.rows(); ++i) distances[i] = std::max(0.0, xx[i] - 2 * means[i] + all);
  return distances;
}

}  // namespace mercer

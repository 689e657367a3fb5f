#include "plot/kernel_plane.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/methods/pca.hpp"

namespace mercer {

namespace {

// The eigenvectors of more would take longer than a person waits for a picture.
constexpr std::size_t most_plane_rows = 2000;

Model principal_components(const Kernel& kernel, const Points& points, double count, int threads,
                           const Progress& progress) {
  return fit(Pca{.components = int(count)}, kernel, {.points = points},
             {.threads = threads, .allow_indefinite = true, .progress = progress});
}

// Rows in a line span one dimension, which no rule tells beforehand.
Model one_or_two(const Kernel& kernel, const Points& points, int threads, const Progress& progress) {
  if (points.rows() == 2) return principal_components(kernel, points, 1, threads, progress);
  try {
    return principal_components(kernel, points, 2, threads, progress);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    return principal_components(kernel, points, 1, threads, progress);
  }
}

}  // namespace

KernelPlane kernel_plane(const Kernel& kernel, const Points& points, int threads, const Progress& progress) {
  if (points.rows() < 2)
    throw Error(ErrorCode::invalid_data, fmt::format("components need at least two rows, and there {} {}",
                                                     points.rows() == 1 ? "is" : "are", points.rows()));
  const std::vector<std::size_t> rows = sampled_rows(points.rows(), most_plane_rows, 1);
  return {one_or_two(kernel.resolve(points), points.select_rows(rows), threads, progress), rows.size(),
          points.rows()};
}

KernelPlane::Coordinates KernelPlane::of_points(const Points& points, int threads) const {
  const Predictions p = pca.predict(points, threads);
  Coordinates at;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    at.x.push_back(p.values[i * p.outputs]);
    at.y.push_back(p.outputs > 1 ? p.values[i * p.outputs + 1] : 0);
  }
  return at;
}

std::string KernelPlane::label(std::size_t component) const {
  const Diagnostic* shares = pca.fitted.report.diagnostic("explained_variance_ratio");
  return fmt::format(
      "component {} ({:.1f} % of the variance)", component,
      shares && component <= shares->values.size() ? 100 * shares->values[component - 1] : 0.0);
}

}  // namespace mercer

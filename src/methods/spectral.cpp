// Spectral clustering. The affinities A = D^(−½) K D^(−½), dᵢ = Σⱼ k(xᵢ, xⱼ), have leading eigenvectors U;
// row i of U, scaled to length 1, is the place of row i, and the places are clustered by k-means on the
// sphere (Dhillon & Modha 2001): the nearest centre m_c has the largest place·m_c. Au = λu written out at a
// new row extends the place to it,
//   z(x) ∝ Σᵢ k(xᵢ, x) uᵢ / (λ√dᵢ),
// so that the scores z(x)·m_c are sums of kernels with the coefficients Σₐ U_ia m_ca / (λₐ√dᵢ). (Bengio et
// al. 2004) Rows of weight w count w times: d = Kw, the eigenvectors are those of W^½AW^½, and U = W^(−½)
// times them.
#include "mercer/methods/spectral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.hpp"
#include "methods/clusters.hpp"
#include "methods/rows.hpp"
#include "methods/spectral_steps.hpp"
#include "methods/sphere_means.hpp"
#include "methods/watch.hpp"
#include "mercer/error.hpp"
#include "solvers/kernel_eigen.hpp"

namespace mercer {

namespace {

constexpr std::size_t spectral_tile_rows = 256, spectral_tile_columns = 1024;

struct Negative {
  std::size_t i, j;
  double value;
};

KernelEigen leading_affinities(const Training& training, const Rows& rows, std::span<const double> d,
                               std::size_t count, const Progress& progress) {
  const FitOptions& o = training.options;
  KernelEigenOptions options{.tolerance = training.tolerance,
                             .memory = o.memory,
                             .threads = o.threads,
                             .seed = o.seed,
                             .progress = progress};
  for (std::size_t i = 0; i < rows.size(); ++i) options.scale.push_back(std::sqrt(rows.weights[i] / d[i]));
  return kernel_eigenpairs(training.kernel, rows.points, count, options);
}

void check_positive(const KernelEigen& eigen, std::size_t count) {
  const auto& values = eigen.pairs.values;
  constexpr double rounding = 1e-12;  // the largest eigenvalue is 1
  const auto positive =
      std::size_t(std::ranges::count_if(values, [](double value) { return value > rounding; }));
  if (positive < count)
    throw Error(ErrorCode::rank_deficient,
                fmt::format("{} clusters, but the affinities have only {} eigenvalue{} above 0", count,
                            positive, positive == 1 ? "" : "s"),
                {.owner = "spectral", .hint = fmt::format("ask for at most {}", positive)});
}

}  // namespace

// Tile by tile; every affinity is looked at.
std::vector<double> affinity_degrees(const AffinityRows& rows, Range part, int threads,
                                     const Progress& progress) {
  const KernelOperator<double> K(rows.kernel, rows.points, {.threads = threads});
  const std::size_t n = rows.points.rows(),
                    groups = (part.size() + spectral_tile_rows - 1) / spectral_tile_rows;
  std::vector<double> d(part.size(), 0);
  std::vector<std::optional<Negative>> negative(groups);
  parallel_for(groups, threads, progress, "degrees", [&](std::size_t g) {
    const Range own{part.begin + g * spectral_tile_rows,
                    std::min(part.end, part.begin + (g + 1) * spectral_tile_rows)};
    std::vector<double> tile(own.size() * std::min(n, spectral_tile_columns));
    for (std::size_t begin = 0; begin < n; begin += spectral_tile_columns) {
      const Range columns{begin, std::min(n, begin + spectral_tile_columns)};
      K.tile(own, columns, std::span(tile).first(own.size() * columns.size()));
      for (std::size_t i = own.begin; i < own.end; ++i)
        for (std::size_t j = columns.begin; j < columns.end; ++j) {
          const double affinity = tile[(i - own.begin) * columns.size() + j - columns.begin];
          if (affinity < 0 && !negative[g]) negative[g] = Negative{i, j, affinity};
          d[i - part.begin] += rows.weights[j] * affinity;
        }
    }
  });
  for (const auto& found : negative)
    if (found)
      throw Error(ErrorCode::invalid_data,
                  fmt::format("the affinity of rows {} and {} is {:g}", rows.numbers[found->i] + 1,
                              rows.numbers[found->j] + 1, found->value),
                  {.owner = "spectral", .hint = "affinities are numbers ≥ 0, as of rbf"});
  for (std::size_t i = 0; i < d.size(); ++i)
    if (!(d[i] > 0))
      throw Error(ErrorCode::invalid_data,
                  fmt::format("row {} has the affinity 0 with every row", rows.numbers[part.begin + i] + 1),
                  {.owner = "spectral", .hint = "leave it out or take another kernel"});
  return d;
}

Fitted cluster_places(const Training& training, const Rows& rows, std::size_t k, std::size_t starts,
                      std::span<const double> d, const KernelEigen& eigen) {
  const std::size_t n = rows.size();
  check_positive(eigen, k);
  // W^½ does not change directions.
  const SphereMeans found = sphere_means(eigen.pairs.vectors, k, rows.weights, starts, training.options.seed);
  std::vector<double> coefficients(n * k, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < k; ++c)
      for (std::size_t a = 0; a < k; ++a)
        coefficients[i * k + c] += std::sqrt(rows.weights[i] / d[i]) * eigen.pairs.vectors[i * k + a] /
                                   eigen.pairs.values[a] * found.centres[c * k + a];
  Fitted fitted =
      expand(training, rows, std::move(coefficients), std::vector<double>(k, 0), Rule::one_vs_rest);
  FitReport& report = fitted.report;
  report.converged = eigen.pairs.converged && found.converged;
  report.objective = found.objective;
  report.certificate = CertificateKind::relative_residual;
  report.violation = relative_residual(eigen.pairs);
  report.tolerance = training.tolerance;
  report.iterations = eigen.pairs.products;
  report.solver = eigen.way;
  report.diagnostics.push_back(
      {.id = "eigenvalues",
       .label = "eigenvalue",
       .values = {eigen.pairs.values.begin(), eigen.pairs.values.begin() + std::ptrdiff_t(k)},
       .list = true});
  name_clusters(fitted, found.assignment, k);
  return fitted;
}

Fitted SpectralClustering::fit(const Training& training) const {
  Watch watch(training.options);
  const Rows rows(training);
  const std::size_t k = std::size_t(clusters);
  check_cluster_count(name, k, rows.size());
  const std::vector<double> d =
      affinity_degrees({training.kernel, rows.points, rows.weights, rows.numbers}, {0, rows.size()},
                       training.options.threads, watch.progress(0, 0.2));
  const KernelEigen eigen = leading_affinities(training, rows, d, k, watch.progress(0.2, 0.9));
  Fitted fitted = cluster_places(training, rows, k, std::size_t(restarts), d, eigen);
  fitted.report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer

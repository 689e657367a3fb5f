// Kernel PCA. With u the eigenvectors of HKH (H = I − 11ᵀ/n) and λ their values, the direction of component c
// is Σᵢ A_ic (φ(xᵢ) − mean) with A_c = u_c/√λ_c, of length 1, and the coordinate of a new row
//   z_c(x) = Σᵢ A_ic (k(xᵢ, x) − mean of k(·, x) − mᵢ + mean of m),   mᵢ = (1/n) Σⱼ k(xᵢ, xⱼ).
// HKH·1 = 0, so u_c is orthogonal to 1 and Σᵢ A_ic = 0: what does not depend on i vanishes, and
//   z_c(x) = Σᵢ A_ic k(xᵢ, x) − Σᵢ A_ic mᵢ.
// Rows of weight w count w times: means are Σwφ/Σw, the eigenvectors those of W^½HKHᵀW^½, A_ic =
// √wᵢ·u_ic/√λ_c.
//
// Over features the directions are Σᵢ A_ic φ(xᵢ), vectors of the features' own space.
#include "mercer/methods/pca.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "kernels/linear_form.hpp"
#include "mercer/error.hpp"
#include "methods/pca_components.hpp"
#include "operators/row_features.hpp"

namespace mercer {

namespace {

// Those that rounding lets one tell from 0, of eigenvalues that fall. Where all are asked for the bound is
// above what rounding leaves, and scikit-learn's: beyond it directions mean nothing.
std::size_t rank_of(const KernelEigen& eigen, bool all) {
  const std::vector<double>& values = eigen.pairs.values;
  const double least = all ? std::max(1e-12 * values[0], 2e-13 * eigen.mass) : 1e-13 * eigen.mass;
  return std::size_t(std::ranges::find_if(values, [&](double value) { return !(value > least); }) -
                     values.begin());
}

void keep_leading(EigenPairs& pairs, std::size_t count) {
  const std::size_t width = pairs.values.size(), n = pairs.vectors.size() / width;
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(pairs.vectors.begin() + std::ptrdiff_t(i * width), count,
                pairs.vectors.begin() + std::ptrdiff_t(i * count));
  pairs.vectors.resize(n * count);
  pairs.values.resize(count);
  pairs.residuals.resize(count);
}

}  // namespace

void keep_components(KernelEigen& eigen, std::size_t count, bool centred) {
  const bool all = count == 0;
  const std::size_t rank = rank_of(eigen, all);
  const auto around = centred ? "their mean" : "the origin";
  if (rank < count)
    throw Error(ErrorCode::rank_deficient,
                fmt::format("{} components, but in feature space the rows span only {} dimension{} around {}",
                            count, rank, rank == 1 ? "" : "s", around),
                {.owner = "pca", .hint = fmt::format("ask for at most {}", rank)});
  if (rank == 0)
    throw Error(ErrorCode::rank_deficient,
                fmt::format("all rows coincide in feature space with {}: there are no components", around),
                {.owner = "pca"});
  if (all) keep_leading(eigen.pairs, rank);
}

namespace {

// `count`: 0 for as many as there are.
KernelEigen principal_axes(const Training& training, const Rows& rows, std::size_t count, bool centred,
                           Watch& watch) {
  const std::size_t most = rows.size() - centred;
  if (count > most)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} components of {} row{}", count, rows.size(), rows.size() == 1 ? "" : "s"),
                {.owner = "pca", .hint = fmt::format("there are at most {}", most)});
  const FitOptions& o = training.options;
  KernelEigenOptions options{.centred = centred,
                             .tolerance = training.tolerance,
                             .memory = o.memory,
                             .threads = o.threads,
                             .seed = o.seed,
                             .progress = watch.progress(0, 1)};
  if (rows.weighted())
    for (const double weight : rows.weights) options.scale.push_back(std::sqrt(weight));
  const bool all = count == 0;
  const std::size_t wanted = all ? most : count,
                    found = rows.features ? std::min(wanted, rows.features->features()) : wanted;
  if (found == 0)
    throw Error(ErrorCode::rank_deficient, "there are no components of one row around its mean",
                {.owner = "pca"});
  KernelEigen eigen = rows.features ? feature_eigenpairs(*rows.features, found, options)
                                    : kernel_eigenpairs(training.kernel, rows.points, found, options);
  keep_components(eigen, count, centred);
  return eigen;
}

// What Σ wφ(x)/Σw, the mean that the coordinates begin from, is made of: the mean row itself under the linear
// kernel, the mean of the features where the model is over them, otherwise the share of each row.
std::vector<double> mean_of(const Rows& rows, bool linear, bool over_features) {
  double total = 0;
  for (const double weight : rows.weights) total += weight;
  std::vector<double> shares;
  for (const double weight : rows.weights) shares.push_back(weight / total);
  if (over_features) {
    std::vector<double> mean(rows.features->features());
    rows.features->multiply_transposed(shares, 1, mean);
    return mean;
  }
  if (!linear) return shares;
  std::vector<double> mean(rows.points.cols(), 0), row(mean.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows.points.copy_row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) mean[j] += shares[i] * row[j];
  }
  return mean;
}

void report_variances(const KernelEigen& eigen, FitReport& report) {
  const auto& values = eigen.pairs.values;
  const double explained = std::accumulate(values.begin(), values.end(), 0.0);
  std::vector<double> ratios;
  for (const double value : values) ratios.push_back(value / eigen.trace);
  report.diagnostics.push_back({.id = "eigenvalues", .label = "eigenvalue", .values = values, .list = true});
  report.diagnostics.push_back({.id = "explained_variance_ratio",
                                .label = "explained variance ratio",
                                .values = std::move(ratios),
                                .list = true});
  report.add("explained_variance_ratio_sum", "explained variance ratio, sum", explained / eigen.trace);
  report.objective = eigen.trace - explained;  // Σ of the squared distances from the span of the components
}

// Coordinates of centred points do not change with the mean of the kernel: each column sums to 0. Of a small
// eigenvalue rounding leaves a sum that is large beside it.
void centre_columns(std::vector<double>& A, const std::vector<double>& weights) {
  const std::size_t n = weights.size(), count = A.size() / n;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t c = 0; c < count; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += A[i * count + c];
    for (std::size_t i = 0; i < n; ++i) A[i * count + c] -= weights[i] / total * sum;
  }
}

}  // namespace

Fitted components_of(const Training& training, const Rows& rows, const KernelEigen& eigen, bool centre) {
  const std::size_t n = rows.size();
  const bool linear = is_dot_product(training.kernel);
  const std::size_t count = eigen.pairs.values.size();
  std::vector<double> A(n * count), rho(count, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < count; ++c)
      A[i * count + c] =
          std::sqrt(rows.weights[i] / eigen.pairs.values[c]) * eigen.pairs.vectors[i * count + c];
  if (centre) {
    centre_columns(A, rows.weights);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < count; ++c) rho[c] += A[i * count + c] * eigen.means[i];
  }
  Fitted fitted{.expansion = {.kernel = training.kernel}, .rule = Rule::projection};
  if (linear || training.over_features) {
    fitted = expand(training, rows, std::move(A), std::move(rho), Rule::projection);
  } else {  // all rows stay: the mean is made of them
    fitted.expansion = {.kernel = training.kernel,
                        .points = rows.points,
                        .blocks = {n},
                        .width = count,
                        .coefficients = std::move(A)};
    fitted.rho = std::move(rho);
    fitted.support.rows = rows.numbers;
  }
  if (centre) fitted.centre = mean_of(rows, linear, training.over_features);
  FitReport& report = fitted.report;
  report.converged = eigen.pairs.converged;
  report.certificate = CertificateKind::relative_residual;
  report.violation = relative_residual(eigen.pairs);
  report.tolerance = training.tolerance;
  report.iterations = eigen.pairs.products;
  report.support_vectors = n;
  if (rows.features) report.plan = {FitPlan::Way::primal, rows.features->features()};
  report.solver = eigen.way;
  report_variances(eigen, report);
  return fitted;
}

Fitted Pca::fit(const Training& training) const {
  Watch watch(training.options);
  const Rows rows(training);
  const KernelEigen eigen = principal_axes(training, rows, std::size_t(components), centred, watch);
  Fitted fitted = components_of(training, rows, eigen, centred);
  fitted.report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer

#include "mercer/validity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/sample.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "solvers/alignment.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

using Verdict = Validity::Verdict;

// Both halves are computed, so that a user's kernel that is not symmetric is seen.
std::vector<double> whole_matrix(const Kernel& kernel, const Points& points, const ValidityOptions& options) {
  std::vector<double> K(points.rows() * points.rows());
  Gram<double>(kernel, points, points, {.threads = options.threads, .progress = options.progress}).matrix(K);
  return K;
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

double rounding(const Eigen& eigen) { return 10 * double(eigen.values.size()) * 1.1e-16 * largest_magnitude(eigen.values); }

bool indefinite(const Kernel& kernel, const Points& points, const ValidityOptions& options) {
  if (kernel.properties().psd) return false;
  const Eigen eigen = symmetric_eigen(whole_matrix(kernel, points, options), points.rows(), false);
  return eigen.values.front() < -rounding(eigen);
}

// Descends into the first part that is indefinite by itself, on the points that the part sees.
std::string smallest_indefinite(const Kernel& kernel, const Points& points, const ValidityOptions& options) {
  const Points inside = kernel.node().points_inside(points);
  for (const Kernel& part : kernel.parts())
    if (indefinite(part, inside, options)) return smallest_indefinite(part, inside, options);
  return kernel.text();
}

// The eigenvector of the smallest eigenvalue is a witness with n entries. Its largest entries often do alone:
// the fewest rows whose own matrix already has a clearly negative eigenvalue.
Validity::Witness find_witness(std::span<const double> K, std::size_t n, const Eigen& eigen, double tolerance,
                               const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return std::abs(eigen.vectors[i * n]); });
  for (std::size_t m = 1;; m = m < 4 ? m + 1 : std::min(n, 2 * m)) {
    std::vector<double> part(m * m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) part[i * m + j] = K[order[i] * n + order[j]];
    const Eigen small = symmetric_eigen(part, m, true);
    if (small.values.front() >= -tolerance && m < n) continue;
    Validity::Witness witness;
    for (std::size_t i = 0; i < m; ++i) {
      witness.rows.push_back(rows[order[i]]);
      witness.coefficients.push_back(small.vectors[i * m]);
    }
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) witness.value += witness.coefficients[i] * part[i * m + j] * witness.coefficients[j];
    return witness;
  }
}

double reconstruction_error(std::span<const double> K, std::size_t n, const Eigen& eigen) {
  std::vector<double> P(n * n), product(n * n);  // P: row r is √λᵣ times eigenvector r
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = 0; r < n; ++r) P[r * n + i] = std::sqrt(std::max(0.0, eigen.values[r])) * eigen.vectors[i * n + r];
  const SingleThreadedBlas one_thread;
  blas().dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, blasint(n), blasint(n), blasint(n), 1, P.data(), blasint(n),
              P.data(), blasint(n), 0, product.data(), blasint(n));
  double difference = 0, norm = 0;
  for (std::size_t e = 0; e < n * n; ++e) {
    difference += (K[e] - product[e]) * (K[e] - product[e]);
    norm += K[e] * K[e];
  }
  return norm > 0 ? std::sqrt(difference / norm) : 0;
}

// Centred alignment ⟨Kc, YYᵀ⟩ / (‖Kc‖ ‖YYᵀ‖) with Y the centred target, one column a class or output. Cortes, Mohri &
// Rostamizadeh 2012
double centred_alignment(std::vector<double> K, std::size_t n, const Target& target, const std::vector<std::size_t>& rows) {
  std::vector<double> means(n);
  for (std::size_t i = 0; i < n; ++i) means[i] = std::accumulate(&K[i * n], &K[i * n] + n, 0.0) / double(n);
  const double all = std::accumulate(means.begin(), means.end(), 0.0) / double(n);
  const std::vector<double> Y = centred_target(target, rows);
  const std::size_t columns = Y.size() / n;
  double both = 0, kernel = 0, labels = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double k = K[i * n + j] - means[i] - means[j] + all;
      const double y = std::inner_product(&Y[i * columns], &Y[i * columns] + columns, &Y[j * columns], 0.0);
      both += k * y;
      kernel += k * k;
      labels += y * y;
    }
  return kernel > 0 && labels > 0 ? both / std::sqrt(kernel * labels) : 0;
}

/// How similar different points are: |k(x,z)| / √(k(x,x) k(z,z)) over pairs x ≠ z.
struct OffDiagonal {
  double largest = 0, mean = 0, smallest = 1;
};

OffDiagonal off_diagonal(std::span<const double> K, std::size_t n) {
  OffDiagonal seen;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double scale = std::sqrt(std::abs(K[i * n + i] * K[j * n + j]));
      const double similarity = scale > 0 ? std::abs(K[i * n + j]) / scale : 0;
      seen.largest = std::max(seen.largest, similarity);
      seen.smallest = std::min(seen.smallest, similarity);
      seen.mean += similarity / (0.5 * double(n) * double(n - 1));
    }
  return seen;
}

bool all_equal(std::span<const double> K) {
  const auto [low, high] = std::ranges::minmax(K);
  return high - low <= 1e-9 * std::max(std::abs(low), std::abs(high));
}

void judge_usefulness(Validity& v, std::span<const double> K, std::size_t n, bool sampled_target) {
  if (n < 2) return;
  const OffDiagonal seen = off_diagonal(K, n);
  if (all_equal(K)) {
    v.verdict = Verdict::useless;
    v.reason = "the Gram matrix is constant: every point looks like every other, so every prediction would be the "
               "same; no generalisation possible";
  } else if (seen.largest <= 1e-9) {
    v.verdict = Verdict::useless;
    v.reason = "the Gram matrix is diagonal: no point looks like any other, so nothing learned from one carries over "
               "to the next; no generalisation possible";
  } else if (seen.mean < 1e-2) {
    v.warnings.push_back(fmt::format("nearly diagonal: different points have a mean similarity of {:.2g}; the kernel is "
                                     "too narrow (a smaller gamma, a larger width) or the data are not scaled", seen.mean));
  } else if (seen.smallest > 1 - 1e-3) {
    v.warnings.push_back(fmt::format("nearly constant: all similarities are above {:.4f}; the kernel is too wide (a "
                                     "larger gamma, a smaller width) or the data are not scaled", seen.smallest));
  }
  if (sampled_target && v.alignment && std::abs(*v.alignment) < 0.01 && v.verdict != Verdict::useless)
    v.warnings.push_back(fmt::format("alignment with the target is only {:.3f}: similar points hardly share their target", *v.alignment));
}

void judge_validity(Validity& v, std::span<const double> K, const Points& points, const Eigen& eigen, const ValidityOptions& options) {
  const std::size_t n = points.rows();
  if (!v.symmetric) {
    v.verdict = Verdict::invalid;
    v.reason = fmt::format("not symmetric: k(x, z) and k(z, x) differ by up to {:.3g} of the largest value", v.asymmetry);
  } else if (!v.proof.psd && eigen.values.front() < -v.tolerance) {
    v.verdict = Verdict::invalid;
    v.witness = find_witness(K, n, eigen, v.tolerance, v.rows);
    v.culprit = smallest_indefinite(v.kernel, points, options);
    v.reason = fmt::format("not positive semidefinite: the smallest eigenvalue is {:.6g}", eigen.values.front());
  } else if (!v.proof.psd) {
    v.verdict = Verdict::not_proved;
    v.reason = fmt::format("{}; no violation was seen on {} rows", v.proof.because, n);
  } else {
    v.reason = fmt::format("proved: {}", v.proof.because);
  }
}

}  // namespace

Validity check_kernel(const Kernel& kernel, const Points& points, const Target& target, const ValidityOptions& options) {
  if (points.rows() == 0) throw Error(ErrorKind::data, "there are no rows to check the kernel on");
  if (options.sample == 0) throw Error(ErrorKind::usage, "the sample must have at least 1 row");
  const Kernel resolved = kernel.resolve(points);
  Validity v{.kernel = resolved, .proof = resolved.prove(), .rows = sampled_rows(points.rows(), options.sample, options.seed)};
  const Points sample = points.select_rows(v.rows);
  const std::size_t n = v.rows.size();
  const std::vector<double> K = whole_matrix(resolved, sample, options);
  const double largest = largest_magnitude(K);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) v.asymmetry = std::max(v.asymmetry, std::abs(K[i * n + j] - K[j * n + i]) / (largest > 0 ? largest : 1));
  v.symmetric = v.asymmetry <= 1e-12;
  const Eigen eigen = symmetric_eigen(K, n, true);
  v.eigenvalues = eigen.values;
  v.tolerance = rounding(eigen);
  v.factor_error = reconstruction_error(K, n, eigen);
  double sum = 0, squares = 0;
  for (const double value : eigen.values) sum += std::abs(value), squares += value * value;
  v.effective_rank = squares > 0 ? sum * sum / squares : 0;
  if (target.kind != Target::Kind::none && n > 1) v.alignment = centred_alignment(K, n, target, v.rows);
  judge_validity(v, K, sample, eigen, options);
  if (v.verdict == Verdict::valid || v.verdict == Verdict::not_proved) judge_usefulness(v, K, n, target.kind != Target::Kind::none);
  return v;
}

}  // namespace mercer

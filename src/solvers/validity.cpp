#include "mercer/validity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
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
  KernelOperator<double>(kernel, points, points, {.threads = options.threads, .progress = options.progress})
      .matrix(K);
  return K;
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

double rounding(const Eigen& eigen) {
  return 10 * double(eigen.values.size()) * 1.1e-16 * largest_magnitude(eigen.values);
}

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
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return std::abs(eigen.vectors[i * n]); });
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
      for (std::size_t j = 0; j < m; ++j)
        witness.value += witness.coefficients[i] * part[i * m + j] * witness.coefficients[j];
    return witness;
  }
}

double reconstruction_error(std::span<const double> K, std::size_t n, const Eigen& eigen) {
  std::vector<double> P(n * n), product(n * n);  // P: row r is √λᵣ times eigenvector r
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = 0; r < n; ++r)
      P[r * n + i] = std::sqrt(std::max(0.0, eigen.values[r])) * eigen.vectors[i * n + r];
  const SingleThreadedBlas one_thread;
  gemm(CblasTrans, CblasNoTrans, n, n, n, 1, P.data(), n, P.data(), n, 0, product.data(), n);
  double difference = 0, norm = 0;
  for (std::size_t e = 0; e < n * n; ++e) {
    difference += (K[e] - product[e]) * (K[e] - product[e]);
    norm += K[e] * K[e];
  }
  return norm > 0 ? std::sqrt(difference / norm) : 0;
}

// Centred alignment ⟨Kc, YYᵀ⟩ / (‖Kc‖ ‖YYᵀ‖) with Y the centred target, one column a class or output. Cortes,
// Mohri & Rostamizadeh 2012
double centred_alignment(std::vector<double> K, std::size_t n, const Target& target,
                         const std::vector<std::size_t>& rows) {
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

/// What the pairs of different rows say. Rows that the kernel cannot tell apart are one row, repeated.
struct DifferentRows {
  std::size_t pairs = 0, repeated = 0;                                // repeated: rows with a twin
  double low = std::numeric_limits<double>::infinity(), high = -low;  // k(x, z)
  double mean = 0;                                                    // |k(x, z)| / √(k(x, x) k(z, z))
};

DifferentRows different_rows(std::span<const double> K, std::size_t n) {
  DifferentRows seen;
  std::vector<bool> twin(n, false);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double k = K[i * n + j], own = K[i * n + i] + K[j * n + j];
      if (own - 2 * k <= 1e-12 * std::abs(own)) {
        twin[i] = twin[j] = true;
        continue;
      }
      const double scale = std::sqrt(std::abs(K[i * n + i] * K[j * n + j]));
      sum += scale > 0 ? std::abs(k) / scale : 0;
      seen.low = std::min(seen.low, k);
      seen.high = std::max(seen.high, k);
      ++seen.pairs;
    }
  seen.mean = seen.pairs > 0 ? sum / double(seen.pairs) : 0;
  seen.repeated = std::size_t(std::ranges::count(twin, true));
  return seen;
}

bool all_equal(std::span<const double> K) {
  const auto [low, high] = std::ranges::minmax(K);
  return high - low <= 1e-9 * std::max(std::abs(low), std::abs(high));
}

// "a smaller gamma, a larger length": how the kernel's own parameters make it wider, or narrower.
std::string width_advice(const Kernel& kernel, bool wider) {
  std::vector<std::string> words;
  const std::function<void(const Kernel&)> visit = [&](const Kernel& part) {
    if (const Leaf* leaf = part.node().leaf())
      for (const Leaf::Parameter& parameter : leaf->parameters()) {
        if (!parameter.role || !parameter.get(*leaf)) continue;
        const bool inverse = *parameter.role != Role::length;
        const std::string word =
            fmt::format("a {} {}", wider == inverse ? "smaller" : "larger", parameter.name);
        if (std::ranges::find(words, word) == words.end()) words.push_back(word);
      }
    for (const Kernel& inside : part.parts()) visit(inside);
  };
  visit(kernel);
  return words.empty() ? "" : fmt::format(" ({})", fmt::join(words, ", "));
}

std::string repeated_text(std::size_t repeated) {
  return repeated == 0 ? "" : fmt::format("apart from {} repeated rows, ", repeated);
}

void warn_of_extremes(Validity& v, std::span<const double> K, const DifferentRows& seen) {
  const auto [low, high] = std::ranges::minmax(K);
  const double largest = std::max(std::abs(low), std::abs(high));
  const std::string or_scale = " or the data are not scaled";
  if (seen.mean < 1e-2) {
    const std::string advice = width_advice(v.kernel, true);
    v.warnings.push_back(fmt::format(
        "nearly diagonal: different rows have a mean similarity of {:.2g}; the kernel is too narrow{}{}",
        seen.mean, advice, advice.empty() ? " for these rows" : or_scale));
  } else if (high - low < 1e-3 * largest) {
    const std::string advice = width_advice(v.kernel, false);
    v.warnings.push_back(
        fmt::format("nearly constant: the similarities of all rows differ by only {:.2g} of the largest; the "
                    "kernel is too wide{}{}",
                    (high - low) / largest, advice, or_scale));
  }
}

/// High powers of unscaled columns: beside the largest values of K the others are rounding.
void warn_of_range(Validity& v, std::span<const double> K, std::size_t n) {
  std::vector<double> own;
  for (std::size_t i = 0; i < n; ++i) own.push_back(std::abs(K[i * n + i]));
  std::ranges::sort(own);
  const double median = own[n / 2], largest = own.back();
  if (largest <= 1e30 && largest <= 1e8 * median) return;
  v.warnings.push_back(
      fmt::format("k(x, x) is {:.2g} for half of the rows and up to {:.2g}: in float64 smaller values are "
                  "lost to rounding; scale "
                  "the columns, lower the degree, or use normalize({})",
                  median, largest, v.kernel.text()));
}

void judge_usefulness(Validity& v, std::span<const double> K, std::size_t n, bool sampled_target) {
  if (n < 2) return;
  warn_of_range(v, K, n);
  const DifferentRows seen = different_rows(K, n);
  const double largest = largest_magnitude(K);
  const bool same = seen.high - seen.low <= 1e-9 * largest,
             zero = std::max(std::abs(seen.low), std::abs(seen.high)) <= 1e-9 * largest;
  // One pair is the same as itself; a single 0 says as much as many.
  const bool alike = seen.pairs > 0 && ((same && seen.pairs > 1) || zero);
  const std::string apart = repeated_text(seen.repeated);
  if (all_equal(K)) {
    v.verdict = Verdict::useless;
    v.reason =
        "the Gram matrix is constant: every row looks like every other, so every prediction would be the "
        "same; no generalisation possible";
  } else if (alike && 2 * seen.repeated <= n) {
    v.verdict = Verdict::useless;
    v.reason = zero ? fmt::format(
                          "{}the Gram matrix is diagonal: no row looks like any other, so nothing learned "
                          "from one carries over "
                          "to the next; no generalisation possible",
                          apart)
                    : fmt::format(
                          "{}the Gram matrix is constant off its diagonal ({:.6g}): every two different rows "
                          "are equally similar, so "
                          "every new row would get the same prediction; no generalisation possible",
                          apart, seen.high);
  } else if (alike) {
    v.warnings.push_back(
        fmt::format("every two different rows are equally similar: only the {} repeated rows (of {}) tell "
                    "anything about each "
                    "other, and a row that is like none of them gets the same prediction as any other",
                    seen.repeated, n));
  } else if (v.verdict != Verdict::conditional) {  // there k(x, x) says nothing
    warn_of_extremes(v, K, seen);
  }
  if (sampled_target && v.alignment && std::abs(*v.alignment) < 0.01 && v.verdict != Verdict::useless)
    v.warnings.push_back(fmt::format(
        "alignment with the target is only {:.3f}: similar points hardly share their target", *v.alignment));
}

// An orthonormal basis of the polynomials of degree below `order` (1 or 2) on the points, each n numbers.
std::vector<std::vector<double>> polynomials(const Points& points, int order) {
  const std::size_t n = points.rows();
  std::vector<std::vector<double>> all{std::vector<double>(n, 1)}, basis;
  for (std::size_t k = 0; k < points.cols() && order > 1; ++k) all.emplace_back(n);
  for (std::size_t i = 0; i < n && order > 1; ++i) {
    const std::vector<double> row = points.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) all[k + 1][i] = row[k];
  }
  for (std::vector<double>& column : all) {
    const double length = std::sqrt(std::inner_product(column.begin(), column.end(), column.begin(), 0.0));
    for (int pass = 0; pass < 2; ++pass)  // the second removes what rounding left
      for (const std::vector<double>& q : basis) {
        const double along = std::inner_product(column.begin(), column.end(), q.begin(), 0.0);
        for (std::size_t i = 0; i < n; ++i) column[i] -= along * q[i];
      }
    const double left = std::sqrt(std::inner_product(column.begin(), column.end(), column.begin(), 0.0));
    if (!(left > 1e-10 * length)) continue;
    for (double& value : column) value /= left;
    basis.push_back(column);
  }
  return basis;
}

// The least cᵀKc/‖c‖² over the c orthogonal to the polynomials: the least eigenvalue of (I − QQᵀ)K(I − QQᵀ) +
// λQQᵀ with λ above all others. None where no c is left.
std::optional<double> smallest_under_condition(std::span<const double> K, const Points& points, int order,
                                               const Eigen& eigen) {
  const std::size_t n = points.rows();
  const std::vector<std::vector<double>> basis = polynomials(points, order);
  if (basis.size() >= n) return std::nullopt;
  std::vector<double> projected(K.begin(), K.end());
  const auto project_rows = [&] {  // each row r becomes r − Σ (rᵀq)q, and the matrix is transposed
    std::vector<double> transposed(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      double* const row = projected.data() + i * n;
      for (const std::vector<double>& q : basis) {
        const double along = std::inner_product(row, row + n, q.begin(), 0.0);
        for (std::size_t j = 0; j < n; ++j) row[j] -= along * q[j];
      }
      for (std::size_t j = 0; j < n; ++j) transposed[j * n + i] = row[j];
    }
    projected = std::move(transposed);
  };
  project_rows();
  project_rows();
  const double above = 2 * largest_magnitude(eigen.values) + 1;
  for (const std::vector<double>& q : basis)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) projected[i * n + j] += above * q[i] * q[j];
  return symmetric_eigen(projected, n, false).values.front();
}

void judge_validity(Validity& v, std::span<const double> K, const Points& points, const Eigen& eigen,
                    const ValidityOptions& options) {
  const std::size_t n = points.rows();
  if (!v.symmetric) {
    v.verdict = Verdict::invalid;
    v.reason = fmt::format("not symmetric: k(x, z) and k(z, x) differ by up to {:.3g} of the largest value",
                           v.asymmetry);
  } else if (const int order = v.kernel.properties().conditional_order; order > 0 && !v.proof.psd) {
    v.verdict = Verdict::conditional;
    v.conditional_minimum = smallest_under_condition(K, points, order, eigen);
    v.reason = order == 1
                   ? fmt::format(
                         "{}: cᵀKc ≥ 0 for all c that sum to 0, which is enough for support vector "
                         "machines, ridge with a free bias and mmd; center({}) is positive semidefinite",
                         v.proof.because, v.kernel.text())
                   : fmt::format(
                         "{}: cᵀKc ≥ 0 for all c that are orthogonal to 1 and to every column; no "
                         "method's coefficients are",
                         v.proof.because);
  } else if (!v.proof.psd && eigen.values.front() < -v.tolerance) {
    v.verdict = Verdict::invalid;
    v.witness = find_witness(K, n, eigen, v.tolerance, v.rows);
    v.culprit = smallest_indefinite(v.kernel, points, options);
    v.reason =
        fmt::format("not positive semidefinite: the smallest eigenvalue is {:.6g}", eigen.values.front());
  } else if (!v.proof.psd) {
    v.verdict = Verdict::not_proved;
    v.reason = fmt::format("{}; no violation was seen on {} rows", v.proof.because, n);
  } else {
    v.reason = fmt::format("proved: {}", v.proof.because);
  }
}

}  // namespace

Validity check_kernel(const Kernel& kernel, const Points& points, const Target& target,
                      const ValidityOptions& options) {
  if (points.rows() == 0) throw Error(ErrorCode::invalid_data, "there are no rows to check the kernel on");
  if (options.sample == 0) throw Error(ErrorCode::invalid_argument, "the sample must have at least 1 row");
  const Kernel resolved = kernel.resolve(points);
  Validity v{.kernel = resolved,
             .proof = resolved.prove(),
             .rows = sampled_rows(points.rows(), options.sample, options.seed)};
  const Points sample = points.select_rows(v.rows);
  const std::size_t n = v.rows.size();
  const std::vector<double> K = whole_matrix(resolved, sample, options);
  const double largest = largest_magnitude(K);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      v.asymmetry =
          std::max(v.asymmetry, std::abs(K[i * n + j] - K[j * n + i]) / (largest > 0 ? largest : 1));
  v.symmetric = v.asymmetry <= 1e-12;
  const Eigen eigen = symmetric_eigen(K, n, true);
  v.eigenvalues = eigen.values;
  v.tolerance = rounding(eigen);
  v.factor_error = reconstruction_error(K, n, eigen);
  double sum = 0, squares = 0;
  for (const double value : eigen.values) sum += std::abs(value), squares += value * value;
  v.effective_rank = squares > 0 ? sum * sum / squares : 0;
  if (target.task != Task::none && n > 1) v.alignment = centred_alignment(K, n, target, v.rows);
  judge_validity(v, K, sample, eigen, options);
  if (v.verdict == Verdict::valid || v.verdict == Verdict::not_proved || v.verdict == Verdict::conditional)
    judge_usefulness(v, K, n, target.task != Task::none);
  return v;
}

}  // namespace mercer

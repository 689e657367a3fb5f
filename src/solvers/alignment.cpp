#include "solvers/alignment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/kernel_backend.hpp"

namespace mercer {

namespace {

constexpr std::size_t strip_rows = 16;

/// Of each row of K, and of all of K.
struct Means {
  std::vector<double> rows;
  double all = 0;
};

Means means_of(const KernelOperator<double>& gram, int threads) {
  const std::size_t n = gram.rows();
  const Blocks strips{n, strip_rows};
  Means means{std::vector<double>(n)};
  parallel_for(strips.count(), threads, [&](std::size_t s) {
    const Range rows = strips[s];
    std::vector<double> tile(rows.size() * n);
    gram.tile(rows, {0, n}, tile);
    for (std::size_t i = 0; i < rows.size(); ++i)
      means.rows[rows.begin + i] = std::accumulate(&tile[i * n], &tile[i * n] + n, 0.0) / double(n);
  });
  means.all = std::accumulate(means.rows.begin(), means.rows.end(), 0.0) / double(n);
  return means;
}

}  // namespace

std::vector<double> centred_target(const Target& target, std::span<const std::size_t> rows) {
  const std::size_t n = rows.size(),
                    columns = target.task == Task::classification ? target.labels.size() : target.outputs;
  std::vector<double> Y(n * columns);
  for (std::size_t i = 0; i < n; ++i) {
    if (target.task == Task::classification)
      Y[i * columns + std::size_t(target.codes[rows[i]])] = 1;
    else
      std::copy_n(&target.values[rows[i] * columns], columns, &Y[i * columns]);
  }
  for (std::size_t c = 0; c < columns; ++c) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += Y[i * columns + c] / double(n);
    for (std::size_t i = 0; i < n; ++i) Y[i * columns + c] -= mean;
  }
  return Y;
}

Alignments alignments(std::span<const Kernel> kernels, const Points& points, std::span<const double> Y,
                      int threads, const Progress& progress) {
  const std::size_t p = kernels.size(), n = points.rows(), columns = n > 0 ? Y.size() / n : 0, all = p + 1;
  std::vector<KernelOperator<double>> grams;
  std::vector<Means> means;
  for (const Kernel& kernel : kernels) {
    grams.emplace_back(kernel, points, OperatorOptions{.threads = threads});
    means.push_back(means_of(grams.back(), threads));
  }
  const Blocks strips{n, strip_rows};
  std::vector<double> partial(strips.count() * all * all);  // a part for each strip, added up in their order
  parallel_for(strips.count(), threads, progress, "alignment with the target", [&](std::size_t s) {
    const SingleThreadedBlas one_thread;
    const Range rows = strips[s];
    const std::size_t size = rows.size() * n;
    std::vector<double> T(all * size);  // a strip of each HKₘH, and of YYᵀ
    for (std::size_t k = 0; k < p; ++k) {
      const std::span<double> tile(&T[k * size], size);
      grams[k].tile(rows, {0, n}, tile);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < n; ++j)
          tile[i * n + j] -= means[k].rows[rows.begin + i] + means[k].rows[j] - means[k].all;
    }
    gemm(CblasNoTrans, CblasTrans, rows.size(), n, columns, 1, &Y[rows.begin * columns], columns, Y.data(),
         columns, 0, &T[p * size], n);
    gemm(CblasNoTrans, CblasTrans, all, all, size, 1, T.data(), size, T.data(), size, 0,
         &partial[s * all * all], all);
  });
  std::vector<double> sums(all * all);
  for (std::size_t s = 0; s < strips.count(); ++s)
    for (std::size_t e = 0; e < all * all; ++e) sums[e] += partial[s * all * all + e];
  Alignments found{std::vector<double>(p * p), std::vector<double>(p), sums.back()};
  for (std::size_t k = 0; k < p; ++k) {
    std::copy_n(&sums[k * all], p, &found.products[k * p]);
    found.agreement[k] = sums[k * all + p];
  }
  return found;
}

double centred_variance(const Kernel& kernel, const Points& points, int threads) {
  const std::size_t n = points.rows();
  const KernelOperator<double> gram(kernel, points, {.threads = threads});
  std::vector<double> diagonal(n);
  gram.diagonal(diagonal);
  const Means means = means_of(gram, threads);
  // Entry by entry: where all of K is nearly one number, the difference of two means would say little.
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += diagonal[i] - 2 * means.rows[i] + means.all;
  return sum / double(n);
}

// Coordinate descent: each v in turn is the best for the others as they are.
std::vector<double> non_negative_minimum(std::span<const double> M, std::span<const double> a) {
  const std::size_t p = a.size();
  std::vector<double> v(p, 0.0), residual(a.begin(), a.end());  // a − Mv
  double largest = 0;
  for (const double agreement : a) largest = std::max(largest, std::abs(agreement));
  constexpr int most_sweeps = 100'000;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double moved = 0;
    for (std::size_t k = 0; k < p; ++k) {
      if (!(M[k * p + k] > 0)) continue;
      const double next = std::max(0.0, v[k] + residual[k] / M[k * p + k]), step = next - v[k];
      if (step == 0) continue;
      v[k] = next;
      for (std::size_t l = 0; l < p; ++l) residual[l] -= step * M[l * p + k];
      moved = std::max(moved, std::abs(step) * M[k * p + k]);
    }
    if (moved <= 1e-13 * largest) break;
  }
  return v;
}

}  // namespace mercer

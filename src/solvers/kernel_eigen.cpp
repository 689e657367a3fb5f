#include "solvers/kernel_eigen.hpp"

#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/blas.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

using Way = KernelEigenOptions::Way;
constexpr std::size_t always_dense = 400;  // rows up to which LAPACK is faster than any iteration

// D·H and Hᵀ·D, the two sides of A.
struct Sides {
  const KernelEigenOptions& options;
  std::size_t n;
  std::vector<double> weights;  // w/Σw, where centred

  Sides(const KernelEigenOptions& given, std::size_t rows) : options(given), n(rows) {
    if (!options.centred) return;
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) weights.push_back(scale(i) * scale(i)), total += weights.back();
    for (double& weight : weights) weight /= total;
  }
  double scale(std::size_t i) const { return options.scale.empty() ? 1 : options.scale[i]; }

  void before(std::vector<double>& V, std::size_t k) const {  // V ← HᵀDV
    std::vector<double> sums(k, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < k; ++c) sums[c] += V[i * k + c] *= scale(i);
    if (!options.centred) return;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < k; ++c) V[i * k + c] -= weights[i] * sums[c];
  }
  void after(double* V, std::size_t k) const {  // V ← DHV
    std::vector<double> means(k, 0);
    if (options.centred)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < k; ++c) means[c] += weights[i] * V[i * k + c];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < k; ++c) V[i * k + c] = scale(i) * (V[i * k + c] - means[c]);
  }
  // tr A = Σ wᵢ(kᵢᵢ − mean of row i), because HKHᵀ has the diagonal kᵢᵢ − 2mᵢ + Σ wⱼmⱼ/Σw.
  void trace(const Gram<double>& K, KernelEigen& result) const {
    std::vector<double> diagonal(n);
    K.diagonal(diagonal);
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = scale(i) * scale(i);
      result.trace += weight * (diagonal[i] - (options.centred ? result.means[i] : 0));
      result.mass += weight * std::abs(diagonal[i]);
    }
  }
};

void fix_signs(EigenPairs& pairs) {
  const std::size_t k = pairs.values.size();
  for (std::size_t c = 0; c < k; ++c) {
    double largest = 0;
    for (std::size_t e = c; e < pairs.vectors.size(); e += k)
      if (std::abs(pairs.vectors[e]) > std::abs(largest)) largest = pairs.vectors[e];
    if (largest < 0)
      for (std::size_t e = c; e < pairs.vectors.size(); e += k) pairs.vectors[e] = -pairs.vectors[e];
  }
}

// The leading pairs of the dense A (n × n), by LAPACK's relatively robust representations.
EigenPairs dense_eigenpairs(const std::vector<double>& A, std::size_t n, std::size_t count) {
  EigenPairs pairs;
  std::vector<double> copy = A, values(n), vectors(n * count);
  std::vector<lapack_int> support(2 * count);
  lapack_int found = 0;
  const auto size = lapack_int(n);
  if (LAPACKE_dsyevr(LAPACK_ROW_MAJOR, 'V', 'I', 'L', size, copy.data(), size, 0, 0, lapack_int(n - count + 1), size, 0, &found, values.data(), vectors.data(),
                     lapack_int(count), support.data()) != 0)
    throw Error(ErrorKind::data, "the eigenvalues of the Gram matrix could not be computed; has it non-finite entries?");
  pairs.vectors.resize(n * count);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < count; ++c) pairs.vectors[i * count + c] = vectors[i * count + count - 1 - c];
  for (std::size_t c = 0; c < count; ++c) pairs.values.push_back(values[count - 1 - c]);
  std::vector<double> product(n * count);
  cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, blasint(n), blasint(count), 1, A.data(), blasint(n), pairs.vectors.data(), blasint(count), 0, product.data(), blasint(count));
  for (std::size_t c = 0; c < count; ++c) {
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) squares += std::pow(product[i * count + c] - pairs.values[c] * pairs.vectors[i * count + c], 2);
    pairs.residuals.push_back(std::sqrt(squares));
  }
  pairs.converged = true;
  return pairs;
}

KernelEigen dense_way(const Kernel& kernel, const Points& points, std::size_t count, const KernelEigenOptions& options) {
  const std::size_t n = points.rows();
  const Sides sides(options, n);
  const SingleThreadedBlas one_thread;
  const Gram<double> K(kernel, points, {.threads = options.threads, .progress = options.progress});
  std::vector<double> A(n * n);
  K.matrix(A);
  KernelEigen result;
  if (options.centred) {
    result.means.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) result.means[i] += A[i * n + j] * sides.weights[j];
    double all = 0;
    for (std::size_t i = 0; i < n; ++i) all += sides.weights[i] * result.means[i];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) A[i * n + j] += all - result.means[i] - result.means[j];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] *= sides.scale(i) * sides.scale(j);
  result.pairs = dense_eigenpairs(A, n, count);
  sides.trace(K, result);
  result.way = "dense, LAPACK";
  return result;
}

// Progress of two stages whose number of passes is not known before: each pass takes a tenth of what is left.
class Passes {
 public:
  explicit Passes(const Progress& progress) : progress_(progress) {}
  Progress next() {
    if (!progress_) return {};
    begin_ = end_;
    end_ += 0.1 * (1 - end_);
    return [this](std::string_view what, double fraction) { return progress_(what, begin_ + (end_ - begin_) * fraction); };
  }
  bool report(std::string_view what) { return !progress_ || next()(what, 0); }

 private:
  const Progress& progress_;
  double begin_ = 0, end_ = 0;
};

[[noreturn]] void stop() { throw Error(ErrorKind::cancelled, "stopped before the end"); }

// A·V with values of K in T.
template <class T>
class Product {
 public:
  Product(const Gram<T>& K, const Sides& sides, Passes& passes) : K_(K), sides_(sides), passes_(passes) {}

  void operator()(const double* V, std::size_t k, double* out) {
    if (!passes_.report("eigenvectors")) stop();
    const std::size_t n = sides_.n;
    std::vector<double> U(V, V + n * k);
    sides_.before(U, k);
    const bool with_means = sizeof(T) == 8 && sides_.options.centred && means.empty();  // the row means come with the first pass
    const std::size_t width = k + with_means;
    std::vector<T> factor(n * width), product(n * width);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < k; ++c) factor[i * width + c] = T(U[i * k + c]);
      if (with_means) factor[i * width + k] = T(sides_.weights[i]);
    }
    K_.multiply(factor, width, product);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < k; ++c) out[i * k + c] = double(product[i * width + c]);
      if (with_means) means.push_back(double(product[i * width + k]));
    }
    sides_.after(out, k);
  }

  std::vector<double> means;

 private:
  const Gram<T>& K_;
  const Sides& sides_;
  Passes& passes_;
};

KernelEigen krylov_way(const Kernel& kernel, const Points& points, std::size_t count, const KernelEigenOptions& options) {
  const std::size_t n = points.rows();
  const Sides sides(options, n);
  Passes passes(options.progress);
  EigenPairs rough;
  bool held = false;
  {
    held = double(n) * double(n) * sizeof(float) <= double(options.memory);
    const Gram<float> K(kernel, points, {.storage = held ? GramOptions::Storage::held : GramOptions::Storage::recomputed, .memory = options.memory,
                                         .threads = options.threads, .progress = held ? passes.next() : Progress()});
    Product<float> product(K, sides, passes);
    rough = leading_eigenpairs(n, std::ref(product), count, {.tolerance = options.tolerance, .floor = 3e-7, .products = 100, .seed = options.seed});
  }
  const Gram<double> K(kernel, points, {.threads = options.threads});
  Product<double> product(K, sides, passes);
  KernelEigen result;
  result.pairs = leading_eigenpairs(n, std::ref(product), count, {.tolerance = options.tolerance, .products = 100, .seed = options.seed, .start = rough.vectors});
  result.means = std::move(product.means);
  sides.trace(K, result);
  result.way = fmt::format("block Lanczos, {} products in float32 ({}) and {} in float64", rough.products, held ? "K held" : "K recomputed", result.pairs.products);
  result.pairs.products += rough.products;
  return result;
}

}  // namespace

KernelEigen kernel_eigenpairs(const Kernel& kernel, const Points& points, std::size_t count, const KernelEigenOptions& options) {
  const std::size_t n = points.rows();
  const bool small = n <= always_dense || 2 * krylov_basis(count) >= n;
  const bool dense = options.way == Way::dense || (options.way == Way::automatic && small);
  const double bytes = 8 * double(n) * (dense ? 2 * double(n) : 2 * double(krylov_basis(count)));
  if (n > always_dense && bytes > double(options.memory))
    throw Error(ErrorKind::budget, fmt::format("{} eigenvectors of {} rows need {:.0f} MB beside the data, but {:.0f} MB are allowed; raise the memory or ask for fewer",
                                               count, n, bytes / 1e6, double(options.memory) / 1e6));
  KernelEigen result = dense ? dense_way(kernel, points, count, options) : krylov_way(kernel, points, count, options);
  fix_signs(result.pairs);
  return result;
}

}  // namespace mercer

#include "solvers/kernel_eigen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "mercer/progress.hpp"
#include "operators/product.hpp"
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
  void trace(const KernelOperator<double>& K, KernelEigen& result) const {
    std::vector<double> diagonal(n);
    K.diagonal(diagonal);
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = scale(i) * scale(i);
      result.trace += weight * (diagonal[i] - (options.centred ? result.means[i] : 0));
      result.mass += weight * std::abs(diagonal[i]);
    }
  }
};

void ask(const Progress& progress, std::string_view what, double fraction) {
  if (progress && !progress(what, fraction)) throw Error(ErrorCode::cancelled, "stopped before the end");
}

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

// The leading pairs of the dense A (n × n): some by LAPACK's bisection and inverse iteration, many by divide
// and conquer, which finds all in less time.
EigenPairs dense_eigenpairs(const std::vector<double>& A, std::size_t n, std::size_t count) {
  EigenPairs pairs;
  const std::size_t found = 5 * count > n ? n : count;
  std::vector<double> copy = A, values(found), leading(found < n ? n * count : 0);  // vectors: found × n
  if (!(found < n ? lapack::syevr(copy.data(), n, count, values.data(), leading.data())
                  : lapack::syevd(true, copy.data(), n, values.data())))
    throw Error(ErrorCode::invalid_data, "the eigenvalues of the Gram matrix could not be computed",
                {.hint = "has it non-finite entries?"});
  const std::vector<double>& vectors = found < n ? leading : copy;
  pairs.vectors.resize(n * count);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < count; ++c) pairs.vectors[i * count + c] = vectors[(found - 1 - c) * n + i];
  for (std::size_t c = 0; c < count; ++c) pairs.values.push_back(values[found - 1 - c]);
  std::vector<double> product(n * count);
  symm(CblasLeft, CblasLower, n, count, 1, A.data(), n, pairs.vectors.data(), count, 0, product.data(),
       count);
  for (std::size_t c = 0; c < count; ++c) {
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i)
      squares += std::pow(product[i * count + c] - pairs.values[c] * pairs.vectors[i * count + c], 2);
    pairs.residuals.push_back(std::sqrt(squares));
  }
  pairs.converged = true;
  return pairs;
}

KernelEigen dense_way(const Kernel& kernel, const Points& points, std::size_t count,
                      const KernelEigenOptions& options) {
  const std::size_t n = points.rows();
  const Sides sides(options, n);
  const SingleThreadedBlas one_thread;
  ask(options.progress, "eigenvectors", 0);
  const KernelOperator<double> K(kernel, points, {.threads = options.threads, .progress = options.progress});
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
    return [this](std::string_view what, double fraction) {
      return progress_(what, begin_ + (end_ - begin_) * fraction);
    };
  }

 private:
  const Progress& progress_;
  double begin_ = 0, end_ = 0;
};

// out = K·V, both n × k.
using KernelProduct = std::function<void(std::span<const double> V, std::size_t k, std::span<double> out)>;

// A·V by way of K·V.
class Product {
 public:
  Product(KernelProduct multiply, const Sides& sides, Passes& passes, bool keep_means)
      : multiply_(std::move(multiply)), sides_(sides), passes_(passes), keep_means_(keep_means) {}

  void operator()(const double* V, std::size_t k, double* out) {
    ask(passes_.next(), "eigenvectors", 0);
    const std::size_t n = sides_.n;
    std::vector<double> U(V, V + n * k);
    sides_.before(U, k);
    if (keep_means_ && means.empty()) {  // the row means come with the first pass
      std::vector<double> wider(n * (k + 1)), product(n * (k + 1));
      for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(U.data() + i * k, k, wider.data() + i * (k + 1));
        wider[i * (k + 1) + k] = sides_.weights[i];
      }
      multiply_(wider, k + 1, product);
      for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(product.data() + i * (k + 1), k, out + i * k);
        means.push_back(product[i * (k + 1) + k]);
      }
    } else {
      multiply_(U, k, {out, n * k});
    }
    sides_.after(out, k);
  }

  std::vector<double> means;

 private:
  KernelProduct multiply_;
  const Sides& sides_;
  Passes& passes_;
  bool keep_means_;
};

// Float32 values: the whole of K where it fits (matrix products in float32 are the fastest), otherwise as
// many tiles of one half as do, the others computed in every pass.
EigenPairs rough_eigenpairs(const Kernel& kernel, const Points& points, std::size_t count, const Sides& sides,
                            Passes& passes, std::string& way) {
  const KernelEigenOptions& options = sides.options;
  const std::size_t n = sides.n;
  const bool held = double(n) * double(n) * sizeof(float) <= double(options.memory);
  const KernelOperator<float> K(
      kernel, points,
      {.storage = held ? OperatorOptions::Storage::held : OperatorOptions::Storage::recomputed,
       .memory = options.memory,
       .threads = options.threads,
       .progress = held ? passes.next() : Progress()});
  const Progress progress = passes.next();
  std::optional<SymmetricProduct<float>> half;
  if (!held) half.emplace(K, options.memory, options.threads, progress);
  const KernelProduct multiply = [&](std::span<const double> V, std::size_t k, std::span<double> out) {
    if (half) return half->multiply(V, k, out);
    const std::vector<float> factor(V.begin(), V.end());
    std::vector<float> product(out.size());
    K.multiply(factor, k, product);
    std::ranges::copy(product, out.begin());
  };
  Product product(multiply, sides, passes, false);
  EigenPairs pairs = leading_eigenpairs(
      n, std::ref(product), count,
      {.tolerance = options.tolerance, .floor = 3e-7, .products = 100, .seed = options.seed});
  way = fmt::format("block Lanczos, {} products in float32 ({})", pairs.products,
                    held || half->all_held() ? "K held"
                    : half->held_bytes() > 0 ? "K held in part"
                                             : "K recomputed");
  return pairs;
}

KernelEigen krylov_way(const Kernel& kernel, const Points& points, std::size_t count,
                       const KernelEigenOptions& options) {
  const std::size_t n = points.rows();
  const Sides sides(options, n);
  Passes passes(options.progress);
  KernelEigen result;
  const EigenPairs rough = rough_eigenpairs(kernel, points, count, sides, passes, result.way);
  const KernelOperator<double> K(kernel, points, {.threads = options.threads});
  const Progress progress = passes.next();
  const SymmetricProduct<double> half(K, options.memory, options.threads, progress);
  Product product(
      [&](std::span<const double> V, std::size_t k, std::span<double> out) { half.multiply(V, k, out); },
      sides, passes, options.centred);
  result.pairs = leading_eigenpairs(
      n, std::ref(product), count,
      {.tolerance = options.tolerance, .products = 100, .seed = options.seed, .start = rough.vectors});
  result.means = std::move(product.means);
  sides.trace(K, result);
  result.way += fmt::format(" and {} in float64", result.pairs.products);
  result.pairs.products += rough.products;
  return result;
}

}  // namespace

KernelEigen kernel_eigenpairs(const Kernel& kernel, const Points& points, std::size_t count,
                              const KernelEigenOptions& options) {
  const std::size_t n = points.rows();
  // Of a thousand rows LAPACK needs a tenth of a second, and where eigenvalues fall slowly a basis of a
  // quarter of them takes longer.
  constexpr std::size_t some = 1000;
  const bool small = n <= always_dense || (n <= some ? 4 : 2) * krylov_basis(count) >= n;
  const bool dense = options.way == Way::dense || (options.way == Way::automatic && small);
  const double bytes = 8 * double(n) * (dense ? 2 * double(n) : 2 * double(krylov_basis(count)));
  if (n > always_dense && bytes > double(options.memory))
    throw Error(
        ErrorCode::out_of_memory,
        fmt::format("{} eigenvectors of {} rows need {:.0f} MB beside the data, but {:.0f} MB are allowed",
                    count, n, bytes / 1e6, double(options.memory) / 1e6),
        {.hint = "raise the memory or ask for fewer"});
  KernelEigen result =
      dense ? dense_way(kernel, points, count, options) : krylov_way(kernel, points, count, options);
  fix_signs(result.pairs);
  return result;
}

KernelEigen feature_eigenpairs(const RowFeatures& features, std::size_t count,
                               const KernelEigenOptions& options) {
  const std::size_t n = features.rows(), p = features.features();
  const Sides sides(options, n);
  Passes passes(options.progress);
  // out = ΦᵀHᵀD·DHΦ V, p × k
  const BlockProduct multiply = [&](const double* V, std::size_t k, double* out) {
    ask(passes.next(), "eigenvectors", 0);
    std::vector<double> T(n * k);
    features.multiply({V, p * k}, k, T);
    sides.after(T.data(), k);
    sides.before(T, k);
    features.multiply_transposed(T, k, {out, p * k});
  };
  KernelEigen result;
  EigenPairs axes;
  if (p <= always_dense || 2 * krylov_basis(count) >= p) {
    constexpr std::size_t at_once = 64;  // columns of the unit matrix
    std::vector<double> A(p * p);
    for (std::size_t begin = 0; begin < p; begin += at_once) {
      const std::size_t k = std::min(at_once, p - begin);
      std::vector<double> unit(p * k, 0.0), columns(p * k);
      for (std::size_t c = 0; c < k; ++c) unit[(begin + c) * k + c] = 1;
      multiply(unit.data(), k, columns.data());
      for (std::size_t j = 0; j < p; ++j) std::copy_n(columns.data() + j * k, k, A.data() + j * p + begin);
    }
    const SingleThreadedBlas one_thread;
    axes = dense_eigenpairs(A, p, count);
    result.way = "dense over the features, LAPACK";
  } else {
    axes = leading_eigenpairs(p, multiply, count,
                              {.tolerance = options.tolerance, .products = 200, .seed = options.seed});
    result.way = fmt::format("block Lanczos over the features, {} products", axes.products);
  }
  EigenPairs& pairs = result.pairs;
  pairs = {axes.values, std::vector<double>(n * count), axes.residuals, axes.products, axes.converged};
  features.multiply(axes.vectors, count, pairs.vectors);
  sides.after(pairs.vectors.data(), count);
  // ‖A u − λu‖ = ‖DHΦ(Bv − λv)‖/√λ ≤ ‖Bv − λv‖·√(λ₁/λ), B being the matrix over the features.
  for (std::size_t c = 0; c < count; ++c) {
    const double value = std::max(axes.values[c], 0.0), root = value > 0 ? 1 / std::sqrt(value) : 0;
    for (std::size_t i = 0; i < n; ++i) pairs.vectors[i * count + c] *= root;
    pairs.residuals[c] *= std::sqrt(std::max(axes.values[0], 0.0)) * root;
  }
  if (options.centred) {  // φ(xᵢ)ᵀ times the mean
    std::vector<double> mean(p);
    features.multiply_transposed(sides.weights, 1, mean);
    result.means.resize(n);
    features.multiply(mean, 1, result.means);
  }
  const std::vector<double> squares = features.squared_norms();
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = sides.scale(i) * sides.scale(i);
    result.trace += weight * (squares[i] - (options.centred ? result.means[i] : 0));
    result.mass += weight * squares[i];
  }
  fix_signs(pairs);
  return result;
}

}  // namespace mercer

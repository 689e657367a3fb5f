#include "solvers/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "base/random.hpp"
#include "mercer/error.hpp"

namespace mercer {

Eigen symmetric_eigen(std::span<const double> K, std::size_t n, bool vectors) {
  Eigen eigen{std::vector<double>(n), {K.begin(), K.end()}};
  if (n == 0) return eigen;
  const SingleThreadedBlas one_thread;
  if (!lapack::syevd(vectors, eigen.vectors.data(), n, eigen.values.data()))
    throw Error(ErrorCode::invalid_data, "the eigenvalues of the Gram matrix could not be computed",
                {.hint = "has it non-finite entries?"});
  if (!vectors) eigen.vectors.clear();
  for (std::size_t i = 0; i < n && vectors; ++i)  // one a column
    for (std::size_t j = 0; j < i; ++j) std::swap(eigen.vectors[i * n + j], eigen.vectors[j * n + i]);
  return eigen;
}

void through_eigenvectors(const Eigen& eigen, std::span<const double> X, std::size_t k, std::span<double> out,
                          double (*f)(double coordinate, double value)) {
  const std::size_t n = eigen.values.size();
  if (n == 0 || k == 0) return;
  const SingleThreadedBlas one_thread;
  std::vector<double> parts(X.size());  // n × k: row i belongs to eigenvalue i
  gemm(CblasTrans, CblasNoTrans, n, k, n, 1, eigen.vectors.data(), n, X.data(), k, 0, parts.data(), k);
  for (std::size_t e = 0; e < parts.size(); ++e) parts[e] = f(parts[e], eigen.values[e / k]);
  gemm(CblasNoTrans, CblasNoTrans, n, k, n, 1, eigen.vectors.data(), n, parts.data(), k, 0, out.data(), k);
}

namespace {

constexpr double smallest_share = 1e-6;  // of λ₁: what residuals of smaller eigenvalues are measured against

double norm_of_column(std::span<const double> X, std::size_t width, std::size_t c) {
  return blas().dnrm2(blasint(X.size() / width), X.data() + c, blasint(width));
}

// C (p × q) = AᵀB of A (n × p) and B (n × q) with row strides.
std::vector<double> inner_products(std::size_t n, const double* A, std::size_t p, std::size_t stride_a,
                                   const double* B, std::size_t q, std::size_t stride_b) {
  std::vector<double> C(p * q);
  gemm(CblasTrans, CblasNoTrans, p, q, n, 1, A, stride_a, B, stride_b, 0, C.data(), q);
  return C;
}

// Columns of X (n × width) made orthonormal through the eigenvectors of XᵀX, dependent ones dropped
// (Stathopoulos & Wu 2002). Columns no longer than `negligible` are dropped first.
std::vector<double> orthonormal(std::size_t n, const std::vector<double>& X, std::size_t width,
                                double negligible) {
  std::vector<double> scaled;
  std::vector<std::size_t> kept;
  std::vector<double> lengths;
  for (std::size_t c = 0; c < width; ++c)
    if (const double length = norm_of_column(X, width, c); length > negligible)
      kept.push_back(c), lengths.push_back(length);
  const std::size_t k = kept.size();
  if (k == 0) return {};
  scaled.resize(n * k);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < k; ++c) scaled[i * k + c] = X[i * width + kept[c]] / lengths[c];
  const Eigen eigen = symmetric_eigen(inner_products(n, scaled.data(), k, k, scaled.data(), k, k), k, true);
  constexpr double dependent = 1e-13;
  const std::size_t dropped = std::size_t(
      std::ranges::count_if(eigen.values, [&](double v) { return v <= dependent * eigen.values.back(); }));
  const std::size_t rank = k - dropped;  // values ascend: the dropped ones come first
  std::vector<double> turn(k * rank), result(n * rank);
  for (std::size_t r = 0; r < k; ++r)
    for (std::size_t c = 0; c < rank; ++c)
      turn[r * rank + c] = eigen.vectors[r * k + dropped + c] / std::sqrt(eigen.values[dropped + c]);
  gemm(CblasNoTrans, CblasNoTrans, n, rank, k, 1, scaled.data(), k, turn.data(), rank, 0, result.data(),
       rank);
  return result;
}

// Q and AQ (n × most, the first `columns` in use), QᵀAQ, and the Ritz pairs in their span.
class Basis {
 public:
  Basis(std::size_t n, std::size_t most)
      : n_(n), most_(std::min(n, most)), Q_(n * most_), W_(n * most_), H_(most_ * most_) {}

  std::size_t columns() const noexcept { return columns_; }
  bool room_for(std::size_t k) const noexcept { return columns_ + k <= most_; }

  // X with its part in the span of Q removed and made orthonormal, twice: once leaves rounding behind.
  std::vector<double> outside(std::vector<double> X, std::size_t width, double negligible) const {
    for (int round = 0; round < 2 && width > 0; ++round) {
      if (columns_ > 0) {
        const auto C = inner_products(n_, Q_.data(), columns_, most_, X.data(), width, width);
        gemm(CblasNoTrans, CblasNoTrans, n_, width, columns_, -1, Q_.data(), most_, C.data(), width, 1,
             X.data(), width);
      }
      X = orthonormal(n_, X, width, round == 0 ? negligible : 0.5);
      width = X.size() / n_;
    }
    return X;
  }

  // X (n × width) is orthonormal and outside; Y = AX.
  void add(const std::vector<double>& X, const std::vector<double>& Y, std::size_t width) {
    for (std::size_t i = 0; i < n_; ++i) {
      std::copy_n(X.data() + i * width, width, Q_.data() + i * most_ + columns_);
      std::copy_n(Y.data() + i * width, width, W_.data() + i * most_ + columns_);
    }
    const std::size_t before = columns_;
    columns_ += width;
    const auto C = inner_products(n_, Q_.data(), columns_, most_, Y.data(), width, width);
    for (std::size_t r = 0; r < columns_; ++r)
      for (std::size_t c = 0; c < width; ++c)
        H_[r * most_ + before + c] = H_[(before + c) * most_ + r] = C[r * width + c];
  }

  // The Ritz values, descending, and the coefficients of the leading `wanted` vectors (columns × wanted).
  void ritz(std::size_t wanted) {
    std::vector<double> H(columns_ * columns_);
    for (std::size_t r = 0; r < columns_; ++r)
      std::copy_n(H_.data() + r * most_, columns_, H.data() + r * columns_);
    const Eigen eigen = symmetric_eigen(H, columns_, true);
    wanted = std::min(wanted, columns_);
    values_.assign(eigen.values.rbegin(), eigen.values.rbegin() + std::ptrdiff_t(wanted));
    turn_.resize(columns_ * wanted);
    for (std::size_t r = 0; r < columns_; ++r)
      for (std::size_t c = 0; c < wanted; ++c)
        turn_[r * wanted + c] = eigen.vectors[r * columns_ + columns_ - 1 - c];
  }
  const std::vector<double>& values() const noexcept { return values_; }
  std::vector<double> vectors() const { return turned(Q_); }

  // AQs − θQs of the Ritz pairs, n × their number.
  std::vector<double> residuals() const {
    std::vector<double> R = turned(W_);
    const std::vector<double> V = vectors();
    const std::size_t k = values_.size();
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t c = 0; c < k; ++c) R[i * k + c] -= values_[c] * V[i * k + c];
    return R;
  }

  // The Ritz vectors become the basis.
  void restart() {
    const std::vector<double> V = turned(Q_), AV = turned(W_);
    columns_ = 0;
    add(V, AV, values_.size());
  }

 private:
  std::vector<double> turned(const std::vector<double>& M) const {
    const std::size_t k = values_.size();
    std::vector<double> out(n_ * k);
    gemm(CblasNoTrans, CblasNoTrans, n_, k, columns_, 1, M.data(), most_, turn_.data(), k, 0, out.data(), k);
    return out;
  }

  std::size_t n_, most_, columns_ = 0;
  std::vector<double> Q_, W_, H_;
  std::vector<double> values_, turn_;
};

std::vector<double> random_block(std::size_t n, std::size_t width, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> X(n * width);
  for (double& value : X) value = random.normal();
  return X;
}

// The first `count` columns of n × width.
std::vector<double> leading_columns(const std::vector<double>& X, std::size_t width, std::size_t count) {
  std::vector<double> out;
  for (std::size_t begin = 0; begin < X.size(); begin += width)
    out.insert(out.end(), X.begin() + std::ptrdiff_t(begin), X.begin() + std::ptrdiff_t(begin + count));
  return out;
}

}  // namespace

std::size_t krylov_block(std::size_t count) noexcept { return count + std::max<std::size_t>(6, count / 4); }
std::size_t krylov_basis(std::size_t count) noexcept { return 10 * krylov_block(count); }

double residual_scale(const EigenPairs& pairs, std::size_t c) {
  return std::max(std::abs(pairs.values[c]), smallest_share * std::abs(pairs.values[0]));
}

double relative_residual(const EigenPairs& pairs) {
  double worst = 0;
  for (std::size_t c = 0; c < pairs.values.size(); ++c)
    if (pairs.residuals[c] > 0) worst = std::max(worst, pairs.residuals[c] / residual_scale(pairs, c));
  return worst;
}

EigenPairs leading_eigenpairs(std::size_t n, const BlockProduct& multiply, std::size_t count,
                              const BlockKrylovOptions& options) {
  const SingleThreadedBlas one_thread;
  const std::size_t block = std::min(n, krylov_block(count));
  Basis basis(n, krylov_basis(count));
  EigenPairs pairs;
  std::vector<double> X = options.start.empty()
                              ? random_block(n, block, options.seed)
                              : std::vector<double>(options.start.begin(), options.start.end());
  X = basis.outside(X, X.size() / n, 0);
  while (true) {
    const std::size_t width = X.size() / n;
    std::vector<double> Y(n * width);
    multiply(X.data(), width, Y.data());
    ++pairs.products;
    basis.add(X, Y, width);
    basis.ritz(block);
    const std::vector<double> R = basis.residuals();
    const std::size_t found = basis.values().size();
    pairs.values.assign(basis.values().begin(),
                        basis.values().begin() + std::ptrdiff_t(std::min(count, found)));
    pairs.residuals.clear();
    for (std::size_t c = 0; c < pairs.values.size(); ++c)
      pairs.residuals.push_back(norm_of_column(R, found, c));
    const double largest = std::abs(pairs.values[0]);
    pairs.converged = found >= count;
    for (std::size_t c = 0; c < pairs.values.size(); ++c)
      pairs.converged &= pairs.residuals[c] <=
                         std::max(options.tolerance * residual_scale(pairs, c), options.floor * largest);
    if (pairs.converged || pairs.products == options.products) break;
    if (!basis.room_for(found)) {
      basis.ritz(3 * block);
      basis.restart();
      basis.ritz(block);
    }
    X = basis.outside(R, found, 1e-15 * largest);
    // Empty: an invariant subspace.
    if (X.empty()) X = basis.outside(random_block(n, block, options.seed + pairs.products), block, 0);
    if (X.empty()) break;  // the whole space
  }
  pairs.vectors = leading_columns(basis.vectors(), basis.values().size(), pairs.values.size());
  return pairs;
}

}  // namespace mercer

// Eigenvalues and eigenvectors of symmetric matrices: all of a dense one, or the leading ones of an operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace mercer {

struct Eigen {
  std::vector<double> values;   // n, ascending
  std::vector<double> vectors;  // n × n, row-major; column i belongs to values[i]; empty where not asked for
};

/// Of the n × n symmetric K, row-major, by LAPACK's divide and conquer.
Eigen symmetric_eigen(std::span<const double> K, std::size_t n, bool vectors);

/// out = V f(VᵀX), X and out n × k: f(coordinate, eigenvalue) of each coordinate of X along an eigenvector.
void through_eigenvectors(const Eigen& eigen, std::span<const double> X, std::size_t k, std::span<double> out,
                          double (*f)(double coordinate, double value));

/// The leading eigenpairs of a large symmetric operator A that is known by its products alone: block Lanczos
/// with full reorthogonalisation (Golub & Underwood 1977) and thick restarts (Wu & Simon 2000).
///
/// The basis Q grows by a block of residuals R = AQs − θQs of the leading Ritz pairs (θ, s) of QᵀAQ at a
/// time. A block finds all copies of an eigenvalue that has several, such as the 1 of an affinity matrix of
/// separate clusters, where Lanczos with a single vector may report fewer; and one pass over A serves all
/// columns of a block.
struct EigenPairs {
  std::vector<double> values;     // count, descending
  std::vector<double> vectors;    // n × count, row-major, orthonormal
  std::vector<double> residuals;  // count: ‖Av − λv‖
  std::size_t products = 0;       // passes over A
  bool converged = false;
};

/// What ‖Av − λv‖ is measured against: λ itself, or a millionth of the largest where λ is smaller.
double residual_scale(const EigenPairs& pairs, std::size_t c);
/// The largest ‖Av − λv‖ / residual_scale: the certificate.
double relative_residual(const EigenPairs& pairs);

/// out = A·V; both n × k, row-major.
using BlockProduct = std::function<void(const double* V, std::size_t k, double* out)>;

struct BlockKrylovOptions {
  double tolerance = 1e-8;     ///< of the relative residual
  double floor = 0;            ///< a residual below floor·λ₁ is as good as the products are
  std::size_t products = 200;  ///< at most
  std::uint64_t seed = 1;
  std::span<const double> start = {};  ///< n × any number of columns, row-major, instead of random ones
};

/// The `count` algebraically largest, count ≤ n.
EigenPairs leading_eigenpairs(std::size_t n, const BlockProduct& multiply, std::size_t count,
                              const BlockKrylovOptions& options = {});

/// How many columns the blocks have, and the basis at most.
std::size_t krylov_block(std::size_t count) noexcept;
std::size_t krylov_basis(std::size_t count) noexcept;

}  // namespace mercer

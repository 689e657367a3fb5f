// With K̄ = VΛVᵀ, c = nκ/2 and a = (K̄ₓ + c)α, b = (K̄ᵧ + c)β the problem is max aᵀRₓRᵧb over unit vectors,
// R = K̄(K̄ + c)⁻¹ = V D Vᵀ with D = Λ/(Λ + c): the singular values of S = Dₓ VₓᵀVᵧ Dᵧ are the correlations,
// and a = Vₓu, b = Vᵧv of its singular vectors u and v. These come from the eigenvectors of SSᵀ.
#include "mercer/cca.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

void check_views(std::size_t n, std::size_t other, const CcaOptions& options) {
  if (n != other)
    throw Error(ErrorCode::invalid_data,
                fmt::format("the views have {} and {} rows; they must be of the same rows", n, other));
  if (n < 2) throw Error(ErrorCode::invalid_data, "there are fewer than two rows to correlate");
  if (!(options.regularization > 0) || !std::isfinite(options.regularization))
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("the regularization is {:g}", options.regularization),
                {.hint = "it must be > 0"});
  if (options.components < 1 || options.components >= n)
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("{} components of {} rows are asked for", options.components, n),
                {.hint = fmt::format("there are 1 to {}", n - 1)});
  const double needed = 64 * double(n) * double(n);
  if (needed > double(options.memory))
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the matrices of {} rows need {:.1f} MB, but {:.1f} MB are allowed", n,
                            needed / 1e6, double(options.memory) / 1e6),
                {.hint = "take a sample of the rows", .hints = {{Remedy::more_memory}}});
}

// A view: the eigenvectors of its centred kernel matrix and D.
struct CcaView {
  Kernel kernel;
  Points points;
  Eigen eigen;
  std::vector<double> shrunk;  // D
  double c;

  CcaView(const Kernel& given, const Points& rows, const CcaOptions& options, const Progress& progress)
      : kernel(center(given.resolve(rows))),
        points(rows),
        c(0.5 * double(rows.rows()) * options.regularization) {
    const std::size_t n = rows.rows();
    std::vector<double> K(n * n);
    KernelOperator<double>(kernel, points, {.threads = options.threads}).matrix(K);
    progress.check("eigenvectors", 0.2);
    eigen = symmetric_eigen(K, n, true);
    for (double& value : eigen.values) {
      value = std::max(value, 0.0);  // rounding
      shrunk.push_back(value / (value + c));
    }
    progress.check("eigenvectors", 1);
  }

  // α = V(Λ + c)⁻¹u of each of the columns u (n × count), scaled so that K̄α has mean square 1.
  Expansion functions(std::span<const double> u, std::size_t count) const {
    const std::size_t n = points.rows();
    std::vector<double> scaled(u.begin(), u.end());
    for (std::size_t j = 0; j < count; ++j) {
      double square = 0;  // ‖K̄α‖² = Σ (Du)²
      for (std::size_t i = 0; i < n; ++i) square += std::pow(shrunk[i] * u[i * count + j], 2);
      const double scale = square > 0 ? std::sqrt(double(n) / square) : 0;
      for (std::size_t i = 0; i < n; ++i) scaled[i * count + j] *= scale / (eigen.values[i] + c);
    }
    Expansion expansion{.kernel = kernel, .points = points, .blocks = {n}, .width = count};
    expansion.coefficients.resize(n * count);
    const SingleThreadedBlas one_thread;
    gemm(CblasNoTrans, CblasNoTrans, n, count, n, 1, eigen.vectors.data(), n, scaled.data(), count, 0,
         expansion.coefficients.data(), count);
    return expansion;
  }
};

}  // namespace

KernelCca kernel_cca(const Kernel& kernel, const Points& x, const Kernel& other_kernel, const Points& y,
                     const CcaOptions& options) {
  check_views(x.rows(), y.rows(), options);
  const std::size_t n = x.rows(), count = options.components;
  const CcaView first(kernel, x, options, options.progress.part(0, 0.35)),
      second(other_kernel, y, options, options.progress.part(0.35, 0.7));
  const SingleThreadedBlas one_thread;
  std::vector<double> S(n * n), square(n * n);
  gemm(CblasTrans, CblasNoTrans, n, n, n, 1, first.eigen.vectors.data(), n, second.eigen.vectors.data(), n, 0,
       S.data(), n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) S[i * n + j] *= first.shrunk[i] * second.shrunk[j];
  gemm(CblasNoTrans, CblasTrans, n, n, n, 1, S.data(), n, S.data(), n, 0, square.data(), n);
  options.progress.check("singular vectors", 0.8);
  const Eigen eigen = symmetric_eigen(square, n, true);
  std::vector<double> u(n * count), v(n * count);
  std::vector<double> correlations;
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t e = n - 1 - j;
    correlations.push_back(std::sqrt(std::max(0.0, eigen.values[e])));
    std::size_t largest = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (std::abs(eigen.vectors[i * n + e]) > std::abs(eigen.vectors[largest * n + e])) largest = i;
    const double sign = eigen.vectors[largest * n + e] < 0 ? -1 : 1;
    for (std::size_t i = 0; i < n; ++i) u[i * count + j] = sign * eigen.vectors[i * n + e];
  }
  // v = Sᵀu/σ; its length is set with that of the function.
  gemm(CblasTrans, CblasNoTrans, n, count, n, 1, S.data(), n, u.data(), count, 0, v.data(), count);
  return {std::move(correlations), first.functions(u, count), second.functions(v, count)};
}

}  // namespace mercer

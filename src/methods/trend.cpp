#include "methods/trend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/blas.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

// Q (n × r) and how its columns come from those of the data: q = S(X − 1mᵀ)B, after S1/‖S1‖ as the first.
struct Basis {
  std::size_t rank = 0;
  std::vector<double> Q = {}, B = {}, means = {};  // B: columns × (rank − 1)
  double length = 0;                               // ‖S1‖
};

Basis basis_of(const Points& points, std::span<const double> s) {
  const std::size_t n = points.rows(), d = points.cols();
  const Points plain = points.to_dense().with_precision(Precision::float64);
  const auto& X = std::get<Dense<double>>(plain.storage());
  Basis basis{.means = std::vector<double>(d, 0)};
  double weight = 0;
  for (const double root : s) weight += root * root;
  basis.length = std::sqrt(weight);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) basis.means[j] += s[i] * s[i] / weight * X.row(i)[j];
  std::vector<double> scatter(d * d, 0), sizes(d, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) sizes[j] += std::pow(s[i] * (X.row(i)[j] - basis.means[j]), 2);
  // Columns in units of their spread; what is the same for all rows, up to rounding, takes no part.
  for (std::size_t j = 0; j < d; ++j) {
    sizes[j] = std::sqrt(sizes[j]);
    if (!(sizes[j] > 1e-12 * std::abs(basis.means[j]) * basis.length))
      sizes[j] = std::numeric_limits<double>::infinity();
  }
  const auto centred = [&](std::size_t i, std::size_t j) {
    return s[i] * (X.row(i)[j] - basis.means[j]) / sizes[j];
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k <= j; ++k) scatter[j * d + k] += centred(i, j) * centred(i, k);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < j; ++k) scatter[k * d + j] = scatter[j * d + k];
  const Eigen eigen = symmetric_eigen(scatter, d, true);
  std::vector<std::size_t> kept;
  for (std::size_t e = 0; e < d; ++e)
    if (eigen.values[e] > 1e-12 * double(d)) kept.push_back(e);
  basis.rank = 1 + kept.size();
  basis.B.resize(d * kept.size());
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < kept.size(); ++k)
      basis.B[j * kept.size() + k] =
          eigen.vectors[j * d + kept[k]] / std::sqrt(eigen.values[kept[k]]) / sizes[j];
  basis.Q.assign(n * basis.rank, 0);
  for (std::size_t i = 0; i < n; ++i) {
    basis.Q[i * basis.rank] = s[i] / basis.length;
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < kept.size(); ++k)
        basis.Q[i * basis.rank + 1 + k] +=
            s[i] * (X.row(i)[j] - basis.means[j]) * basis.B[j * kept.size() + k];
  }
  return basis;
}

// V ← V − QQᵀV, n × k; QᵀV before (rank × k) is returned.
std::vector<double> project_out(const Basis& basis, std::size_t n, std::size_t k, double* V) {
  std::vector<double> along(basis.rank * k);
  gemm<double>(CblasTrans, CblasNoTrans, basis.rank, k, n, 1.0, basis.Q.data(), basis.rank, V, k, 0.0,
               along.data(), k);
  gemm<double>(CblasNoTrans, CblasNoTrans, n, k, basis.rank, -1.0, basis.Q.data(), basis.rank, along.data(),
               k, 1.0, V, k);
  return along;
}

void transpose(double* A, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) std::swap(A[i * n + j], A[j * n + i]);
}

}  // namespace

bool needs_trend(const Kernel& kernel) {
  const Properties p = kernel.properties();
  return !p.psd && p.conditional_order == 2;
}

Fitted fit_with_trend(const Training& training, const Rows& rows, Watch& watch, double c) {
  const std::size_t n = rows.size(), d = rows.points.cols();
  const double bytes = 2.0 * double(n) * double(n) * sizeof(double);
  if (bytes > double(training.options.memory))
    throw Error(
        ErrorCode::out_of_memory,
        fmt::format("a kernel with a linear trend is held twice: {:.3g} GB, but {:.3g} GB are allowed",
                    bytes / 1e9, double(training.options.memory) / 1e9),
        {.hint = "take fewer rows", .hints = {{Remedy::more_memory}}});
  if (training.options.solver == "cg")
    throw Error(ErrorCode::unsupported, "a kernel with a linear trend is solved by a Cholesky factor",
                {.value = "cg", .hints = {{Remedy::choose_solver}}});
  const SingleThreadedBlas one_thread;
  const std::vector<double> Y = rows.values(training.target);
  const std::size_t outputs = Y.size() / n;
  std::vector<double> s(n);
  for (std::size_t i = 0; i < n; ++i) s[i] = std::sqrt(rows.weights[i]);
  const Basis basis = basis_of(rows.points, s);
  Buffer<double> K(n * n), A(n * n);
  const KernelOperator<double> given(
      training.kernel, rows.points,
      {.threads = training.options.threads, .progress = watch.progress(0, 0.3)});
  given.matrix({K.data(), n * n});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] = K[i * n + j] *= s[i] * s[j];
  project_out(basis, n, n, A.data());
  transpose(A.data(), n);
  project_out(basis, n, n, A.data());
  double level = 0;
  for (std::size_t i = 0; i < n; ++i) level += A[i * n + i] / double(n);
  if (!(level > 0)) level = 1;
  gemm<double>(CblasNoTrans, CblasTrans, n, n, basis.rank, level, basis.Q.data(), basis.rank, basis.Q.data(),
               basis.rank, 1.0, A.data(), n);
  for (std::size_t i = 0; i < n; ++i) A[i * n + i] += c;
  watch.progress(0, 1)("factorisation", 0.3);
  if (!cholesky_factor(A.data(), n, n, training.options.threads, watch.progress(0.3, 0.9)))
    throw Error(ErrorCode::rank_deficient,
                fmt::format("{} with a linear trend cannot tell all rows apart", training.kernel.text()),
                {.hint = "are two rows equal? give lambda or tau2 above 0"});
  std::vector<double> right(n * outputs), z(n * outputs);
  for (std::size_t e = 0; e < right.size(); ++e) right[e] = s[e / outputs] * Y[e];
  z = right;
  project_out(basis, n, outputs, z.data());
  const std::vector<double> wanted = z;
  cholesky_solve(A.data(), n, n, z.data(), outputs);
  project_out(basis, n, outputs, z.data());
  // What is left of Sy: its part in the range of Q is the trend, the rest is the residual; one step of
  // refinement with it, since K is known better than its factor.
  const auto left_over = [&] {
    std::vector<double> left = right;
    for (std::size_t e = 0; e < left.size(); ++e) left[e] -= c * z[e];
    symm(CblasLeft, CblasUpper, n, outputs, -1.0, K.data(), n, z.data(), outputs, 1.0, left.data(), outputs);
    return left;
  };
  std::vector<double> left = left_over();
  project_out(basis, n, outputs, left.data());
  cholesky_solve(A.data(), n, n, left.data(), outputs);
  project_out(basis, n, outputs, left.data());
  for (std::size_t e = 0; e < z.size(); ++e) z[e] += left[e];
  left = left_over();
  const std::vector<double> along = project_out(basis, n, outputs, left.data());

  const double total = basis.length * basis.length;
  std::vector<double> trend(d * outputs, 0), rho(outputs), alpha = z, f(n * outputs, 0);
  for (std::size_t o = 0; o < outputs; ++o) {
    double b = along[o] / basis.length;
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 1; k < basis.rank; ++k)
        trend[j * outputs + o] += basis.B[j * (basis.rank - 1) + k - 1] * along[k * outputs + o];
      b -= trend[j * outputs + o] * basis.means[j];
    }
    rho[o] = -b;
  }
  for (std::size_t e = 0; e < alpha.size(); ++e) alpha[e] *= s[e / outputs];
  symm(CblasLeft, CblasUpper, n, outputs, 1.0, K.data(), n, z.data(), outputs, 0.0, f.data(), outputs);
  FitReport report{.certificate = CertificateKind::relative_residual, .tolerance = training.tolerance};
  double off = 0, size = 0, errors = 0, norm = 0;
  for (std::size_t e = 0; e < z.size(); ++e) {
    off += left[e] * left[e];
    size += wanted[e] * wanted[e];
    norm += z[e] * f[e];
    errors += std::pow(c * z[e] + left[e], 2);  // √w(y − f − b − aᵀx)
  }
  report.violation = size > 0 ? std::sqrt(off / size) : 0;
  report.converged = report.violation <= training.tolerance;
  report.norm = norm;
  report.loss = errors / total;
  report.objective = *report.loss + c / total * norm;
  report.kernel_evaluations = n * (n + 1) / 2;
  report.solver = "Cholesky factor of the kernel without its linear trend";
  if (!report.converged)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the residual is {:.3g}", report.violation));
  Fitted fitted = expand(training, rows, std::move(alpha), std::move(rho), Rule::value);
  fitted.expansion.trend = std::move(trend);
  report.support_vectors = fitted.report.support_vectors;
  report.seconds = watch.seconds();
  fitted.report = std::move(report);
  return fitted;
}

}  // namespace mercer

// Rows φᵢ in feature space with weights ωᵢ, W = Σω, mean m, class means m_c with W_c = Σω of the class:
//   S_W = 1/W Σ ω(φ − m_c)(φ − m_c)ᵀ,   S_B = 1/W Σ W_c(m_c − m)(m_c − m)ᵀ,   S_T = S_W + S_B
//   directions v maximise vᵀS_B v / vᵀ(S_W + μI)v, μ = λ·tr S_T.
// Maximising over S_T + μI in place of S_W + μI has the same directions, with θ = ratio / (1 + ratio). With
// φ̂ᵢ = √ωᵢ(φᵢ − m), K̂ᵢⱼ = φ̂ᵢᵀφ̂ⱼ, Êᵢ꜀ = √ωᵢ where row i is of class c, P = ÊD⁻¹Êᵀ with D = diag(W_c), and v =
// Σ α̂ᵢφ̂ᵢ:
//   W·S_B v = Φ̂PK̂α̂,  W·(S_T + μI)v = Φ̂(K̂ + cI)α̂,  c = Wμ = λ·tr K̂:   PK̂α̂ = θ(K̂ + cI)α̂.
// The left side lies in the range of Ê, so α̂ = (K̂ + cI)⁻¹Êγ: least squares of the class indicators, ridged.
// What is left is
//   Mγ = θDγ,   M = ÊᵀK̂(K̂ + cI)⁻¹Ê,
// of the size of the classes. γ = (1, …, 1) has θ = 0 (K̂√ω = 0) and is left out. With γᵀDγ = 1, vᵀ(S_T + μI)v
// = θ/W, so that v·√(W/(θ(1 − θ))) has vᵀ(S_W + μI)v = 1. In these directions a row z goes to the class with
// the largest
//   −½‖z − z_c‖² + ln(W_c/W) = zᵀz_c − ½‖z_c‖² + ln(W_c/W) − ½‖z‖²,
// where ‖z‖² is the same for all: linear in k. A class of one row has a mean like any other.
//
// Over features the same least squares are solved for weights (solvers/normal_equations.hpp): f_b = w_bᵀφ +
// b_b with a free b_b, K̂α̂ is √ω(f_b − its mean), and α = ω(y − f)/c.
#include "mercer/methods/fisher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "methods/svm_trainer.hpp"
#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "operators/row_features.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/eigen.hpp"
#include "solvers/normal_equations.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_ratios = 9;  // in the report

struct Centred {
  Buffer<double> K;              // K̂, n × n; its lower half is lost to the factor
  std::vector<double> diagonal;  // of K̂
  std::vector<double> means;     // Σⱼ ωⱼ k(xᵢ, xⱼ) / W
  double trace = 0;
};

Centred centre(const Training& training, const Rows& rows, Watch& watch) {
  const std::size_t n = rows.size();
  const double bytes = double(n) * double(n) * sizeof(double);
  if (bytes > double(training.options.memory))
    throw Error(ErrorCode::out_of_memory,
                fmt::format("fisher holds the Gram matrix: {:.1f} MB, but {:.1f} MB are allowed", bytes / 1e6,
                            double(training.options.memory) / 1e6),
                {.hint = "raise the memory, or take svm"});
  Centred centred{Buffer<double>(n * n), std::vector<double>(n), std::vector<double>(n, 0.0)};
  const KernelOperator<double> K(training.kernel, rows.points,
                                 {.threads = training.options.threads, .progress = watch.progress(0, 0.4)});
  K.matrix({centred.K.data(), n * n});
  const double W = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  double all = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) centred.means[i] += rows.weights[j] / W * centred.K[i * n + j];
    all += rows.weights[i] / W * centred.means[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      centred.K[i * n + j] = std::sqrt(rows.weights[i] * rows.weights[j]) *
                             (centred.K[i * n + j] - centred.means[i] - centred.means[j] + all);
    centred.diagonal[i] = centred.K[i * n + i];
    centred.trace += centred.diagonal[i];
  }
  return centred;
}

// X (n × k) = (K̂ + cI)⁻¹E; K̂X goes to `product`. Returns ‖(K̂ + cI)X − E‖ / ‖E‖.
double solve(Centred& centred, std::size_t n, double c, const std::vector<double>& E, std::size_t k,
             std::vector<double>& X, std::vector<double>& product) {
  const SingleThreadedBlas one_thread;
  for (std::size_t i = 0; i < n; ++i) centred.K[i * n + i] += c;
  if (!lapack::potrf(centred.K.data(), n, n))  // the upper half stays as it is
    throw Error(ErrorCode::indefinite_kernel,
                "the kernel matrix is not positive definite even with its ridge",
                {.hint = "raise lambda, or take a positive semidefinite kernel"});
  X = E;
  cholesky_solve(centred.K.data(), n, n, X.data(), k);
  for (std::size_t i = 0; i < n; ++i) centred.K[i * n + i] = centred.diagonal[i];
  product.assign(n * k, 0);
  symm(CblasLeft, CblasUpper, n, k, 1, centred.K.data(), n, X.data(), k, 0, product.data(), k);
  double off = 0, size_of_E = 0;
  for (std::size_t e = 0; e < E.size(); ++e) {
    off += (product[e] + c * X[e] - E[e]) * (product[e] + c * X[e] - E[e]);
    size_of_E += E[e] * E[e];
  }
  return std::sqrt(off / size_of_E);
}

// The directions: Γ (classes × directions), scaled so that vᵀ(S_W + μI)v = 1, and the ratios θ/(1 − θ), the
// largest first.
struct Directions {
  std::vector<double> gamma, ratios;
};

Directions directions(const std::vector<double>& M, const std::vector<double>& W) {
  const std::size_t k = W.size();
  const double total = std::accumulate(W.begin(), W.end(), 0.0);
  std::vector<double> scaled(k * k);
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < k; ++b)
      scaled[a * k + b] = (M[a * k + b] + M[b * k + a]) / 2 / std::sqrt(W[a] * W[b]);
  const Eigen eigen = symmetric_eigen(scaled, k, true);
  Directions found{std::vector<double>(k * (k - 1)), {}};
  for (std::size_t e = 0; e + 1 < k; ++e) {
    const double theta = std::clamp(eigen.values[k - 1 - e], 0.0, 1 - 1e-15);
    found.ratios.push_back(theta / (1 - theta));
    if (theta <= 1e-14) continue;  // the classes have the same mean there
    for (std::size_t c = 0; c < k; ++c)
      found.gamma[c * (k - 1) + e] =
          eigen.vectors[c * k + k - 1 - e] / std::sqrt(W[c]) * std::sqrt(total / (theta * (1 - theta)));
  }
  return found;
}

// The classes' functions are Σ_b B[b, a]·f_b − rho[a], f_b being the least squares solution for the indicator
// of class b.
struct Functions {
  std::vector<double> B, rho;  // classes × classes; one per class
};

// z_c = ΓᵀM[:, c]/W_c are the class means, and B = ΓZᵀ.
Functions functions(const Directions& d, const std::vector<double>& M, const std::vector<double>& W) {
  const std::size_t k = W.size(), directions = k - 1;
  const double total = std::accumulate(W.begin(), W.end(), 0.0);
  std::vector<double> Z(k * directions, 0);
  Functions made{std::vector<double>(k * k, 0), std::vector<double>(k, 0)};
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t e = 0; e < directions; ++e) {
      for (std::size_t b = 0; b < k; ++b)
        Z[a * directions + e] += d.gamma[b * directions + e] * M[b * k + a] / W[a];
      made.rho[a] += Z[a * directions + e] * Z[a * directions + e] / 2;
    }
    made.rho[a] -= std::log(W[a] / total);
  }
  for (std::size_t b = 0; b < k; ++b)
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t e = 0; e < directions; ++e)
        made.B[b * k + a] += d.gamma[b * directions + e] * Z[a * directions + e];
  if (k == 2) {  // one function: the first class against the second
    for (std::size_t b = 0; b < k; ++b) made.B[b * k] -= made.B[b * k + 1];
    made.rho = {made.rho[0] - made.rho[1]};
  }
  return made;
}

// What X and K̂X become in these functions: coefficients (n × width), ‖f‖² and the share of rows on the wrong
// side.
struct Scored {
  std::vector<double> beta;
  double norm = 0, wrong = 0;
};

Scored judge(const Rows& rows, std::span<const std::int32_t> codes, std::size_t k, const Functions& g,
             const std::vector<double>& X, const std::vector<double>& KX) {
  const std::size_t n = rows.size(), width = g.rho.size();
  Scored judged{std::vector<double>(n * width, 0)};
  double total = 0;
  std::vector<double> f(width);
  for (std::size_t i = 0; i < n; ++i) {
    const double root = std::sqrt(rows.weights[i]);
    for (std::size_t a = 0; a < width; ++a) {
      f[a] = 0;
      for (std::size_t b = 0; b < k; ++b) {
        judged.beta[i * width + a] += root * X[i * k + b] * g.B[b * k + a];
        f[a] += KX[i * k + b] * g.B[b * k + a] / root;
      }
      judged.norm += judged.beta[i * width + a] * f[a];
      f[a] -= g.rho[a];
    }
    const std::int32_t found =
        width == 1 ? (f[0] > 0 ? 0 : 1) : std::int32_t(std::ranges::max_element(f) - f.begin());
    judged.wrong += rows.weights[i] * (found != codes[i]);
    total += rows.weights[i];
  }
  judged.wrong /= total;
  return judged;
}

[[noreturn]] void refuse_equal_rows(const Kernel& kernel) {
  throw Error(ErrorCode::invalid_data, fmt::format("all rows are the same to the kernel {}", kernel.text()),
              {.hint = "there is nothing to tell classes by"});
}

// The classes' functions, fitted: what does not depend on whether that was done over K or over features.
struct Discriminant {
  Fitted fitted;
  std::vector<double> ratios;
  double residual = 0, norm = 0, wrong = 0;
};

Discriminant over_kernel(const Training& training, const Rows& rows, std::span<const std::int32_t> codes,
                         std::size_t k, double lambda, Watch& watch) {
  const std::size_t n = rows.size();
  Centred centred = centre(training, rows, watch);
  if (!(centred.trace > 0)) refuse_equal_rows(training.kernel);
  std::vector<double> E(n * k, 0), X, KX, W(k, 0.0), M(k * k, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    E[i * k + std::size_t(codes[i])] = std::sqrt(rows.weights[i]);
    W[std::size_t(codes[i])] += rows.weights[i];
  }
  watch.progress(0, 1)("factorisation", 0.4);
  const double residual = solve(centred, n, lambda * centred.trace, E, k, X, KX);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t b = 0; b < k; ++b)
      M[std::size_t(codes[i]) * k + b] += std::sqrt(rows.weights[i]) * KX[i * k + b];
  Directions found = directions(M, W);
  Functions g = functions(found, M, W);
  Scored judged = judge(rows, codes, k, g, X, KX);
  // Σβ = 0, so that centring takes a constant off: Σ βᵢ k̃(xᵢ, x) = Σ βᵢ k(xᵢ, x) − Σ βᵢ·meansᵢ.
  const std::size_t width = g.rho.size();
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t i = 0; i < n; ++i) g.rho[a] += judged.beta[i * width + a] * centred.means[i];
  Fitted fitted = expand(training, rows, std::move(judged.beta), std::move(g.rho), Rule::one_vs_rest);
  fitted.report.kernel_evaluations = n * (n + 1) / 2;
  return {std::move(fitted), std::move(found.ratios), residual, judged.norm, judged.wrong};
}

Discriminant over_weights_of(const Training& training, const Rows& rows, std::span<const std::int32_t> codes,
                             std::size_t k, double lambda, Watch& watch) {
  const std::size_t n = rows.size(), p = rows.features->features();
  std::vector<double> Y(n * k, 0), W(k, 0.0), M(k * k, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    Y[i * k + std::size_t(codes[i])] = 1;
    W[std::size_t(codes[i])] += rows.weights[i];
  }
  const double total = std::accumulate(W.begin(), W.end(), 0.0);
  const NormalEquations equations(*rows.features, rows.weights, Y, k, true, training.options.threads,
                                  watch.progress(0, 0.8));
  if (!(equations.trace() > 0)) refuse_equal_rows(training.kernel);
  const double c = lambda * equations.trace();
  const NormalEquations::Solution solution = equations.solve(c);
  // f of each class at the rows, centred, times √ω: K̂α̂. The ridge's own coefficients: ω(y − f − b)/c.
  std::vector<double> by_feature(p * k), f(n * k), KX(n * k), X(n * k), means(k);
  for (std::size_t b = 0; b < k; ++b) {
    means[b] = W[b] / total - solution.b[b];
    for (std::size_t j = 0; j < p; ++j) by_feature[j * k + b] = solution.W[b * p + j];
  }
  rows.features->multiply(by_feature, k, f);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t b = 0; b < k; ++b) {
      const std::size_t e = i * k + b;
      const double root = std::sqrt(rows.weights[i]);
      KX[e] = root * (f[e] - means[b]);
      X[e] = root * (Y[e] - f[e] - solution.b[b]) / c;
      M[std::size_t(codes[i]) * k + b] += root * KX[e];
    }
  Directions found = directions(M, W);
  Functions g = functions(found, M, W);
  Scored judged = judge(rows, codes, k, g, X, KX);
  const std::size_t width = g.rho.size();
  std::vector<double> weights(width * p, 0.0);
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = 0; b < k; ++b) {
      g.rho[a] += g.B[b * k + a] * means[b];
      for (std::size_t j = 0; j < p; ++j) weights[a * p + j] += g.B[b * k + a] * solution.W[b * p + j];
    }
  Fitted fitted = training.over_features
                      ? over_weights(*rows.features, weights, width, Rule::one_vs_rest)
                      : expand(training, rows, std::move(judged.beta), g.rho, Rule::one_vs_rest);
  fitted.rho = std::move(g.rho);
  fitted.report.support_vectors = n;
  fitted.report.plan = {FitPlan::Way::primal, p};
  const double norm = std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
  return {std::move(fitted), std::move(found.ratios), solution.residual, norm, judged.wrong};
}

}  // namespace

Fitted Fisher::fit(const Training& training) const {
  const std::size_t k = rows_by_class(training).size();
  Watch watch(training.options);
  const Rows rows(training);
  const std::vector<std::int32_t> codes = rows.codes(training.target);
  Discriminant found = rows.features ? over_weights_of(training, rows, codes, k, lambda, watch)
                                     : over_kernel(training, rows, codes, k, lambda, watch);
  Fitted& fitted = found.fitted;
  FitReport& report = fitted.report;
  report.certificate = CertificateKind::relative_residual;
  report.violation = found.residual;
  report.tolerance = training.tolerance;
  report.converged = found.residual <= training.tolerance;
  report.norm = found.norm;
  report.loss = found.wrong;
  found.ratios.resize(std::min(found.ratios.size(), most_ratios));
  report.diagnostics.push_back({.id = "fisher_ratio",
                                .label = k == 2 ? "Fisher's ratio" : "Fisher's ratio in direction",
                                .values = std::move(found.ratios),
                                .list = k > 2});
  (void)watch.go_on("discriminant", 1);
  report.seconds = watch.seconds();
  return std::move(found.fitted);
}

}  // namespace mercer

#include "solvers/sparse_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

namespace {

constexpr double inducing_jitter = SparseEvidence::jitter_share;
constexpr std::size_t inducing_rows = 512;  // of a block
constexpr std::size_t most_parts = 16;      // of the rows, each with sums of its own
constexpr std::size_t sums_bytes = std::size_t(256) << 20;

}  // namespace

SparseEvidence::SparseEvidence(Data data, KernelCoordinates coordinates, int threads,
                               const Progress& progress)
    : LogEvidence(std::move(coordinates), threads, progress), data_(std::move(data)) {
  for (std::size_t i = 0; i < rows(); ++i) {
    log_weights_ += std::log(data_.weights[i]);
    for (std::size_t o = 0; o < data_.outputs; ++o)
      squares_ += data_.weights[i] * std::pow(data_.targets[i * data_.outputs + o], 2);
  }
}

std::unique_ptr<LogEvidence> SparseEvidence::of_rows(std::span<const std::size_t> rows) const {
  const std::size_t outputs = data_.outputs;
  if (rows.size() <= inducing()) {
    Evidence::Data few{data_.points.select_rows(rows), {}, outputs, {}};
    for (const std::size_t i : rows) {
      few.targets.insert(few.targets.end(), data_.targets.begin() + std::ptrdiff_t(i * outputs),
                         data_.targets.begin() + std::ptrdiff_t((i + 1) * outputs));
      few.noise_factors.push_back(1 / data_.weights[i]);
    }
    return std::make_unique<Evidence>(std::move(few), coordinates_, threads_, progress_);
  }
  Data some{data_.points.select_rows(rows), {}, outputs, {}, data_.inducing};
  for (const std::size_t i : rows) {
    some.targets.insert(some.targets.end(), data_.targets.begin() + std::ptrdiff_t(i * outputs),
                        data_.targets.begin() + std::ptrdiff_t((i + 1) * outputs));
    some.weights.push_back(data_.weights[i]);
  }
  return std::make_unique<SparseEvidence>(std::move(some), coordinates_, threads_, progress_);
}

Error SparseEvidence::no_value(std::span<const double> t) const {
  return Error(ErrorCode::indefinite_kernel,
               fmt::format("the kernel matrix of the inducing points is not positive definite for {}",
                           coordinates_.at(t).text()),
               {.hint = "take a positive semidefinite kernel"});
}

double SparseEvidence::bytes(std::size_t m) {
  const double square = 8 * double(m) * double(m);
  return 6 * square + std::min(double(most_parts) * square, std::max(double(sums_bytes), 2 * square));
}

// The number of parts does not depend on the threads, so neither do the sums.
std::size_t SparseEvidence::parts() const noexcept {
  const std::size_t m = inducing(), fitting = std::max<std::size_t>(2, sums_bytes / (8 * m * m));
  return std::min({most_parts, fitting, (rows() + inducing_rows - 1) / inducing_rows});
}

Range SparseEvidence::part(std::size_t p) const noexcept {
  return {p * rows() / parts(), (p + 1) * rows() / parts()};
}

bool SparseEvidence::factor(const Kernel& kernel) {
  const std::size_t m = inducing();
  C_.resize(m * m);
  KernelOperator<double>(kernel, data_.inducing, {.threads = threads_}).matrix(C_);
  double mean = 0;
  for (std::size_t i = 0; i < m; ++i) mean += C_[i * m + i] / double(m);
  L_ = C_;
  for (std::size_t i = 0; i < m; ++i) L_[i * m + i] += inducing_jitter * mean;
  return mean > 0 && cholesky_factor(L_.data(), m, m, threads_, progress_);
}

struct SparseEvidence::Sums {
  std::vector<double> E, b;
};

void SparseEvidence::pass_over_rows(const Kernel& kernel) {
  const std::size_t m = inducing(), outputs = data_.outputs, n = rows();
  std::vector<double> own(n);
  KernelOperator<double>(kernel, data_.points, {.threads = threads_}).diagonal(own);
  trace_ = 0;
  for (std::size_t i = 0; i < n; ++i) trace_ += data_.weights[i] * own[i];
  const KernelOperator<double> K(kernel, data_.points, data_.inducing, {.threads = 1});
  std::vector<Sums> sums(parts());
  parallel_for(sums.size(), threads_worth(n * m * m, threads_), [&](std::size_t p) {
    const SingleThreadedBlas one_thread;
    sums[p].E.assign(m * m, 0);
    sums[p].b.assign(m * outputs, 0);
    std::vector<double> A(inducing_rows * m), y(inducing_rows * outputs);
    for (std::size_t begin = part(p).begin; begin < part(p).end; begin += inducing_rows) {
      const Range r{begin, std::min(begin + inducing_rows, part(p).end)};
      K.tile(r, {0, m}, std::span(A).first(r.size() * m));
      for (std::size_t i = 0; i < r.size(); ++i) {
        const double root = std::sqrt(data_.weights[begin + i]);
        for (std::size_t j = 0; j < m; ++j) A[i * m + j] *= root;
        for (std::size_t o = 0; o < outputs; ++o)
          y[i * outputs + o] = root * data_.targets[(begin + i) * outputs + o];
      }
      trsm(CblasRight, CblasLower, CblasTrans, CblasNonUnit, r.size(), m, 1, L_.data(), m, A.data(), m);
      syrk(CblasLower, CblasTrans, m, r.size(), 1, A.data(), m, 1, sums[p].E.data(), m);
      gemm(CblasTrans, CblasNoTrans, m, outputs, r.size(), 1, A.data(), m, y.data(), outputs, 1,
           sums[p].b.data(), outputs);
      progress_.check("evidence lower bound", 0.5 * double(p) / double(sums.size()));
    }
  });
  E_ = std::move(sums[0].E);
  b_ = std::move(sums[0].b);
  for (std::size_t p = 1; p < sums.size(); ++p) {
    for (std::size_t e = 0; e < E_.size(); ++e) E_[e] += sums[p].E[e];
    for (std::size_t e = 0; e < b_.size(); ++e) b_[e] += sums[p].b[e];
  }
  covered_ = 0;
  for (std::size_t i = 0; i < m; ++i) {
    covered_ += E_[i * m + i];
    for (std::size_t j = i + 1; j < m; ++j) E_[i * m + j] = E_[j * m + i];
  }
}

// B⁻¹, log det B and a.
void SparseEvidence::solve() {
  const std::size_t m = inducing(), outputs = data_.outputs;
  B_inverse_ = E_;
  for (double& entry : B_inverse_) entry /= noise_;
  for (std::size_t i = 0; i < m; ++i) B_inverse_[i * m + i] += 1;
  // B is I plus a Gram matrix: only numbers that are not finite leave it without a factor, and the bound with
  // them.
  log_det_B_ = std::numeric_limits<double>::quiet_NaN();
  a_.assign(m * outputs, 0);
  if (!cholesky_factor(B_inverse_.data(), m, m, threads_, progress_)) return;
  log_det_B_ = 0;
  for (std::size_t i = 0; i < m; ++i) log_det_B_ += 2 * std::log(B_inverse_[i * m + i]);
  std::vector<double> scratch(m * m);
  cholesky_inverse(B_inverse_.data(), m, scratch.data(), threads_, progress_);
  const SingleThreadedBlas one_thread;
  gemm(CblasNoTrans, CblasNoTrans, m, outputs, m, 1 / noise_, B_inverse_.data(), m, b_.data(), outputs, 0,
       a_.data(), outputs);
  trsm(CblasLeft, CblasLower, CblasTrans, CblasNonUnit, m, outputs, 1, L_.data(), m, a_.data(), outputs);
}

std::optional<double> SparseEvidence::value(std::span<const double> t, std::span<double> gradient) {
  const std::size_t m = inducing(), outputs = data_.outputs, count = coordinates_.size();
  const double n = double(rows()), o = double(outputs);
  const Kernel kernel = coordinates_.at(t);
  noise_ = std::exp(t[count]);
  if (!factor(kernel)) return std::nullopt;
  pass_over_rows(kernel);
  solve();
  double q = 0, r = 0, trace = 0;  // bᵀB⁻¹b, bᵀB⁻²b, tr B⁻¹
  std::vector<double> Bb(m * outputs);
  gemm(CblasNoTrans, CblasNoTrans, m, outputs, m, 1, B_inverse_.data(), m, b_.data(), outputs, 0, Bb.data(),
       outputs);
  for (std::size_t e = 0; e < Bb.size(); ++e) q += b_[e] * Bb[e], r += Bb[e] * Bb[e];
  for (std::size_t i = 0; i < m; ++i) trace += B_inverse_[i * m + i];
  const double left = trace_ - covered_;
  const double value = o * (-0.5 * log_det_B_ - 0.5 * n * std::log(2 * std::numbers::pi * noise_) +
                            0.5 * log_weights_ - 0.5 * left / noise_) -
                       0.5 * (squares_ - q / noise_) / noise_;
  if (!std::isfinite(value)) return std::nullopt;
  if (gradient.empty()) return value;
  std::ranges::fill(gradient, 0.0);
  gradient[count] = 0.5 * o * (double(m) - trace - n + left / noise_) + 0.5 * squares_ / noise_ -
                    0.5 * (q + r) / (noise_ * noise_);
  add_slopes(t, gradient);
  return value;
}

// L⁻ᵀ·middle·L⁻¹ of a symmetric m × m matrix.
std::vector<double> SparseEvidence::between_factors(std::span<const double> middle) const {
  const std::size_t m = inducing();
  const SingleThreadedBlas one_thread;
  std::vector<double> out(middle.begin(), middle.end());
  trsm(CblasLeft, CblasLower, CblasTrans, CblasNonUnit, m, m, 1, L_.data(), m, out.data(), m);
  trsm(CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, m, m, 1, L_.data(), m, out.data(), m);
  return out;
}

void SparseEvidence::add_slopes(std::span<const double> t, std::span<double> gradient) const {
  const std::size_t m = inducing(), outputs = data_.outputs, n = rows(), count = coordinates_.size();
  const double o = double(outputs), s = noise_;
  std::vector<double> middle(m * m), M = precision(), a_in_rows(outputs * m);
  for (std::size_t e = 0; e < m * m; ++e) middle[e] = -E_[e] / s - B_inverse_[e];
  for (std::size_t i = 0; i < m; ++i) middle[i * m + i] += 1;  // 2I − B, and B = I + E/s
  std::vector<double> H = between_factors(middle);             // of dC
  double trace_H = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      double product = 0;
      for (std::size_t c = 0; c < outputs; ++c) product += a_[i * outputs + c] * a_[j * outputs + c];
      M[i * m + j] = (o * M[i * m + j] - product) / s;
      H[i * m + j] = 0.5 * (o * H[i * m + j] - product);
      if (i == j) trace_H += H[i * m + j];
    }
  // The jitter follows the mean of the diagonal.
  for (std::size_t i = 0; i < m; ++i) H[i * m + i] += inducing_jitter * trace_H / double(m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t c = 0; c < outputs; ++c) a_in_rows[c * m + i] = a_[i * outputs + c] / s;

  const std::size_t skipped = coordinates_.leading_factor() ? 1 : 0;
  if (skipped == 1) {  // dK = K: all sums are known
    double sum = -0.5 * o * trace_ / s;
    std::vector<double> g(m * outputs), Phi(m * m), LE(m * m);  // k(Z, X)Wy = Lb and k(Z, X)Wk(X, Z) = LELᵀ
    std::vector<double> L = L_;
    for (std::size_t i = 0; i < m; ++i) std::fill(L.begin() + i * m + i + 1, L.begin() + (i + 1) * m, 0.0);
    const SingleThreadedBlas one_thread;
    gemm(CblasNoTrans, CblasNoTrans, m, m, m, 1, L.data(), m, E_.data(), m, 0, LE.data(), m);
    gemm(CblasNoTrans, CblasTrans, m, m, m, 1, LE.data(), m, L.data(), m, 0, Phi.data(), m);
    gemm(CblasNoTrans, CblasNoTrans, m, outputs, m, 1, L.data(), m, b_.data(), outputs, 0, g.data(), outputs);
    for (std::size_t e = 0; e < m * m; ++e) sum += H[e] * C_[e] + M[e] * Phi[e];
    for (std::size_t e = 0; e < m * outputs; ++e) sum += a_[e] * g[e] / s;
    gradient[0] = sum;
  }
  if (skipped == count) return;

  struct Moved {
    KernelDifference difference;
    KernelOperator<double> above, below;
  };
  std::vector<Moved> moved;
  for (std::size_t k = skipped; k < count; ++k) {
    KernelDifference difference(coordinates_, t, k);
    KernelOperator<double> above(difference.above, data_.points, data_.inducing, {.threads = 1}),
        below(difference.below, data_.points, data_.inducing, {.threads = 1});
    std::vector<double> up(n), down(n);
    KernelOperator<double>(difference.above, data_.points, {.threads = threads_}).diagonal(up);
    KernelOperator<double>(difference.below, data_.points, {.threads = threads_}).diagonal(down);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += data_.weights[i] * (up[i] - down[i]);
    gradient[k] = -0.5 * o * sum / (s * difference.width);
    const WeightRow weights = [&](std::size_t i, Range columns, std::span<double> out) {
      std::copy_n(H.data() + i * m + columns.begin, columns.size(), out.data());
    };
    gradient[k] += weighted_slope(difference, data_.inducing, weights, threads_, progress_);
    moved.push_back({std::move(difference), std::move(above), std::move(below)});
  }
  const KernelOperator<double> K(coordinates_.at(t), data_.points, data_.inducing, {.threads = 1});
  std::vector<double> sums(parts() * moved.size(), 0);
  parallel_for(parts(), threads_worth(n * m * m, threads_), [&](std::size_t p) {
    const SingleThreadedBlas one_thread;
    std::vector<double> tile(inducing_rows * m), G(inducing_rows * m), up(inducing_rows * m),
        down(inducing_rows * m);
    for (std::size_t begin = part(p).begin; begin < part(p).end; begin += inducing_rows) {
      const Range r{begin, std::min(begin + inducing_rows, part(p).end)};
      const std::size_t size = r.size() * m;
      K.tile(r, {0, m}, std::span(tile).first(size));
      gemm(CblasNoTrans, CblasNoTrans, r.size(), m, m, 1, tile.data(), m, M.data(), m, 0, G.data(), m);
      gemm(CblasNoTrans, CblasNoTrans, r.size(), m, outputs, 1, data_.targets.data() + begin * outputs,
           outputs, a_in_rows.data(), m, 1, G.data(), m);
      for (std::size_t k = 0; k < moved.size(); ++k) {
        moved[k].above.tile(r, {0, m}, std::span(up).first(size));
        moved[k].below.tile(r, {0, m}, std::span(down).first(size));
        double& total = sums[p * moved.size() + k];
        for (std::size_t i = 0; i < r.size(); ++i) {
          double sum = 0;
          for (std::size_t e = i * m; e < (i + 1) * m; ++e) sum += G[e] * (up[e] - down[e]);
          total += data_.weights[begin + i] * sum;
        }
      }
      progress_.check("evidence lower bound", 0.5 + 0.5 * double(p) / double(parts()));
    }
  });
  for (std::size_t p = 0; p < parts(); ++p)
    for (std::size_t k = 0; k < moved.size(); ++k)
      gradient[skipped + k] += sums[p * moved.size() + k] / moved[k].difference.width;
}

std::vector<double> SparseEvidence::precision() const {
  const std::size_t m = inducing();
  std::vector<double> middle = B_inverse_;
  for (double& entry : middle) entry = -entry;
  for (std::size_t i = 0; i < m; ++i) middle[i * m + i] += 1;
  return between_factors(middle);
}

double SparseEvidence::degrees_of_freedom() const {
  double sum = 0;
  for (std::size_t i = 0; i < inducing(); ++i) sum += 1 - B_inverse_[i * inducing() + i];
  return sum;
}

double SparseEvidence::trace_left() const noexcept {
  return trace_ > 0 ? std::max(0.0, 1 - covered_ / trace_) : 0;
}

}  // namespace mercer

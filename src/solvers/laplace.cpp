#include "solvers/laplace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_newton_steps = 200;
constexpr double at_mode = 1e-10;  // of the residual: log q is then right to about as much
constexpr double near_mode = 0.1;  // of the residual: the last factor is good enough from here on
constexpr std::size_t row_block = 64;

// log σ(z) and σ(z) without overflow.
double log_sigmoid(double z) { return z > 0 ? -std::log1p(std::exp(-z)) : z - std::log1p(std::exp(z)); }
double sigmoid(double z) { return z > 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z)); }

double along(std::span<const double> x, std::span<const double> y) {  // xᵀy
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

LaplaceEvidence::LaplaceEvidence(Data data, KernelCoordinates coordinates, int threads,
                                 const Progress& progress)
    : LogEvidence(std::move(coordinates), threads, progress),
      data_(std::move(data)),
      K_(rows() * rows()),
      stride_(row_stride<float>(rows())) {}

std::unique_ptr<LogEvidence> LaplaceEvidence::of_rows(std::span<const std::size_t> rows) const {
  const std::size_t m = data_.functions;
  Data part{data_.points.select_rows(rows), m, {}, {}};
  for (const std::size_t i : rows) {
    part.signs.insert(part.signs.end(), data_.signs.begin() + std::ptrdiff_t(i * m),
                      data_.signs.begin() + std::ptrdiff_t((i + 1) * m));
    part.weights.push_back(data_.weights[i]);
  }
  return std::make_unique<LaplaceEvidence>(std::move(part), coordinates_, threads_, progress_);
}

Error LaplaceEvidence::no_value(std::span<const double> t) const {
  return Error(
      ErrorCode::indefinite_kernel,
      fmt::format("I + W^½KW^½ is not positive definite for {}: the kernel is not positive semidefinite",
                  coordinates_.at(t).text()),
      {.hint = "take a kernel that is"});
}

void LaplaceEvidence::fill(const Kernel& kernel) {
  KernelOperator<double>(kernel, data_.points, {.threads = threads_, .progress = progress_.part(0, 0.1)})
      .matrix(std::span(K_.data(), K_.size()));
}

void LaplaceEvidence::multiply(std::span<const double> v, std::span<double> out) const {
  const std::size_t n = rows();
  parallel_blocks(n, row_block, threads_worth(n * n, threads_), [&](std::size_t first, std::size_t last) {
    const SingleThreadedBlas one_thread;
    gemv(CblasNoTrans, last - first, n, 1, K_.data() + first * n, n, v.data(), 1, 0, out.data() + first, 1);
  });
}

bool LaplaceEvidence::factor_narrow(std::span<const double> roots) {
  const std::size_t n = rows();
  if (narrow_.empty()) narrow_ = Buffer<float>(n * stride_);
  parallel_blocks(n, row_block, threads_worth(n * n, threads_), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      float* row = narrow_.data() + i * stride_;
      for (std::size_t j = 0; j <= i; ++j) row[j] = float(roots[i] * K_[i * n + j] * roots[j]);
      row[i] += 1;
    }
  });
  return cholesky_factor(narrow_.data(), n, stride_, threads_, progress_);
}

// Where L is made, unless the caller has a place for it: fresh memory costs as much as a tenth of a fit.
double* LaplaceEvidence::own_factor() {
  if (L_.empty()) L_ = Buffer<double>(rows() * rows());
  return L_.data();
}

bool LaplaceEvidence::factor(std::span<const double> roots, double* L) const {
  const std::size_t n = rows();
  parallel_blocks(n, row_block, threads_worth(n * n, threads_), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t j = 0; j <= i; ++j) L[i * n + j] = roots[i] * K_[i * n + j] * roots[j];
      L[i * n + i] += 1;
    }
  });
  return cholesky_factor(L, n, n, threads_, progress_);
}

bool LaplaceEvidence::factor_for_steps(std::span<const double> roots) {
  factored_.assign(roots.begin(), roots.end());
  narrow_factor_ = factor_narrow(roots);
  return narrow_factor_ || factor(roots, own_factor());
}

// out = W^½B⁻¹W^½·right with the factor at hand.
void LaplaceEvidence::solve(std::span<const double> right, std::span<double> out) const {
  const std::size_t n = rows();
  double scale = 0;  // float32 numbers reach 10³⁸ only
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = factored_[i] * right[i];
    scale = std::max(scale, std::abs(out[i]));
  }
  if (scale == 0) return;
  if (narrow_factor_) {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = float(out[i] / scale);
    cholesky_solve(narrow_.data(), n, stride_, x.data(), 1);
    for (std::size_t i = 0; i < n; ++i) out[i] = double(x[i]) * scale;
  } else {
    cholesky_solve(L_.data(), n, n, out.data(), 1);
  }
  for (std::size_t i = 0; i < n; ++i) out[i] *= factored_[i];
}

// Newton's method, with steps halved until the objective rises: it is concave, so this ends at its only
// maximum.
bool LaplaceEvidence::find_mode(std::size_t function, double* L) {
  const std::size_t n = rows(), m = data_.functions;
  Mode mode{.a = std::vector<double>(n, 0), .f = std::vector<double>(n, 0)};
  std::vector<double> r(n), roots(n), Kr(n), solved(n), da(n), df(n);
  const auto sign = [&](std::size_t i) { return data_.signs[i * m + function]; };
  const auto likelihood = [&](double step) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      sum += data_.weights[i] * log_sigmoid(sign(i) * (mode.f[i] + step * df[i]));
    return sum;
  };
  double objective = likelihood(0), last = std::numeric_limits<double>::infinity();
  for (;; ++mode.steps) {
    mode.residual = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double miss = sigmoid(-sign(i) * mode.f[i]);  // of the sign
      r[i] = data_.weights[i] * sign(i) * miss - mode.a[i];
      roots[i] = std::sqrt(data_.weights[i] * miss * (1 - miss));
      mode.residual = std::max(mode.residual, std::abs(r[i]));
    }
    const bool rounding = mode.residual < 1e-8 && mode.residual > 0.5 * last;
    if (mode.residual <= at_mode || rounding || mode.steps == most_newton_steps) break;
    const bool again = last > near_mode || mode.residual > 0.3 * last;
    last = mode.residual;
    if (again) {
      ++mode.factors;
      if (!factor_for_steps(roots)) return false;
    }
    multiply(r, Kr);
    solve(Kr, solved);
    for (std::size_t i = 0; i < n; ++i) da[i] = r[i] - solved[i];
    multiply(da, df);
    // −½aᵀKa along the step, whose terms are sums already.
    const double aKa = along(mode.a, mode.f), aKd = along(mode.a, df), dKd = along(da, df);
    double step = 1, reached = 0;
    for (;; step /= 2) {
      reached = likelihood(step) - 0.5 * (aKa + 2 * step * aKd + step * step * dKd);
      if (reached >= objective - 1e-9 * (1 + std::abs(objective)) || step < 1e-6) break;
    }
    objective = reached;
    for (std::size_t i = 0; i < n; ++i) mode.a[i] += step * da[i], mode.f[i] += step * df[i];
    progress_.check("Newton steps", 0.5);
  }
  roots_ = roots;
  mode.log_likelihood = likelihood(0);
  if (!factor(roots_, L)) return false;
  ++mode.factors;
  mode.value = mode.log_likelihood - 0.5 * along(mode.a, mode.f);
  for (std::size_t i = 0; i < n; ++i) mode.value -= std::log(L[i * n + i]);
  modes_.push_back(std::move(mode));
  return true;
}

// What the gradient is made of, from B⁻¹ in L_.
struct LaplaceEvidence::Slopes {
  std::vector<double> au, u;  // a + u and u
  double by_factor = 0;       // Σ weights ∘ K
};

LaplaceEvidence::Slopes LaplaceEvidence::slopes(const Mode& mode) const {
  const std::size_t n = rows();
  std::vector<double> s(n), Ks(n), BKs(n, 0);
  double trace = 0;  // of RK = I − B⁻¹
  for (std::size_t i = 0; i < n; ++i) {
    const double covered = 1 - L_[i * n + i];
    trace += covered;
    s[i] = -0.5 * covered * (1 - 2 * sigmoid(mode.f[i]));
  }
  multiply(s, Ks);
  for (std::size_t i = 0; i < n; ++i) Ks[i] *= roots_[i];
  parallel_blocks(n, row_block, threads_worth(n * n, threads_), [&](std::size_t first, std::size_t last) {
    const SingleThreadedBlas one_thread;
    gemv(CblasNoTrans, last - first, n, 1, L_.data() + first * n, n, Ks.data(), 1, 0, BKs.data() + first, 1);
  });
  Slopes slopes{.au = mode.a, .u = std::move(s)};
  for (std::size_t i = 0; i < n; ++i) {
    slopes.u[i] -= roots_[i] * BKs[i];
    slopes.au[i] += slopes.u[i];
  }
  slopes.by_factor = along(mode.a, mode.f) + 2 * along(slopes.u, mode.f) - trace;
  return slopes;
}

std::optional<double> LaplaceEvidence::value(std::span<const double> t, std::span<double> gradient) {
  const std::size_t n = rows();
  modes_.clear();
  fill(coordinates_.at(t));
  if (!gradient.empty() && scratch_.empty()) scratch_ = Buffer<double>(n * n);
  std::ranges::fill(gradient, 0.0);
  double total = 0;
  for (std::size_t c = 0; c < data_.functions; ++c) {
    if (!find_mode(c, own_factor())) return std::nullopt;
    total += modes_.back().value;
    if (gradient.empty()) continue;
    cholesky_inverse(L_.data(), n, scratch_.data(), threads_, progress_);
    const Slopes slope = slopes(modes_.back());
    const WeightRow weights = [&](std::size_t i, Range columns, std::span<double> out) {
      for (std::size_t j = columns.begin; j < columns.end; ++j)
        out[j - columns.begin] =
            slope.au[i] * slope.au[j] - slope.u[i] * slope.u[j] - roots_[i] * L_[i * n + j] * roots_[j];
    };
    for (std::size_t k = 0; k < coordinates_.size(); ++k)
      gradient[k] +=
          0.5 * (k == 0 && coordinates_.leading_factor()
                     ? slope.by_factor
                     : weighted_slope({coordinates_, t, k}, data_.points, weights, threads_, progress_));
  }
  return total;
}

double LaplaceEvidence::posterior(std::span<const double> t, std::span<double> factors) {
  const std::size_t n = rows();
  modes_.clear();
  fill(coordinates_.at(t));
  double total = 0;
  for (std::size_t c = 0; c < data_.functions; ++c) {
    double* T = factors.data() + c * n * n;  // first L
    if (!find_mode(c, T)) throw no_value(t);
    total += modes_.back().value;
    for (std::size_t i = 0; i < n; ++i) {
      // Where W underflows, row i of L is that of the identity, and T⁻¹ must have nothing there.
      const double scale = 1 / std::max(roots_[i], 1e-150);
      for (std::size_t j = 0; j <= i; ++j) T[i * n + j] *= scale;
      std::fill(T + i * n + i + 1, T + (i + 1) * n, 0.0);
    }
  }
  return total;
}

double averaged_sigmoid(double mean, double variance) noexcept {
  constexpr double slopes[] = {0.41, 0.4, 0.37, 0.44, 0.39};
  constexpr double shares[] = {-1854.8214151, 3516.89893646, 221.29346712, 128.12323805, -2010.49422654};
  double sum = 0;
  for (int term = 0; term < 5; ++term)
    sum += 0.5 * shares[term] *
           (1 + std::erf(slopes[term] * mean / std::sqrt(1 + 2 * slopes[term] * slopes[term] * variance)));
  return std::clamp(sum, 0.0, 1.0);
}

}  // namespace mercer

#include "solvers/feature_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/blas.hpp"
#include "base/sample.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

namespace {

// Inner products of the columns of two p × k matrices; where all columns are one system, of the whole.
std::vector<double> column_products(std::span<const double> a, std::span<const double> b, std::size_t k,
                                    bool whole) {
  std::vector<double> sums(whole ? 1 : k, 0.0);
  for (std::size_t e = 0; e < a.size(); ++e) sums[whole ? 0 : e % k] += a[e] * b[e];
  return sums;
}

// A ridge below this share of the trace is lost in the rounding of float32: then the preconditioner is made
// in float64, where that takes little memory.
constexpr double drowned = 1e-8;

}  // namespace

void RowCurvatures::apply(Range rows, double* F, std::size_t k) const {
  if (outputs == 1) {
    for (std::size_t i = rows.begin; i < rows.end; ++i, F += k)
      for (std::size_t j = 0; j < k; ++j) F[j] *= s[i] * s[i];
    return;
  }
  for (std::size_t i = rows.begin; i < rows.end; ++i, F += outputs) {
    double along = 0;
    for (std::size_t o = 0; o < outputs; ++o) {
      F[o] *= s[i * outputs + o];
      if (!u.empty()) along += u[i * outputs + o] * F[o];
    }
    for (std::size_t o = 0; o < outputs; ++o)
      F[o] = s[i * outputs + o] * (F[o] - (u.empty() ? 0 : along * u[i * outputs + o]));
  }
}

// A sample of r·p rows takes 2r·p³ operations and leaves ln(1/reduction)/ln √r steps of n·p entries, an entry
// taking as long as 150 of these operations.
std::size_t FeatureSystem::sample_size(std::size_t n, std::size_t p, double reduction) {
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (double r = 2; r <= 64; r *= 2) {
    const double P = double(p),
                 cost = 2 * r * P * P * P - 2 * std::log(reduction) / std::log(r) * 150 * double(n) * P;
    if (cost < least) least = cost, best = r;
  }
  return std::min(n, std::max<std::size_t>(std::size_t(best) * p, 1024));
}

void FeatureSystem::prepare(const RowCurvatures& W, double c, Centre centre, const Progress& progress,
                            double reduction) {
  W_ = W;
  c_ = c;
  centre_ = std::move(centre);
  const std::size_t n = features_.rows(), p = features_.features();
  const std::vector<std::size_t> rows = sampled_rows(n, sample_size(n, p, reduction), options_.seed);
  sampled_ = rows.size();
  const double share = double(n) / double(rows.size());
  std::vector<double> roots;
  for (const std::size_t i : rows) {
    double sum = 0;
    for (std::size_t o = 0; o < W.outputs; ++o) {
      const double s = W.s[i * W.outputs + o], u = W.u.empty() ? 0 : W.u[i * W.outputs + o];
      sum += s * s * (1 - u * u);
    }
    roots.push_back(std::sqrt(std::max(0.0, sum) / double(W.outputs) * share));
  }
  const RowFeatures sample = features_.select(rows);
  const Buffer<float> G = sample.rough_normal_matrix_with(
      {}, 0, roots, [&](double done) { progress.check("preconditioner", 0.8 * done); });
  double trace = 0;
  for (std::size_t j = 0; j < p; ++j) trace += double(G[j * p + j]);
  const Progress last = progress.part(0.8, 1);
  single_ = {}, double_ = {};
  if (c < drowned * trace && p <= most_in_float64) {
    double_ = Buffer<double>(p * p);
    if (factor(sample.normal_matrix_with({}, 0, roots, {}), trace, double_, last)) return;
    double_ = {};
  }
  single_ = Buffer<float>(p * p);
  if (factor(G, trace, single_, last)) return;
  // Not even that: float32 cannot hold the features.
  std::fill_n(single_.data(), p * p, 0.0F);
  for (std::size_t j = 0; j < p; ++j) single_[j * p + j] = 1;
}

// The factor of G + cI. Where c drowns in the rounding of the sums, more is added.
template <class T>
bool FeatureSystem::factor(const Buffer<T>& G, double trace, Buffer<T>& L, const Progress& progress) const {
  const std::size_t p = features_.features();
  const double rounding = std::numeric_limits<T>::epsilon();
  for (double more = c_;; more = std::max(10 * more, rounding * trace / double(p))) {
    for (std::size_t i = 0; i < p; ++i) {
      std::copy_n(G.data() + i * p, i + 1, L.data() + i * p);
      for (std::size_t j = 0; j <= i && centre_.weight > 0; ++j)
        L[i * p + j] -= T(centre_.weight * centre_.mean[i] * centre_.mean[j]);
      L[i * p + i] += T(more);
    }
    if (cholesky_factor(L.data(), p, p, options_.threads, progress)) return true;
    if (!(more < 1e3 * trace)) return false;
  }
}

void FeatureSystem::multiply(std::span<const double> X, std::size_t k, std::span<double> out,
                             bool rough) const {
  const auto task = [&](Range rows, double* F) { W_.apply(rows, F, k); };
  rough ? features_.rough_pass(X, k, task, out) : features_.pass(X, k, task, out);
  ++passes_;
  if (!(centre_.weight > 0)) return;
  const std::size_t p = features_.features();
  for (std::size_t q = 0; q < k; ++q) {
    double along = 0;
    for (std::size_t j = 0; j < p; ++j) along += centre_.mean[j] * X[j * k + q];
    for (std::size_t j = 0; j < p; ++j) out[j * k + q] -= centre_.weight * along * centre_.mean[j];
  }
}

void FeatureSystem::precondition(std::vector<double>& V, std::size_t k) const {
  const std::size_t p = features_.features();
  if (!double_.empty()) return cholesky_solve(double_.data(), p, p, V.data(), k);
  Buffer<float> rounded(V.size());
  double largest = 0;  // so that no scale of R leaves the range of float32
  for (const double value : V) largest = std::max(largest, std::abs(value));
  if (!(largest > 0)) return;
  for (std::size_t e = 0; e < V.size(); ++e) rounded[e] = float(V[e] / largest);
  cholesky_solve(single_.data(), p, p, rounded.data(), k);
  for (std::size_t e = 0; e < V.size(); ++e) V[e] = largest * double(rounded[e]);
}

std::size_t FeatureSystem::descend(std::span<const double> R, std::size_t k, double reduction,
                                   std::span<double> X, const std::function<bool(double)>& go_on,
                                   bool rough) const {
  constexpr std::size_t most = 500;
  const bool whole = W_.outputs > 1;
  const std::size_t systems = whole ? 1 : k;
  std::vector<double> r(R.begin(), R.end()), z = r, d, A(R.size());
  std::ranges::fill(X, 0.0);
  precondition(z, k);
  d = z;
  const std::vector<double> first = column_products(r, r, k, whole);
  std::vector<double> rz = column_products(r, z, k, whole);
  std::size_t step = 0;
  while (step < most) {
    multiply(d, k, A, rough);
    for (std::size_t e = 0; e < A.size(); ++e) A[e] += c_ * d[e];
    ++step;
    const std::vector<double> dA = column_products(d, A, k, whole);
    std::vector<double> length(systems);
    for (std::size_t q = 0; q < systems; ++q) length[q] = dA[q] > 0 ? rz[q] / dA[q] : 0;
    for (std::size_t e = 0; e < r.size(); ++e) {
      const double t = length[whole ? 0 : e % k];
      X[e] += t * d[e];
      r[e] -= t * A[e];
    }
    const std::vector<double> now = column_products(r, r, k, whole);
    double left = 0;
    for (std::size_t q = 0; q < systems; ++q)
      if (first[q] > 0) left = std::max(left, std::sqrt(now[q] / first[q]));
    if (!go_on(left) || !(left > reduction)) break;
    z = r;
    precondition(z, k);
    const std::vector<double> next = column_products(r, z, k, whole);
    for (std::size_t e = 0; e < d.size(); ++e) {
      const std::size_t q = whole ? 0 : e % k;
      d[e] = z[e] + (rz[q] > 0 ? next[q] / rz[q] : 0) * d[e];
    }
    rz = next;
  }
  return step;
}

auto FeatureSystem::solve(std::span<const double> R, std::size_t k, double tolerance, std::span<double> X,
                          const Progress& progress, bool start) const -> Solution {
  const bool whole = W_.outputs > 1;
  const std::vector<double> size = column_products(R, R, k, whole);
  Solution solution{.HX = std::vector<double>(R.size(), 0.0)};
  std::vector<double> left(R.begin(), R.end()), change(R.size());
  const auto measure = [&] {
    multiply(X, k, solution.HX);
    for (std::size_t e = 0; e < left.size(); ++e) left[e] = R[e] - solution.HX[e] - c_ * X[e];
    const std::vector<double> now = column_products(left, left, k, whole);
    double largest = 0;
    for (std::size_t q = 0; q < now.size(); ++q)
      if (size[q] > 0) largest = std::max(largest, std::sqrt(now[q] / size[q]));
    return largest;
  };
  if (!start) std::ranges::fill(X, 0.0);
  double residual = start ? measure() : std::ranges::any_of(size, [](double s) { return s > 0; }) ? 1.0 : 0.0;
  bool going = true;
  while (residual > tolerance && going) {
    const double before = residual;
    const auto told = [&](double share) {
      const double now = before * share;
      going = !progress || progress(fmt::format("residual {:.1e}", now), decades_done(1, now, tolerance));
      return going;
    };
    solution.iterations += descend(left, k, 0.5 * tolerance / residual, change, told);
    for (std::size_t e = 0; e < X.size(); ++e) X[e] += change[e];
    residual = measure();
    if (residual > 0.5 * before) break;  // float64 carries no further
  }
  solution.residual = residual;
  solution.converged = residual <= tolerance;
  return solution;
}

}  // namespace mercer

#include "solvers/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mercer {

namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The sum of each of k columns.
std::vector<double> column_sums(std::span<const double> V, std::size_t k) {
  std::vector<double> sums(k, 0);
  for (std::size_t i = 0; i < V.size(); ++i) sums[i % k] += V[i];
  return sums;
}

std::vector<double> with_level(std::span<const double> f, std::span<const double> b) {
  std::vector<double> all(f.begin(), f.end());
  for (std::size_t e = 0; e < all.size(); ++e) all[e] += b[e % b.size()];
  return all;
}

double loss_beside(const RiskProblem& p, std::span<const double> f, std::span<const double> b) {
  std::vector<double> losses(p.y.size());
  p.loss.values(p.y, with_level(f, b), losses);
  return inner(p.v, losses);
}

// Where the work stands: A, b, Ka = KA, and what the loss says there.
class RiskDescent {
 public:
  RiskDescent(KernelSystem& system, const RiskProblem& problem)
      : system_(system),
        p_(problem),
        n_(problem.y.size()),
        k_(problem.outputs),
        A(n_ * k_, 0.0),
        Ka(n_ * k_, 0.0),
        b(k_, 0.0),
        r(n_ * k_),
        Kr(n_ * k_) {}

  std::size_t n() const { return n_; }
  std::size_t k() const { return k_; }
  std::vector<double> f() const { return with_level(Ka, b); }

  double loss_at(std::span<const double> ka, std::span<const double> bias) const {
    return loss_beside(p_, ka, bias);
  }

  // K V, from the product with K + κ11ᵀ.
  void multiply(std::span<const double> V, std::span<double> out) const {
    system_.multiply(V, k_, out);
    if (p_.constant == 0) return;
    const std::vector<double> sums = column_sums(V, k_);
    for (std::size_t e = 0; e < out.size(); ++e) out[e] -= p_.constant * sums[e % k_];
  }

  // r = v∘L′ + 2λA and K r; the norm of the gradient.
  double gradient() {
    slope.assign(k_, 0);
    p_.loss.derivatives(p_.y, f(), r);
    for (std::size_t e = 0; e < n_ * k_; ++e) {
      const double g = p_.v[e / k_] * r[e];
      r[e] = g + 2 * p_.lambda * A[e];
      slope[e % k_] += g;
    }
    multiply(r, Kr);
    return std::sqrt(std::max(0.0, inner(r, Kr)) + ((p_.constant > 0) ? inner(slope, slope) : 0));
  }

  double norm() const { return inner(A, Ka); }
  double risk() const { return loss_at(Ka, b) + p_.lambda * norm(); }

  void fit_bias() {
    if (p_.constant > 0) fit_constant(p_, Ka, b);
  }

  RiskSolution result(double gradient, std::size_t steps, double tolerance) {
    // Of several outputs b is free up to a shift of all: the one whose sum is 0.
    if (k_ > 1 && p_.constant > 0) {
      double mean = 0;
      for (const double level : b) mean += level / double(k_);
      for (double& level : b) level -= mean;
    }
    RiskSolution solution{.A = A, .b = b, .f = f()};
    solution.norm = norm();
    solution.loss = loss_at(Ka, b);
    solution.risk = solution.loss + p_.lambda * solution.norm;
    solution.gradient = gradient;
    solution.steps = steps;
    solution.converged = gradient <= tolerance;
    return solution;
  }

 private:
  KernelSystem& system_;
  const RiskProblem& p_;
  std::size_t n_, k_;

 public:
  std::vector<double> A, Ka, b;      // n × k, n × k, k
  std::vector<double> r, Kr, slope;  // n × k, n × k, k: the gradient
};

// W = BBᵀ, B = diag(s)(I − uuᵀ) for each row.
struct Curvature {
  std::size_t n, k;
  std::vector<double> s, u;  // n × k each

  // The second derivative at the state, times v, with `more` added to the curvature of each row.
  Curvature(const RiskDescent& state, const RiskProblem& p, double more)
      : n(state.n()), k(state.k()), s(n * k), u(n * k) {
    p.loss.curvatures(p.y, state.f(), s, u);
    for (std::size_t e = 0; e < n * k; ++e) s[e] = std::sqrt(p.v[e / k] * (s[e] * s[e] + more));
  }
  RowFactors factors() const { return {s, u, k}; }
};

struct NewtonStep {
  std::vector<double> D, d;  // n × k, k
};

// (c + BᵀK̃B) X = R. The step changes BᵀK̃D by X + residual/c: the residual must be small against cX, not R.
void solve_inside(KernelSystem& system, const Curvature& W, double c, std::span<const double> R,
                  double tolerance, std::span<double> X, const Progress& progress) {
  double aim = tolerance, before = std::numeric_limits<double>::infinity();
  for (bool start = false;; start = true) {
    const auto solved = W.k > 1 ? system.solve(W.factors(), c, R, 1, aim, X, progress, start)
                                : system.solve(W.s, c, R, 1, aim, X, progress, start);
    // float64 gives no more.
    const double needed = std::max(1e-11, tolerance * c * std::sqrt(inner(X, X) / inner(R, R)));
    if (!(solved.residual > needed) || !(solved.residual < 0.5 * before)) return;
    before = solved.residual;
    aim = 0.5 * needed;
  }
}

NewtonStep newton_step(KernelSystem& system, const RiskProblem& p, const RiskDescent& state,
                       const Curvature& W, double tolerance, const Progress& progress) {
  const std::size_t k = state.k();
  const RowFactors B = W.factors();
  const std::vector<double> sums = column_sums(state.A, k);
  std::vector<double> right(state.r.size()), R(right.size()), X(right.size());
  for (std::size_t e = 0; e < right.size(); ++e) right[e] = p.constant * sums[e % k];
  B.apply_transposed(right, 1);
  B.apply(right, 1);
  for (std::size_t e = 0; e < right.size(); ++e) right[e] = -state.r[e] - right[e];
  system.multiply(right, k, R);
  B.apply_transposed(R, 1);
  solve_inside(system, W, 2 * p.lambda, R, tolerance, X, progress);
  B.apply(X, 1);
  for (std::size_t e = 0; e < X.size(); ++e) X[e] = (right[e] - X[e]) / (2 * p.lambda);
  NewtonStep step{.D = std::move(X), .d = sums};
  const std::vector<double> change = column_sums(step.D, k);
  for (std::size_t c = 0; c < k; ++c) step.d[c] = p.constant * (sums[c] + change[c]);
  return step;
}

// Goes along (D, d) while the risk falls as its slope promises (Armijo 1966); false: not even a part of it.
bool go_along(const RiskProblem& p, RiskDescent& state, std::span<const double> D, std::span<const double> d,
              double least) {
  const std::size_t k = state.k();
  std::vector<double> KD(D.size());
  state.multiply(D, KD);
  const double before = state.risk(),
               promised = inner(state.Kr, D) + ((p.constant > 0) ? inner(state.slope, d) : 0);
  if (!(promised < 0)) return false;
  const double rounding = 1e-12 * std::abs(before);
  const double AKA = state.norm(), AKD = inner(state.A, KD), DKD = inner(D, KD);
  std::vector<double> Ka(D.size()), b(k);
  for (double length = 1; length >= least; length /= 2) {
    for (std::size_t e = 0; e < D.size(); ++e) Ka[e] = state.Ka[e] + length * KD[e];
    for (std::size_t c = 0; c < k; ++c) b[c] = state.b[c] + length * d[c];
    const double risk = state.loss_at(Ka, b) + p.lambda * (AKA + 2 * length * AKD + length * length * DKD);
    // Near the minimum the fall drowns in the rounding of the risk: the whole step is then taken on trust.
    const bool drowns = length == 1 && -promised <= rounding && risk <= before + rounding;
    const bool falls = drowns || risk <= before + 1e-4 * length * promised;
    if (!std::isfinite(risk) || !falls) continue;
    for (std::size_t e = 0; e < D.size(); ++e) state.A[e] += length * D[e];
    state.Ka = std::move(Ka);
    state.b = std::move(b);
    return true;
  }
  return false;
}

bool tell(const RiskOptions& options, double first, double gradient) {
  return !options.progress || options.progress(fmt::format("gradient {:.2g}", gradient / options.unit),
                                               decades_done(first, gradient, options.tolerance));
}

}  // namespace

void fit_constant(const RiskProblem& p, std::span<const double> f, std::vector<double>& b) {
  const std::size_t k = p.outputs;
  std::vector<double> g(f.size()), s(f.size()), u(f.size());
  for (int step = 0; step < 50; ++step) {
    std::vector<double> first(k, 0), second(k, 0), next = b;
    const std::vector<double> now = with_level(f, b);
    p.loss.derivatives(p.y, now, g);
    p.loss.curvatures(p.y, now, s, u);
    for (std::size_t e = 0; e < f.size(); ++e) {
      first[e % k] += p.v[e / k] * g[e];
      second[e % k] += p.v[e / k] * s[e] * s[e];  // W ⪯ diag(s²)
    }
    const double before = loss_beside(p, f, b);
    double largest = 0, length = 1;
    for (; length > 1e-6; length /= 2) {
      largest = 0;
      for (std::size_t c = 0; c < k; ++c) {
        // Where the loss is flat the step is long, but not where the slope vanishes too (no counts at all).
        const double change = -length * first[c] / std::max({second[c], 1e-3 * std::abs(first[c]), 1e-300});
        next[c] = b[c] + change;
        largest = std::max(largest, std::abs(change));
      }
      if (loss_beside(p, f, next) <= before) break;
    }
    if (length <= 1e-6) return;
    b = next;
    if (largest < 1e-10) return;
  }
}

RiskSolution minimise_risk(KernelSystem& system, const RiskProblem& problem, const RiskOptions& options) {
  RiskDescent state(system, problem);
  state.fit_bias();
  double gradient = state.gradient(), more = 0;
  const double first = gradient;
  std::size_t steps = 0;
  // Steps update Ka; the certificate is computed anew, and where it is not what the steps said, they go on.
  bool certified = true;
  const auto certify = [&] {
    state.multiply(state.A, state.Ka);
    certified = true;
    return state.gradient();
  };
  // Of few rows a step costs next to nothing and doubles the digits: one more makes the answer the same on
  // every CPU, far beyond the tolerance.
  constexpr std::size_t few = 1000;
  bool polished = state.A.size() > few;
  int certificates = 0;
  const auto go_on = [&] { return tell(options, first, gradient); };
  while (steps < options.most_steps && go_on()) {
    if (gradient <= options.tolerance) {
      if (!certified && ++certificates <= 3) {
        gradient = certify();
        continue;
      }
      if (polished || gradient == 0) break;
      polished = true;
    }
    certified = false;
    ++steps;
    const Curvature W(state, problem, more);
    // Quadratic convergence: a residual that falls with the gradient (Dembo, Eisenstat & Steihaug 1982).
    const double inner = std::clamp(0.1 * gradient / first, 1e-4, 0.1);
    const NewtonStep step =
        newton_step(system, problem, state, W, inner, [&](std::string_view, double) { return go_on(); });
    if (!go_on()) break;  // the step was cut short
    if (go_along(problem, state, step.D, step.d, 0.1)) {
      more = more < 1e-3 ? 0 : more / 10;
      state.fit_bias();  // the penalty on d holds b back where λ/κ is not small
    } else if (more > 1e6 || gradient <= options.tolerance) {
      break;
    } else {
      more = std::max(1.0, 10 * more);
    }
    gradient = state.gradient();
  }
  if (!certified) gradient = certify();
  return state.result(gradient, steps, options.tolerance);
}

RiskSolution descend_risk(KernelSystem& system, const RiskProblem& problem, const RiskOptions& options) {
  RiskDescent state(system, problem);
  double gradient = state.gradient(), rate = 1;
  const double first = gradient;
  std::size_t steps = 0;
  while (gradient > options.tolerance && steps < options.most_steps && tell(options, first, gradient)) {
    ++steps;
    std::vector<double> D(state.r), d(state.slope);
    for (double& x : D) x *= -rate;
    for (double& x : d) x *= (problem.constant > 0) ? -rate : 0;
    const bool fell = go_along(problem, state, D, d, 0.6);
    if (!fell && rate < 1e-18) break;
    rate *= fell ? 1.5 : 0.5;
    gradient = state.gradient();
  }
  return state.result(gradient, steps, options.tolerance);
}

}  // namespace mercer

// Smooth losses over the rows of all ranks: Newton's method of solvers/newton.hpp, one output,
//   min Σ vᵢ L(yᵢ, f(xᵢ) + b) + λ‖f‖²,   Σ v = 1,
// whose systems (2λ + S K̃ S) X = R, S² = v L″, K̃ = K + κ11ᵀ, are those of SpreadSystem. Over a kernel
// approximation with features Φ the steps are (ΦᵀS²Φ + 2λ)d = −gradient, whose matrix is a sum over all
// ranks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "cluster/spread_fit.hpp"
#include "cluster/spread_system.hpp"
#include "mercer/loss.hpp"
#include "methods/svm_trainer.hpp"
#include "operators/row_features.hpp"

namespace mercer::cluster {

namespace {

constexpr std::size_t most_steps = 200;

// What the loss says of the own rows at f + b.
struct RowRisk {
  const Communicator& ranks;
  const Loss& loss;
  std::vector<double> y, v;

  double inner(std::span<const double> a, std::span<const double> b) const {
    return ranks.sum(std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
  }
  std::vector<double> at(std::span<const double> f, double b) const {
    std::vector<double> all(f.begin(), f.end());
    for (double& value : all) value += b;
    return all;
  }
  double value(std::span<const double> f, double b) const {
    std::vector<double> losses(y.size());
    if (!y.empty()) loss.values(y, at(f, b), losses);
    return inner(v, losses);
  }
  std::vector<double> slopes(std::span<const double> f, double b) const {  // v L′
    std::vector<double> g(y.size());
    if (!y.empty()) loss.derivatives(y, at(f, b), g);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] *= v[i];
    return g;
  }
  std::vector<double> roots(std::span<const double> f, double b, double more) const {  // √(v (L″ + more))
    std::vector<double> s(y.size()), u(y.size());
    if (!y.empty()) loss.curvatures(y, at(f, b), s, u);
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = std::sqrt(v[i] * (s[i] * s[i] + more));
    return s;
  }
  // The best constant beside f, by Newton's method on b alone.
  double best_constant(std::span<const double> f, double b) const {
    for (int step = 0; step < 50; ++step) {
      const std::vector<double> g = slopes(f, b), s = roots(f, b, 0);
      double sums[2] = {std::accumulate(g.begin(), g.end(), 0.0),
                        std::inner_product(s.begin(), s.end(), s.begin(), 0.0)};
      ranks.sum(std::span(sums));
      const double before = value(f, b),
                   whole = -sums[0] / std::max({sums[1], 1e-3 * std::abs(sums[0]), 1e-300});
      double length = 1;
      while (length > 1e-6 && value(f, b + length * whole) > before) length /= 2;
      if (length <= 1e-6) return b;
      b += length * whole;
      if (std::abs(length * whole) < 1e-10) return b;
    }
    return b;
  }
};

struct Found {
  double gradient = 0, first = 0, loss = 0, norm = 0, b = 0;
  std::size_t steps = 0;
  std::size_t earlier = 0;  // steps of the run whose checkpoint this one went on from
};

// --- Over the rows of K.
class DualNewton {
 public:
  DualNewton(const SpreadTraining& training, const RowRisk& risk, double lambda, bool bias)
      : training_(training), ranks_(training.ranks), risk_(risk), lambda_(lambda), n_(training.own.rows()) {
    std::vector<double> diagonal(n_);
    if (n_ > 0)
      KernelOperator<double>(training.kernel, training.own, {.threads = training.options.fit.threads})
          .diagonal(diagonal);
    const double mean =
        ranks_.sum(std::accumulate(diagonal.begin(), diagonal.end(), 0.0)) / double(training.rows);
    constant_ = !bias ? 0 : mean > 0 ? mean : 1;
    const Kernel kernel =
        bias ? training.kernel + Kernel::parse(fmt::format("constant(c={})", constant_)) : training.kernel;
    const FitOptions& o = training.options.fit;
    system_.emplace(ranks_, kernel, training.own,
                    SpreadSystemOptions{.threads = o.threads, .memory = o.memory, .seed = o.seed});
    A.assign(n_, 0.0);
    Ka_.assign(n_, 0.0);
    r_.resize(n_);
    Kr_.resize(n_);
  }

  Found run(SpreadWatch& watch, double tolerance) {
    if (constant_ > 0) found_.b = risk_.best_constant(Ka_, found_.b);
    double gradient = this->gradient(), more = 0;
    found_.first = gradient;
    if (const auto earlier = training_.checkpoint->read(n_, 1)) {
      found_.earlier = watch.iterations = earlier->iterations;
      A = earlier->X;
      multiply(A, Ka_);
      if (constant_ > 0) found_.b = risk_.best_constant(Ka_, found_.b);
      gradient = this->gradient();
    }
    const double scale = std::max(1.0, gradient);
    bool certified = true, polished = training_.rows > 1000, stopped = false;
    int certificates = 0;
    const auto certify = [&] {
      multiply(A, Ka_);
      certified = true;
      return this->gradient();
    };
    const auto go_on = [&] {
      stopped |=
          !watch.go_on([&](std::span<double> X) { std::ranges::copy(A, X.begin()); }, 1, gradient / scale);
      return !stopped;
    };
    while (found_.steps < most_steps && go_on()) {
      if (gradient <= tolerance * scale) {
        if (!certified && ++certificates <= 3) {
          gradient = certify();
          continue;
        }
        if (polished || gradient == 0) break;
        polished = true;
      }
      certified = false;
      ++found_.steps;
      const double accuracy = std::clamp(0.1 * gradient / found_.first, 1e-4, 0.1);
      if (step(accuracy, more)) {
        more = more < 1e-3 ? 0 : more / 10;
        if (constant_ > 0) found_.b = risk_.best_constant(Ka_, found_.b);
      } else if (more > 1e6 || gradient <= tolerance * scale) {
        break;
      } else {
        more = std::max(1.0, 10 * more);
      }
      gradient = this->gradient();
    }
    if (!certified) gradient = certify();
    found_.gradient = gradient;
    found_.norm = risk_.inner(A, Ka_);
    found_.loss = risk_.value(Ka_, found_.b);
    return found_;
  }

  const SpreadSystem& system() const { return *system_; }
  std::vector<double> A;

 private:
  void multiply(std::span<const double> V, std::span<double> out) const {
    system_->multiply(V, 1, out);
    if (constant_ == 0) return;
    const double sum = ranks_.sum(std::accumulate(V.begin(), V.end(), 0.0));
    for (double& value : out) value -= constant_ * sum;
  }

  double gradient() {
    r_ = risk_.slopes(Ka_, found_.b);
    slope_ = ranks_.sum(std::accumulate(r_.begin(), r_.end(), 0.0));
    for (std::size_t i = 0; i < n_; ++i) r_[i] += 2 * lambda_ * A[i];
    multiply(r_, Kr_);
    return std::sqrt(std::max(0.0, risk_.inner(r_, Kr_)) + (constant_ > 0 ? slope_ * slope_ : 0));
  }

  // The residual of the system must be small against cX: solvers/newton.cpp.
  void solve(std::span<const double> s, std::span<const double> R, double tolerance, std::span<double> X) {
    const double c = 2 * lambda_;
    double aim = tolerance, before = std::numeric_limits<double>::infinity();
    for (bool start = false;; start = true) {
      const auto solved = system_->solve(s, c, R, 1, aim, X, {}, start);
      const double R2 = risk_.inner(R, R),
                   needed = R2 > 0 ? std::max(1e-11, tolerance * c * std::sqrt(risk_.inner(X, X) / R2)) : 1;
      if (!(solved.residual > needed) || !(solved.residual < 0.5 * before)) return;
      before = solved.residual;
      aim = 0.5 * needed;
    }
  }

  bool step(double accuracy, double more) {
    const std::vector<double> s = risk_.roots(Ka_, found_.b, more);
    const double sum = ranks_.sum(std::accumulate(A.begin(), A.end(), 0.0));
    std::vector<double> right(n_), R(n_), X(n_);
    for (std::size_t i = 0; i < n_; ++i) right[i] = -r_[i] - s[i] * s[i] * constant_ * sum;
    system_->multiply(right, 1, R);
    for (std::size_t i = 0; i < n_; ++i) R[i] *= s[i];
    solve(s, R, accuracy, X);
    for (std::size_t i = 0; i < n_; ++i) X[i] = (right[i] - s[i] * X[i]) / (2 * lambda_);
    const double d = constant_ * (sum + ranks_.sum(std::accumulate(X.begin(), X.end(), 0.0)));
    return go_along(X, d);
  }

  bool go_along(std::span<const double> D, double d) {
    std::vector<double> KD(n_), Ka(n_);
    multiply(D, KD);
    const double AKA = risk_.inner(A, Ka_), AKD = risk_.inner(A, KD), DKD = risk_.inner(D, KD),
                 before = risk_.value(Ka_, found_.b) + lambda_ * AKA,
                 promised = risk_.inner(Kr_, D) + (constant_ > 0 ? slope_ * d : 0),
                 rounding = 1e-12 * std::abs(before);
    if (!(promised < 0)) return false;
    for (double length = 1; length >= 0.1; length /= 2) {
      for (std::size_t i = 0; i < n_; ++i) Ka[i] = Ka_[i] + length * KD[i];
      const double b = found_.b + (constant_ > 0 ? length * d : 0);
      const double risk = risk_.value(Ka, b) + lambda_ * (AKA + 2 * length * AKD + length * length * DKD);
      const bool drowns = length == 1 && -promised <= rounding && risk <= before + rounding;
      if (!std::isfinite(risk) || !(drowns || risk <= before + 1e-4 * length * promised)) continue;
      for (std::size_t i = 0; i < n_; ++i) A[i] += length * D[i];
      Ka_ = std::move(Ka);
      found_.b = b;
      return true;
    }
    return false;
  }

  const SpreadTraining& training_;
  const Communicator& ranks_;
  const RowRisk& risk_;
  double lambda_, constant_ = 0, slope_ = 0;
  std::size_t n_;
  std::optional<SpreadSystem> system_;
  std::vector<double> Ka_, r_, Kr_;
  Found found_;
};

// --- Over features: w, and b where it is free, together; all numbers but the rows' are the same on all
// ranks.
struct PrimalNewton {
  const SpreadTraining& training;
  const RowRisk& risk;
  double lambda;
  bool bias;
  std::size_t p = training.map->features();
  RowFeatures features{training.map->row_map(), training.own, training.options.fit.threads, 0};
  std::vector<double> w = std::vector<double>(p, 0.0);

  std::vector<double> values(std::span<const double> weights) const {
    std::vector<double> f(risk.y.size());
    if (!f.empty()) features.multiply(weights, 1, f);
    return f;
  }
  // Of w, then of b.
  std::vector<double> gradient(std::span<const double> f, double b) const {
    const std::vector<double> g = risk.slopes(f, b);
    std::vector<double> all(p + 1, 0.0);
    if (!g.empty()) features.multiply_transposed(g, 1, std::span(all).first(p));
    all[p] = std::accumulate(g.begin(), g.end(), 0.0);
    risk.ranks.sum(std::span(all));
    for (std::size_t j = 0; j < p; ++j) all[j] += 2 * lambda * w[j];
    if (!bias) all[p] = 0;
    return all;
  }
  double norm() const { return std::inner_product(w.begin(), w.end(), w.begin(), 0.0); }

  Found run(SpreadWatch& watch, double tolerance) {
    Found found;
    std::vector<double> f(risk.y.size(), 0.0);
    if (bias) found.b = risk.best_constant(f, 0);
    double more = 0;
    std::vector<double> g = gradient(f, found.b);
    const auto length_of = [](std::span<const double> v) {
      return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
    };
    found.first = found.gradient = length_of(g);
    const double goal = tolerance * std::max(1.0, found.first);
    // One step beyond the tolerance, as of few rows on one machine: it doubles the digits.
    for (bool polished = false; found.steps < most_steps; ++found.steps) {
      if (!watch.go_on([&](std::span<double> X) { std::ranges::fill(X, 0.0); }, 1, found.gradient)) break;
      if (found.gradient <= goal && std::exchange(polished, true)) break;
      if (found.gradient == 0) break;
      const std::vector<double> d = direction(f, found.b, g, more);
      const double before = risk.value(f, found.b) + lambda * norm();
      const double promised = std::inner_product(g.begin(), g.end(), d.begin(), 0.0);
      const std::vector<double> Fd = values(std::span(d).first(p)), start = w;
      bool moved = false;
      for (double length = 1; length >= 0.1 && !moved; length /= 2) {
        std::vector<double> next = f;
        for (std::size_t i = 0; i < f.size(); ++i) next[i] += length * Fd[i];
        for (std::size_t j = 0; j < p; ++j) w[j] = start[j] + length * d[j];
        const double b = found.b + length * d[p], now = risk.value(next, b) + lambda * norm(),
                     rounding = 1e-12 * std::abs(before);
        moved = std::isfinite(now) && (now <= before + 1e-4 * length * promised ||
                                       (length == 1 && -promised <= rounding && now <= before + rounding));
        if (moved) f = std::move(next), found.b = b;
      }
      if (moved) {
        more = more < 1e-3 ? 0 : more / 10;
      } else {
        w = start;
        if (more > 1e6 || found.gradient <= goal) break;
        more = std::max(1.0, 10 * more);
      }
      g = gradient(f, found.b);
      found.gradient = length_of(g);
    }
    f = values(w);  // the certificate, anew
    found.gradient = length_of(gradient(f, found.b));
    found.loss = risk.value(f, found.b);
    found.norm = norm();
    return found;
  }

  std::vector<double> direction(std::span<const double> f, double b, std::span<const double> g,
                                double more) const {
    const std::size_t size = p + 1;
    const SingleThreadedBlas one_thread;  // so that the bits do not depend on the threads
    std::vector<double> H(size * size, 0.0), d(g.begin(), g.end());
    if (!f.empty()) {
      const std::vector<double> ones(f.size(), 1.0), s = risk.roots(f, b, more);
      const Buffer<double> own = features.normal_matrix_with(ones, 1, s, {});
      for (std::size_t i = 0; i < size; ++i) std::copy_n(own.data() + i * size, i + 1, H.data() + i * size);
    }
    risk.ranks.sum(std::span(H));
    for (std::size_t j = 0; j < p; ++j) H[j * size + j] += 2 * lambda;
    const std::size_t used = bias ? size : p;
    for (double& value : d) value = -value;
    if (!lapack::potrf(H.data(), used, size))
      throw AgreedError(Error(ErrorCode::rank_deficient, "the curvature of the risk is singular",
                              {.hint = "take a larger lambda"}));
    trsv(CblasLower, CblasNoTrans, CblasNonUnit, used, H.data(), size, d.data(), 1);
    trsv(CblasLower, CblasTrans, CblasNonUnit, used, H.data(), size, d.data(), 1);
    if (!bias) d[p] = 0;
    return d;
  }
};

Fitted fit_risk(const SpreadTraining& training, const Loss& loss, Rule rule) {
  const Communicator& ranks = training.ranks;
  const double lambda = training.number("lambda");
  const bool bias = training.word("bias") == "free";
  in_step(ranks, [&] {
    if (!training.training) return;
    if (loss.task() == Task::classification)
      (void)rows_by_class(*training.training);  // refuses a single class
    else
      check_targets(loss, training.training->target.values);
    if (training.outputs > 1) throw Error(ErrorCode::wrong_target, "the target has several columns");
  });
  RowRisk risk{ranks, loss, training.Y, training.weights};
  if (loss.task() == Task::classification)
    for (double& code : risk.y) code = code == 0 ? 1 : -1;
  for (double& v : risk.v) v /= training.total_weight;
  SpreadWatch watch(training);
  Found found;
  std::size_t evaluations = 0;
  std::string words;
  std::vector<double> A;
  std::optional<Fitted> fitted;
  if (training.map) {
    PrimalNewton newton{training, risk, lambda, bias};
    found = newton.run(watch, training.tolerance);
    words = fmt::format("over {} features, summed over {} ranks", newton.p, ranks.size());
    evaluations = training.rows * newton.p * (found.steps + 1);
    if (ranks.first()) {
      fitted = over_weights(newton.features, newton.w, 1, rule);
      fitted->rho = {-found.b};
    }
  } else {
    DualNewton newton(training, risk, lambda, bias);
    found = newton.run(watch, training.tolerance);
    words = newton.system().words();
    evaluations = ranks.sum(newton.system().evaluations());
    A = ranks.gather(std::span<const double>(newton.A));
    if (ranks.first()) fitted = expand(*training.training, *training.all, std::move(A), {-found.b}, rule);
  }
  if (!fitted) return {.expansion = {training.kernel}};
  FitReport& report = fitted->report;
  if (training.map) report.support_vectors = training.rows;
  report.certificate = CertificateKind::gradient_norm;
  report.violation = found.gradient / std::max(1.0, found.first);
  report.tolerance = training.tolerance;
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short && report.violation <= training.tolerance;
  report.iterations = found.steps;
  report.kernel_evaluations = evaluations;
  report.loss = found.loss;
  report.norm = found.norm;
  report.objective = found.loss + lambda * std::max(0.0, found.norm);
  report.solver = fmt::format("Newton's method, {} steps; {}", found.steps, words);
  if (found.earlier > 0) report.solver += fmt::format("; after {} steps of an earlier run", found.earlier);
  if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the gradient's norm is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  return std::move(*fitted);
}

}  // namespace

Fitted spread_logistic(const SpreadTraining& training) {
  return fit_risk(training, *loss_named("logistic"), Rule::softmax);
}

Fitted spread_poisson(const SpreadTraining& training) {
  return fit_risk(training, *loss_named("poisson"), Rule::rate);
}

Fitted spread_huber(const SpreadTraining& training) {
  AnyLoss loss = loss_named("huber");
  loss->set("delta", training.number("delta"));
  return fit_risk(training, *loss, Rule::value);
}

}  // namespace mercer::cluster

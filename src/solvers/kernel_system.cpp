#include "solvers/kernel_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// Up to so many rows one K in float64, and a Cholesky factor of it, take less time than anything that would
// avoid them.
constexpr std::size_t small = 1024;
constexpr std::size_t most_iterations = 5000;
constexpr std::size_t least_rank = 8;
// One system needs no more; then K is held in float64, where it fits.
constexpr std::size_t products_before_holding = 3;

std::string megabytes(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.2f} GB", bytes / 1e9);
}

void check_system(std::size_t n, std::span<const double> s, double c, std::span<const double> R,
                  std::size_t k, double tolerance, std::span<const double> X) {
  if (!(c >= 0) || std::isinf(c))
    throw Error(ErrorCode::invalid_parameter, fmt::format("c is {}", c),
                {.hint = "it must be a number of at least 0"});
  if (!(tolerance > 0))
    throw Error(ErrorCode::invalid_parameter, fmt::format("the tolerance is {}", tolerance),
                {.hint = "it must be above 0"});
  if (!s.empty() && s.size() != n)
    throw Error(ErrorCode::invalid_argument, fmt::format("S has {} numbers", s.size()),
                {.hint = fmt::format("it must have {} or none", n)});
  if (R.size() != n * k || X.size() != n * k)
    throw Error(ErrorCode::invalid_argument, fmt::format("R has {} numbers and X {}", R.size(), X.size()),
                {.hint = fmt::format("both must have {} × {}", n, k)});
  for (const double value : s)
    if (!(value >= 0) || std::isinf(value))
      throw Error(ErrorCode::invalid_parameter, fmt::format("S holds {}", value),
                  {.hint = "its numbers must be at least 0"});
  for (const double value : R)
    if (!std::isfinite(value))
      throw Error(ErrorCode::not_finite, fmt::format("a right-hand side holds {}", value),
                  {.hint = "all numbers must be finite"});
}

}  // namespace

namespace {

OperatorOptions::Storage storage_for(std::size_t n, const SystemOptions& options) {
  const bool held = options.way == "auto" && n <= small && 2 * HeldInverse::bytes(n) <= options.memory;
  return held ? OperatorOptions::Storage::held : OperatorOptions::Storage::recomputed;
}

}  // namespace

KernelSystem::KernelSystem(const Kernel& kernel, const Points& points, const SystemOptions& options)
    : options_(options),
      progress_(options.progress),
      stored_(points.stored() / std::max<std::size_t>(points.rows(), 1)),
      K_(std::in_place, kernel, points,
         OperatorOptions{.storage = storage_for(points.rows(), options),
                         .memory = options.memory,
                         .threads = options.threads}) {
  const std::string& way = options.way;
  if (way != "auto" && way != "cholesky" && way != "cg")
    throw Error(ErrorCode::unknown_name, fmt::format("the way '{}' is unknown", way),
                {.hint = "it must be auto, cholesky or cg"});
  const std::size_t needed = way == "cholesky" ? DenseInverse<float>::bytes(size())
                                               : std::min(size(), least_rank) * size() * sizeof(double);
  if (!fits(needed))
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the systems of {} rows take at least {} but {} are allowed", size(),
                            megabytes(double(needed)), megabytes(double(options.memory))));
  if (K_->held()) return;
  single_K_.emplace(
      kernel, points,
      OperatorOptions{.memory = options.memory, .threads = options.threads, .note_overflow = true});
  if (!single_K_->finite()) single_K_.reset();
}

KernelSystem::KernelSystem(std::shared_ptr<const FeatureOperator> features, const SystemOptions& options,
                           std::optional<Exact> exact)
    : options_(options),
      progress_(options.progress),
      features_(std::move(features)),
      given_(std::move(exact)) {
  primal_.emplace(*features_, options.threads, progress_);
}

std::size_t KernelSystem::taken() const {
  return (single_ ? single_->held_bytes() : 0) + (exact_ ? exact_->held_bytes() : 0) +
         (pivoted_ ? pivoted_->bytes() : 0) + (cholesky_ ? DenseInverse<float>::bytes(size()) : 0) +
         (cholesky_double_ ? DenseInverse<double>::bytes(size()) : 0);
}

/// Lets go of what is kept, if it must, so that `bytes` more are within the memory.
void KernelSystem::release_for(std::size_t bytes) {
  if (taken() + bytes <= options_.memory) return;
  evaluations_ = evaluations();
  exact_.reset(), single_.reset(), pivoted_.reset(), cholesky_.reset(), cholesky_double_.reset();
}

std::size_t KernelSystem::evaluations() const noexcept {
  const std::size_t dense = size() * (size() + 1) / 2;
  if (K_ && K_->held()) return dense;
  return evaluations_ + (exact_ ? exact_->evaluations() : 0) + (single_ ? single_->evaluations() : 0) +
         (pivoted_ ? pivoted_->evaluations() : 0) + (cholesky_ ? dense : 0) + (cholesky_double_ ? dense : 0) +
         (eigen_ ? dense : 0);
}

void KernelSystem::multiply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  if (features_) {
    std::vector<double> small(features_->features() * k);
    features_->multiply_transposed(V, k, small);
    return features_->multiply(small, k, out);
  }
  if (const double* K = K_->held()) {
    const SingleThreadedBlas one_thread;
    const std::size_t n = size();
    if (k == 1) return gemv(CblasNoTrans, n, n, 1, K, n, V.data(), 1, 0, out.data(), 1);
    return gemm(CblasNoTrans, CblasNoTrans, n, k, n, 1, K, n, V.data(), k, 0, out.data(), k);
  }
  const std::size_t whole = SymmetricProduct<double>::whole_bytes(size());
  // Cheap entries are computed again in the time that it takes to fetch them, and leave the memory alone.
  const bool hold = products_++ >= products_before_holding && !K_->cheap() &&
                    (!exact_ || !exact_->all_held()) && whole <= left(taken());
  if (!exact_ || hold) {
    evaluations_ += exact_ ? exact_->evaluations() : 0;
    exact_.emplace(*K_, hold ? whole : 0, options_.threads, progress_);
  }
  exact_->multiply(V, k, out);
}

auto KernelSystem::first_plan(const LinearSystem& system) const -> Plan {
  const double c = system.c;
  if (primal_) return Plan::primal;
  if (K_->held() && !system.factors) return Plan::held;
  const Plan dense = single_K_ ? Plan::cholesky : Plan::cholesky_double;
  const bool dense_fits =
      fits(single_K_ ? DenseInverse<float>::bytes(size()) : DenseInverse<double>::bytes(size()));
  if (options_.way == "cholesky") return dense;
  if (options_.way == "auto" && dense_fits && !system.factors &&
      (size() <= small || c == 0 || c <= cholesky_below_))
    return dense;
  return single_K_ ? Plan::pivoted : Plan::pivoted_double;
}

/// What is tried where a plan did not come to an end.
auto KernelSystem::next_plan(Plan plan, const LinearSystem& system) const -> Plan {
  // A dense factor is made for one output: of several, the low-rank one that knows them all is better.
  if (system.factors) return plan == Plan::pivoted ? Plan::pivoted_double : Plan::none;
  const bool dense = cholesky_allowed(), exact = dense && fits(DenseInverse<double>::bytes(size()));
  switch (plan) {
    case Plan::primal:
      return given_ && exact ? Plan::cholesky_double : Plan::none;
    case Plan::pivoted:
      return dense && fits(DenseInverse<float>::bytes(size())) ? Plan::cholesky : Plan::pivoted_double;
    case Plan::cholesky:
    case Plan::pivoted_double:
      return exact ? Plan::cholesky_double : Plan::none;
    // Where there is a factor but the residual stays, rounding is the limit, and eigenvalues would not help.
    case Plan::held:
    case Plan::cholesky_double:
      return !prepared_ && fits(PseudoInverse::bytes(size())) ? Plan::eigen : Plan::none;
    default:
      return Plan::none;
  }
}

SystemCosts KernelSystem::costs(const LinearSystem& system, double held) const {
  return {
      .n = size(),
      .features = stored_,
      .held = held,
      .right_hand_sides = double(system.columns()),
      .tolerance = std::clamp(system.tolerance, 1e-16, 0.5),
      .cholesky_possible = options_.way == "auto" && single_K_ && fits(DenseInverse<float>::bytes(size()))};
}

double KernelSystem::mean_diagonal() const {
  std::vector<double> diagonal(size());
  K_->diagonal(diagonal);
  return size() > 0 ? std::accumulate(diagonal.begin(), diagonal.end(), 0.0) / double(size()) : 0;
}

void KernelSystem::make_pivoted(bool single, const LinearSystem& system) {
  const std::size_t whole = SymmetricProduct<float>::whole_bytes(size());
  if (single && !single_) {
    release_for(std::min(whole, options_.memory));
    // Where K does not fit, the preconditioner needs the memory more: a part of K saves that part of an
    // iteration, a larger rank saves iterations.
    const std::size_t most = options_.memory / 8 * 7, part = K_->cheap() ? 0 : options_.memory / 2;
    single_.emplace(*single_K_, whole <= most ? whole : part, options_.threads, progress_);
    rounding_ = 3e-8 * std::sqrt(double(size())) * mean_diagonal();
  }
  if (pivoted_) return;
  const double held = single && whole > 0 ? double(single_->held_bytes()) / double(whole) : 0;
  // rank·n numbers of F and two small matrices: n·b·rank + 16·rank² within what is left.
  const double b = double(size()) * sizeof(double), room = double(left(taken()));
  const std::size_t rank = std::min(size(), std::size_t((std::sqrt(b * b + 64 * room) - b) / 32));
  const PivotedInverseOptions options{.most_rank = std::max(rank, std::min(size(), least_rank)),
                                      .seed = options_.seed,
                                      .threads = options_.threads,
                                      .costs = costs(system, held)};
  pivoted_ = std::make_unique<PivotedInverse>(*K_, options, progress_);
}

Inverse& KernelSystem::make(Plan plan, const LinearSystem& system) {
  switch (plan) {
    case Plan::primal:
      return *primal_;
    case Plan::held:
      if (!held_) held_ = std::make_unique<HeldInverse>(K_->held(), size(), progress_);
      return *held_;
    case Plan::pivoted:
    case Plan::pivoted_double:
      make_pivoted(plan == Plan::pivoted, system);
      return *pivoted_;
    case Plan::cholesky:
      if (!cholesky_) {
        release_for(DenseInverse<float>::bytes(size()));
        cholesky_ = std::make_unique<DenseInverse<float>>(*single_K_, options_.threads, progress_);
      }
      return *cholesky_;
    case Plan::cholesky_double:
      if (!cholesky_double_) {
        release_for(DenseInverse<double>::bytes(size()));
        if (!K_) K_.emplace(given_->kernel, given_->points, OperatorOptions{.threads = options_.threads});
        cholesky_double_ = std::make_unique<DenseInverse<double>>(*K_, options_.threads, progress_);
      }
      return *cholesky_double_;
    default:
      if (!eigen_) eigen_ = std::make_unique<PseudoInverse>(*K_, options_.threads);
      return *eigen_;
  }
}

void KernelSystem::explain(Plan plan, const Inverse& inverse) {
  switch (plan) {
    case Plan::pivoted:
    case Plan::pivoted_double:
      reason_ = "conjugate gradients with " + inverse.words() + ", K ";
      if (plan == Plan::pivoted_double)
        reason_ += "in float64";
      else if (single_->all_held())
        reason_ += fmt::format("held in float32 ({})", megabytes(double(single_->held_bytes())));
      else if (single_->held_bytes() > 0)
        reason_ += fmt::format("in float32, {} of it held", megabytes(double(single_->held_bytes())));
      else
        reason_ += "in float32, computed again in each iteration";
      break;
    case Plan::cholesky:
      reason_ = inverse.words() + " refined in float64";
      break;
    default:
      reason_ = inverse.words();
  }
  if (!why_.empty()) reason_ += "; " + why_;
}

// The features beyond p are worth 1/c each.
std::optional<double> KernelSystem::inverse_trace() const {
  constexpr std::size_t most = 1500;
  if (held_) return held_->trace();
  if (!primal_ || !(primal_->mu() > 0) || K_ || features_->features() > most) return {};
  return primal_->small_trace() + (double(size()) - double(features_->features())) / primal_->mu();
}

/// One plan, from the X that there is.
Refinement::Outcome KernelSystem::run(Plan plan, const LinearSystem& system, Refinement& refinement) {
  Inverse& inverse = make(plan, system);
  prepared_ = inverse.prepare(system.s, system.c);
  explain(plan, inverse);
  if (!prepared_) {
    why_ = inverse.words() + " could not be made";
    return Refinement::Outcome::stalled;
  }
  if (plan == Plan::eigen || (plan == Plan::primal && system.c == 0)) {
    refinement.solve_directly(inverse);
    return Refinement::Outcome::converged;
  }
  if (plan == Plan::held) {
    refinement.solve_directly(inverse);
    if (refinement.converged()) return Refinement::Outcome::converged;
  }
  std::size_t most = most_iterations;
  if (const SystemCosts expected = costs(system, 1); plan == Plan::pivoted && expected.cholesky_possible) {
    const double dense = expected.cholesky();
    if (pivoted_->expected_seconds() > dense) {
      why_ =
          fmt::format("about {:.0f} iterations would cost more than a factor of {} rows with {}",
                      pivoted_->expected_seconds() / pivoted_->iteration_seconds(), size(), inverse.words());
      cholesky_below_ = std::max(cholesky_below_, system.c);
      return Refinement::Outcome::stalled;
    }
    most = std::max<std::size_t>(50, std::size_t(2 * dense / pivoted_->iteration_seconds()));
  }
  if (plan != Plan::pivoted && plan != Plan::pivoted_double) most = system.factors ? most_iterations : 100;
  const BlockOperator K = [&](std::span<const double> V, std::size_t k, std::span<double> out) {
    plan == Plan::pivoted ? single_->multiply(V, k, out) : multiply(V, k, out);
  };
  double exact_rounding = 0;
  return refinement.run(K, inverse, plan == Plan::pivoted ? rounding_ : exact_rounding, most);
}

auto KernelSystem::solve(const LinearSystem& system, std::span<double> X, const Progress& progress,
                         bool start) -> Solution {
  why_.clear();
  const BlockOperator exact = [&](std::span<const double> V, std::size_t k, std::span<double> out) {
    multiply(V, k, out);
  };
  Refinement refinement(system, exact, X, start, progress);
  Solution solution;
  Plan plan = first_plan(system);
  for (; plan != Plan::none && !refinement.converged(); plan = next_plan(plan, system)) {
    Refinement::Outcome outcome = run(plan, system, refinement);
    if (single_K_ && !single_K_->finite()) {
      single_.reset(), pivoted_.reset(), cholesky_.reset(), single_K_.reset();
      why_ = "K is not within float32";
      plan = first_plan(system);
      outcome = run(plan, system, refinement);
    }
    if (plan == Plan::eigen || (plan == Plan::primal && system.c == 0)) {
      solution.minimum_norm = plan == Plan::primal ? primal_->rank() < size() : eigen_->dropped() > 0;
      solution.unique =
          plan == Plan::primal ? primal_->rank() == features_->features() : !solution.minimum_norm;
      break;
    }
    if (outcome == Refinement::Outcome::stopped || refinement.at_rounding()) break;
    if (why_.empty() && outcome != Refinement::Outcome::converged)
      why_ = fmt::format("with less, the residual stayed at {:.1e}", refinement.residual());
  }
  solution.residual = refinement.residual();
  solution.iterations = refinement.iterations();
  solution.converged = refinement.converged() || solution.minimum_norm;
  return solution;
}

auto KernelSystem::solve(std::span<const double> s, double c, std::span<const double> R, std::size_t k,
                         double tolerance, std::span<double> X, const Progress& progress, bool start)
    -> Solution {
  check_system(size(), s, c, R, k, tolerance, X);
  if (R.empty()) return {.converged = true};
  return solve({.s = s, .c = c, .R = R, .k = k, .tolerance = tolerance}, X, progress, start);
}

// The preconditioner knows no outputs: its S is the factors' average, tr BBᵀ over the outputs that it leaves.
auto KernelSystem::solve(const RowFactors& factors, double c, std::span<const double> R, std::size_t m,
                         double tolerance, std::span<double> X, const Progress& progress, bool start)
    -> Solution {
  const std::size_t n = size(), k = factors.outputs;
  std::vector<double> s(n);
  for (std::size_t i = 0; i < n; ++i) {
    double trace = 0, left = double(k);
    for (std::size_t o = i * k; o < (i + 1) * k; ++o) {
      trace += factors.s[o] * factors.s[o] * (1 - factors.u[o] * factors.u[o]);
      left -= factors.u[o] * factors.u[o];
    }
    s[i] = std::sqrt(std::max(0.0, trace / std::max(left, 0.5)));
  }
  check_system(n, s, c, R, m * k, tolerance, X);
  if (R.empty()) return {.converged = true};
  return solve({.s = s, .c = c, .R = R, .k = m, .tolerance = tolerance, .factors = &factors}, X, progress,
               start);
}

}  // namespace mercer

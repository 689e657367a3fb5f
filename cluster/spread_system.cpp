#include "cluster/spread_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cluster/petsc.hpp"

namespace mercer::cluster {

namespace {

constexpr PetscInt most_iterations = 5000;
constexpr double inner_reduction = 1e-4;  // what float32 tiles allow, and a digit less
constexpr double share_of_memory = 0.8;   // for tiles of K

}  // namespace

std::vector<double> spread_norms(const Communicator& ranks, std::span<const double> V, std::size_t k) {
  std::vector<double> norms(k, 0.0);
  for (std::size_t e = 0; e < V.size(); ++e) norms[e % k] += V[e] * V[e];
  ranks.sum(std::span(norms));
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

void SpreadSystem::Sides::before(std::span<double> V) const {
  if (factors) return factors->apply(V, 1);
  for (std::size_t e = 0; e < V.size() && !s.empty(); ++e) V[e] *= s[e / k];
}

void SpreadSystem::Sides::after(std::span<double> V) const {
  if (factors) return factors->apply_transposed(V, 1);
  before(V);
}

// One run of KSP: the products, the preconditioner and what is asked after each iteration.
struct SpreadSystem::Inner {
  SpreadSystem& system;
  bool single;
  const Sides& sides;
  const EachIteration* each;
  std::span<const double> X;       // the solution before
  std::span<const double> scales;  // of the columns of this run
  double before;                   // the residual at its beginning
  double first_norm = 0;
  bool stopped = false;
  Callbacks callbacks = {};

  std::size_t numbers() const { return system.own_rows() * sides.k; }

  void multiply(const double* v, double* out) {
    std::vector<double> scaled(v, v + numbers());
    sides.before(scaled);
    const std::span<double> to(out, numbers());
    if (single)
      system.single_->multiply(scaled, sides.k, to);
    else
      system.exact_->multiply(scaled, sides.k, to);
    sides.after(to);
    for (std::size_t e = 0; e < to.size(); ++e) to[e] += sides.c * v[e];
  }

  static PetscErrorCode product(Mat matrix, Vec v, Vec out) {
    Inner* self = nullptr;
    MatShellGetContext(matrix, &self);
    return self->callbacks.run([&] { self->multiply(ReadNumbers(v).data(), WriteNumbers(out).data()); });
  }
  static PetscErrorCode precondition(PC pc, Vec v, Vec out) {
    Inner* self = nullptr;
    PCShellGetContext(pc, &self);
    return self->callbacks.run([&] {
      const ReadNumbers from(v);
      const WriteNumbers to(out);
      self->system.factor_->apply({from.data(), self->numbers()}, self->sides.k,
                                  {to.data(), self->numbers()});
    });
  }
  // By the norm of all columns together, whatever type of KSP the options name; then whether to go on.
  static PetscErrorCode test(KSP ksp, PetscInt iteration, PetscReal norm, KSPConvergedReason* reason,
                             void* context) {
    Inner& self = *static_cast<Inner*>(context);
    return self.callbacks.run([&] {
      if (iteration == 0) self.first_norm = norm;
      PetscReal relative = 0, absolute = 0, divergence = 0;
      PetscInt most = 0;
      check_petsc(KSPGetTolerances(ksp, &relative, &absolute, &divergence, &most), "KSPGetTolerances");
      *reason = KSP_CONVERGED_ITERATING;
      if (!std::isfinite(norm))
        *reason = KSP_DIVERGED_NANORINF;
      else if (norm <= relative * self.first_norm || norm == 0)
        *reason = KSP_CONVERGED_RTOL;
      if (*reason != KSP_CONVERGED_ITERATING || iteration == 0 || !*self.each) return;
      const auto current = [&](std::span<double> to) {
        Vec v = nullptr;
        check_petsc(KSPBuildSolution(ksp, nullptr, &v), "KSPBuildSolution");
        const ReadNumbers z(v);
        const std::size_t count = self.sides.right_hand_sides;
        for (std::size_t e = 0; e < to.size(); ++e) to[e] = self.X[e] + self.scales[e % count] * z.data()[e];
      };
      if (!(*self.each)(current, self.before * norm / std::max(self.first_norm, 1e-300))) {
        self.stopped = true;
        *reason = KSP_CONVERGED_ITS;
      }
    });
  }
};

SpreadSystem::SpreadSystem(const Communicator& ranks, const Kernel& kernel, const Points& own,
                           const SpreadSystemOptions& options)
    : ranks_(ranks), kernel_(kernel), own_(own), options_(options), rows_(ranks.sum(own.rows())) {
  const std::size_t memory = std::size_t(share_of_memory * double(options.memory));
  single_ = std::make_unique<RingKernel<float>>(
      ranks, kernel, own,
      RingOptions{
          .threads = options.threads, .memory = memory, .note_overflow = true, .progress = options.progress});
  if (ranks_.any(!single_->finite())) single_.reset();
  exact_ = std::make_unique<RingKernel<double>>(
      ranks, kernel, own, RingOptions{.threads = options.threads, .progress = options.progress});
}

void SpreadSystem::multiply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  exact_->multiply(V, k, out);
}

void SpreadSystem::residual(const Sides& sides, std::span<const double> R, std::span<const double> X,
                            std::span<double> left) const {
  std::vector<double> scaled(X.begin(), X.end());
  sides.before(scaled);
  exact_->multiply(scaled, sides.k, left);
  sides.after(left);
  for (std::size_t e = 0; e < left.size(); ++e) left[e] = R[e] - left[e] - sides.c * X[e];
}

std::size_t SpreadSystem::evaluations() const noexcept {
  return (single_ ? single_->evaluations() : 0) + exact_->evaluations() +
         (factor_ ? factor_->evaluations() : 0);
}

std::string SpreadSystem::words() const {
  const double left = factor_ && factor_->trace() > 0 ? factor_->trace_left() / factor_->trace() : 1;
  return fmt::format(
      "conjugate gradients (PETSc) on {} ranks with a randomly pivoted Cholesky preconditioner of rank {} "
      "(trace left {:.1e}), K {}",
      ranks_.size(), factor_ ? factor_->rank() : 0, left,
      !single_          ? "in float64"
      : single_->held() ? "held in float32"
                        : "in float32, computed in every product");
}

Traffic SpreadSystem::iteration_cost(std::size_t k) const noexcept {
  Traffic sent = single_ ? single_->cost(k) : exact_->cost(k);
  sent.collectives = 1;  // of the preconditioner
  sent.shared_bytes = (factor_ ? factor_->rank() : 0) * k * sizeof(double);
  return sent;
}

void SpreadSystem::make_factor(double c, std::size_t k, double tolerance) {
  if (factor_) return;
  const double room = (1 - share_of_memory) * double(options_.memory),
               per_rank = sizeof(double) * double(std::max<std::size_t>(own_.rows(), 1)),
               most = (std::sqrt(per_rank * per_rank + 64 * room) - per_rank) / 32;
  SystemCosts costs{.n = rows_,
                    .features = own_.stored() / std::max<std::size_t>(own_.rows(), 1),
                    .held = single_ && single_->held() ? 1.0 : 0.0,
                    .right_hand_sides = double(k),
                    .tolerance = std::clamp(tolerance, 1e-16, 0.5)};
  costs.features = std::size_t(ranks_.most(double(costs.features)));
  factor_.emplace(ranks_, kernel_, own_,
                  FactorOptions{.most_rank = std::size_t(ranks_.least(std::max(most, 8.0))),
                                .c = c,
                                .costs = costs,
                                .seed = options_.seed,
                                .threads = options_.threads,
                                .progress = options_.progress});
}

auto SpreadSystem::solve(std::span<const double> s, double c, std::span<const double> R, std::size_t k,
                         double tolerance, std::span<double> X, const EachIteration& each, bool start)
    -> Solution {
  make_factor(c, k, tolerance);
  if (!factor_->prepare(s, c))
    throw AgreedError(
        Error(ErrorCode::not_finite, "the preconditioner of the system is not positive definite"));
  return solve(Sides{s, nullptr, c, k, k}, R, tolerance, X, each, start);
}

auto SpreadSystem::solve(const RowFactors& factors, double c, std::span<const double> R, double tolerance,
                         std::span<double> X, const EachIteration& each, bool start) -> Solution {
  make_factor(c, factors.outputs, tolerance);
  if (!factor_->prepare(factors, c))
    throw AgreedError(
        Error(ErrorCode::not_finite, "the preconditioner of the system is not positive definite"));
  return solve(Sides{{}, &factors, c, factors.outputs, 1}, R, tolerance, X, each, start);
}

auto SpreadSystem::solve(const Sides& sides, std::span<const double> R, double tolerance, std::span<double> X,
                         const EachIteration& each, bool start) -> Solution {
  const std::size_t k = sides.k, count = sides.right_hand_sides;
  const std::size_t n = own_.rows();
  const PetscInt own = PetscInt(n * k), all = PetscInt(rows_ * k);
  const std::vector<double> norms = spread_norms(ranks_, R, count);
  std::vector<double> left(n * k), scales(count);
  if (!start) std::ranges::fill(X, 0.0);
  Solution found;
  const auto measure = [&] {
    residual(sides, R, X, left);
    scales = spread_norms(ranks_, left, count);
    double worst = 0;
    for (std::size_t q = 0; q < count; ++q)
      if (norms[q] > 0) worst = std::max(worst, scales[q] / norms[q]);
    return worst;
  };
  if (start) {
    found.residual = measure();
  } else {
    std::ranges::copy(R, left.begin());
    scales = norms;
    found.residual = std::ranges::any_of(norms, [](double norm) { return norm > 0; }) ? 1 : 0;
  }
  bool single = single_ != nullptr;
  while (found.residual > tolerance && !found.stopped && PetscInt(found.iterations) < most_iterations) {
    Inner inner{*this, single, sides, &each, X, scales, found.residual};
    VecHandle b, z;
    MatHandle A;
    KspHandle ksp;
    PC pc = nullptr;
    const auto check = [&](PetscErrorCode code, const char* what) { inner.callbacks.check(code, what); };
    check(VecCreateMPI(ranks_.ranks(), own, all, b.out()), "VecCreateMPI");
    check(VecDuplicate(b.get(), z.out()), "VecDuplicate");
    {
      const WriteNumbers to(b.get());
      for (std::size_t e = 0; e < n * k; ++e)
        to.data()[e] = scales[e % count] > 0 ? left[e] / scales[e % count] : 0;
    }
    check(MatCreateShell(ranks_.ranks(), own, own, all, all, &inner, A.out()), "MatCreateShell");
    check(MatShellSetOperation(A.get(), MATOP_MULT, reinterpret_cast<void (*)()>(Inner::product)),
          "MatShellSetOperation");
    check(MatSetOption(A.get(), MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
    check(KSPCreate(ranks_.ranks(), ksp.out()), "KSPCreate");
    check(KSPSetOperators(ksp.get(), A.get(), A.get()), "KSPSetOperators");
    check(KSPSetType(ksp.get(), KSPCG), "KSPSetType");
    check(KSPSetNormType(ksp.get(), KSP_NORM_UNPRECONDITIONED), "KSPSetNormType");
    check(KSPGetPC(ksp.get(), &pc), "KSPGetPC");
    check(PCSetType(pc, PCSHELL), "PCSetType");
    check(PCShellSetContext(pc, &inner), "PCShellSetContext");
    check(PCShellSetApply(pc, Inner::precondition), "PCShellSetApply");
    const double goal = std::max(0.3 * tolerance / found.residual, single ? inner_reduction : 1e-12);
    check(KSPSetTolerances(ksp.get(), goal, PETSC_DEFAULT, PETSC_DEFAULT,
                           most_iterations - PetscInt(found.iterations)),
          "KSPSetTolerances");
    check(KSPSetConvergenceTest(ksp.get(), Inner::test, &inner, nullptr), "KSPSetConvergenceTest");
    check(KSPSetFromOptions(ksp.get()), "KSPSetFromOptions");
    check(KSPSolve(ksp.get(), b.get(), z.get()), "KSPSolve");
    PetscInt iterations = 0;
    check(KSPGetIterationNumber(ksp.get(), &iterations), "KSPGetIterationNumber");
    found.iterations += std::size_t(iterations);
    found.stopped = inner.stopped;
    std::vector<double> previous(X.begin(), X.end());
    {
      const ReadNumbers from(z.get());
      for (std::size_t e = 0; e < n * k; ++e) X[e] += scales[e % count] * from.data()[e];
    }
    const double before = found.residual;
    found.residual = measure();
    if (!(found.residual < before)) {  // nothing gained: back
      std::ranges::copy(previous, X.begin());
      found.residual = measure();
    }
    if (found.residual > 0.5 * before && !found.stopped) {
      if (!single) break;  // rounding is the limit
      single = false;
    }
  }
  found.converged = found.residual <= tolerance;
  return found;
}

}  // namespace mercer::cluster

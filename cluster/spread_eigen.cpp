#include "cluster/spread_eigen.hpp"

#include <fmt/format.h>
#include <slepceps.h>

#include <algorithm>
#include <cmath>

#include "cluster/petsc.hpp"
#include "cluster/ring_kernel.hpp"

namespace mercer::cluster {

namespace {

using EpsHandle = PetscHandle<EPS, EPSDestroy>;

// A = D H K Hᵀ D.
struct Sides {
  const Communicator& ranks;
  const SpreadEigenOptions& options;
  const RingKernel<double>& K;
  std::vector<double> weights;  // w/Σw, where centred
  std::size_t products = 0;
  Callbacks callbacks = {};

  double scale(std::size_t i) const { return options.scale.empty() ? 1 : options.scale[i]; }

  void multiply(const double* v, std::size_t k, double* out) {
    if (options.each_product) options.each_product();
    ++products;
    const std::size_t n = K.own_rows();
    std::vector<double> V(v, v + n * k), sums(k, 0.0);
    for (std::size_t e = 0; e < V.size(); ++e) sums[e % k] += V[e] *= scale(e / k);
    if (options.centred) {
      ranks.sum(std::span(sums));
      for (std::size_t e = 0; e < V.size(); ++e) V[e] -= weights[e / k] * sums[e % k];
    }
    K.multiply(V, k, {out, n * k});
    std::vector<double> means(k, 0.0);
    if (options.centred) {
      for (std::size_t e = 0; e < V.size(); ++e) means[e % k] += weights[e / k] * out[e];
      ranks.sum(std::span(means));
    }
    for (std::size_t e = 0; e < V.size(); ++e) out[e] = scale(e / k) * (out[e] - means[e % k]);
  }

  static PetscErrorCode product(Mat matrix, Vec v, Vec out) {
    Sides* self = nullptr;
    MatShellGetContext(matrix, &self);
    return self->callbacks.run([&] {
      const ReadNumbers from(v);
      const WriteNumbers to(out);
      self->multiply(from.data(), 1, to.data());
    });
  }
};

// SLEPc's Krylov-Schur method has the vectors that it keeps in the first columns of its basis when it calls
// its monitors.
struct Restarts {
  Sides& sides;
  std::size_t count;

  static PetscErrorCode seen(EPS eps, PetscInt, PetscInt, PetscScalar*, PetscScalar*, PetscReal*,
                             PetscInt estimates, void* context) {
    Restarts& self = *static_cast<Restarts*>(context);
    return self.sides.callbacks.run([&] {
      const std::size_t kept = std::min(self.count, std::size_t(std::max<PetscInt>(estimates, 0)));
      std::vector<double> sum(self.sides.K.own_rows(), 0.0);
      BV basis = nullptr;
      check_petsc(EPSGetBV(eps, &basis), "EPSGetBV");
      for (std::size_t c = 0; c < kept; ++c) {
        Vec column = nullptr;
        check_petsc(BVGetColumn(basis, PetscInt(c), &column), "BVGetColumn");
        {
          const ReadNumbers numbers(column);
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += numbers.data()[i];
        }
        check_petsc(BVRestoreColumn(basis, PetscInt(c), &column), "BVRestoreColumn");
      }
      if (kept > 0) self.sides.options.each_restart(sum);
    });
  }
};

// The pairs that SLEPc finds: own rows × count.
EigenPairs pairs_of(Sides& sides, std::size_t count, double tolerance) {
  const std::size_t n = sides.K.own_rows();
  const PetscInt own = PetscInt(n), all = PetscInt(sides.K.rows());
  MatHandle A;
  EpsHandle eps;
  VecHandle v;
  const auto check = [&](PetscErrorCode code, const char* what) { sides.callbacks.check(code, what); };
  check(MatCreateShell(sides.ranks.ranks(), own, own, all, all, &sides, A.out()), "MatCreateShell");
  check(MatShellSetOperation(A.get(), MATOP_MULT, reinterpret_cast<void (*)()>(Sides::product)),
        "MatShellSetOperation");
  check(EPSCreate(sides.ranks.ranks(), eps.out()), "EPSCreate");
  check(EPSSetOperators(eps.get(), A.get(), nullptr), "EPSSetOperators");
  check(EPSSetProblemType(eps.get(), EPS_HEP), "EPSSetProblemType");
  check(EPSSetWhichEigenpairs(eps.get(), EPS_LARGEST_REAL), "EPSSetWhichEigenpairs");
  check(EPSSetDimensions(eps.get(), PetscInt(count), PETSC_DEFAULT, PETSC_DEFAULT), "EPSSetDimensions");
  check(EPSSetTolerances(eps.get(), 0.3 * tolerance, 1000), "EPSSetTolerances");
  Restarts restarts{sides, count};
  if (sides.options.each_restart)
    check(EPSMonitorSet(eps.get(), Restarts::seen, &restarts, nullptr), "EPSMonitorSet");
  check(MatCreateVecs(A.get(), v.out(), nullptr), "MatCreateVecs");
  if (!sides.ranks.any(sides.options.start.size() != n)) {
    {
      const WriteNumbers to(v.get());
      std::ranges::copy(sides.options.start, to.data());
    }
    Vec first = v.get();
    check(EPSSetInitialSpace(eps.get(), 1, &first), "EPSSetInitialSpace");
  }
  check(EPSSetFromOptions(eps.get()), "EPSSetFromOptions");
  check(EPSSolve(eps.get()), "EPSSolve");
  PetscInt converged = 0;
  check(EPSGetConverged(eps.get(), &converged), "EPSGetConverged");
  EigenPairs pairs;
  const std::size_t found = std::min(count, std::size_t(converged));
  pairs.vectors.resize(n * found);
  for (std::size_t c = 0; c < found; ++c) {
    PetscScalar value = 0;
    check(EPSGetEigenpair(eps.get(), PetscInt(c), &value, nullptr, v.get(), nullptr), "EPSGetEigenpair");
    pairs.values.push_back(value);
    const ReadNumbers numbers(v.get());
    for (std::size_t i = 0; i < n; ++i) pairs.vectors[i * found + c] = numbers.data()[i];
  }
  return pairs;
}

// The entry of largest magnitude, of all ranks, is positive; of two as large the first.
void fix_signs(const Communicator& ranks, EigenPairs& pairs) {
  const std::size_t k = pairs.values.size();
  std::vector<double> largest(k, 0.0);
  for (std::size_t e = 0; e < pairs.vectors.size(); ++e)
    if (std::abs(pairs.vectors[e]) > std::abs(largest[e % k])) largest[e % k] = pairs.vectors[e];
  const std::vector<double> all = ranks.gather(std::span<const double>(largest), true);
  for (std::size_t c = 0; c < k; ++c) {
    double leading = 0;
    for (std::size_t e = c; e < all.size(); e += k)
      if (std::abs(all[e]) > std::abs(leading)) leading = all[e];
    if (leading < 0)
      for (std::size_t e = c; e < pairs.vectors.size(); e += k) pairs.vectors[e] = -pairs.vectors[e];
  }
}

}  // namespace

KernelEigen spread_eigenpairs(const Communicator& ranks, const Kernel& kernel, const Points& own,
                              std::size_t count, const SpreadEigenOptions& options) {
  const RingKernel<double> K(ranks, kernel, own, {.threads = options.threads, .memory = options.memory});
  Sides sides{ranks, options, K, {}};
  const std::size_t n = own.rows();
  KernelEigen result;
  if (options.centred) {
    double total = 0;
    for (std::size_t i = 0; i < n; ++i)
      sides.weights.push_back(sides.scale(i) * sides.scale(i)), total += sides.weights.back();
    total = ranks.sum(total);
    for (double& weight : sides.weights) weight /= total;
    result.means.resize(n);
    K.multiply(sides.weights, 1, result.means);
  }
  result.pairs = pairs_of(sides, count, options.tolerance);
  EigenPairs& pairs = result.pairs;
  fix_signs(ranks, pairs);
  const std::size_t found = pairs.values.size();
  std::vector<double> product(n * found), squares(found, 0.0);
  if (found > 0) sides.multiply(pairs.vectors.data(), found, product.data());
  for (std::size_t e = 0; e < product.size(); ++e) {
    const double error = product[e] - pairs.values[e % found] * pairs.vectors[e];
    squares[e % found] += error * error;
  }
  ranks.sum(std::span(squares));
  for (const double square : squares) pairs.residuals.push_back(std::sqrt(square));
  pairs.products = sides.products;
  pairs.converged = found == count && relative_residual(pairs) <= options.tolerance;
  const std::vector<double> diagonal = K.diagonal();
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = sides.scale(i) * sides.scale(i);
    sums[0] += weight * (diagonal[i] - (options.centred ? result.means[i] : 0));
    sums[1] += weight * std::abs(diagonal[i]);
  }
  ranks.sum(std::span(sums));
  result.trace = sums[0];
  result.mass = sums[1];
  result.way =
      fmt::format("Krylov-Schur (SLEPc) on {} ranks, {} products with K {}", ranks.size(), sides.products,
                  K.held() ? "held in float64" : "in float64, computed in every product");
  return result;
}

}  // namespace mercer::cluster

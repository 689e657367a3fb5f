#include "mercer/methods/linear_svm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mercer/error.hpp"
#include "methods/class_factors.hpp"
#include "methods/linear_machine.hpp"
#include "methods/svm_trainer.hpp"
#include "solvers/crammer_singer.hpp"
#include "solvers/l1_squared_hinge.hpp"

namespace mercer {

namespace {

void check_choice(const LinearSvm& svm, const FitOptions& options) {
  const bool sparse = svm.penalty == LinearSvm::Penalty::l1,
             all = svm.multiclass == LinearSvm::Multiclass::crammer_singer;
  if (sparse && !all && svm.loss == LinearSvm::LossWord::hinge)
    throw Error::of_parameter("linear_svm", "loss", "must be squared_hinge with the penalty l1", "hinge");
  if (options.solver == "newton" && (sparse || all))
    throw Error(ErrorCode::unsupported, "Newton's method needs a squared loss and the penalty l2",
                {.owner = "linear_svm", .value = "newton", .hints = {{Remedy::choose_solver}}});
}

LinearMachine::Solved sparse_weights(LinearMachine& machine, const Training& training,
                                     std::span<const double> y, std::span<const double> C) {
  const double share = smaller_share(y);
  L1Solution found = solve_l1_squared_hinge({machine.table(), y, C, machine.constant()},
                                            {.tolerance = training.tolerance * share,
                                             .max_passes = machine.epochs(),
                                             .seed = training.options.seed,
                                             .progress = machine.progress()});
  LinearMachine::Solved solved{.solver = "coordinate descent over weights",
                               .certificate = CertificateKind::gradient_norm,
                               .objective = found.objective,
                               .violation = found.violation / share,
                               .iterations = found.passes,
                               .variables = found.w.size(),
                               .converged = found.converged,
                               .supports = std::vector<std::uint8_t>(y.size())};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double m = std::max(0.0, 1 - y[i] * found.f[i]);
    solved.loss += C[i] * m * m;
    solved.penalty += C[i];
    solved.supports[i] = m > 0;
  }
  solved.w = std::move(found.w);
  return solved;
}

/// The weights of each row in the problem of class c against the rest: a class weight is its own class's
/// affair.
std::vector<double> one_vs_rest_weights(const Rows& rows, std::span<const std::int32_t> codes,
                                        std::span<const double> factors, std::size_t c) {
  std::vector<double> weights = rows.weights;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (std::size_t(codes[i]) != c) weights[i] /= factors[std::size_t(codes[i])];
  return weights;
}

LinearMachine::Solved all_classes(LinearMachine& machine, const Training& training,
                                  std::span<const std::int32_t> codes, std::size_t classes, double C) {
  std::vector<double> bounds = machine.rows().weights;
  for (double& bound : bounds) bound *= C;
  const CrammerSingerSolution found = solve_crammer_singer(
      {machine.table(), codes, classes, bounds, machine.constant()}, {.tolerance = training.tolerance,
                                                                      .max_passes = machine.epochs(),
                                                                      .seed = training.options.seed,
                                                                      .progress = machine.progress()});
  LinearMachine::Solved solved{.w = found.W,
                               .solver = "coordinate descent over rows",
                               .objective = found.objective,
                               .violation = found.violation,
                               .gap = std::max(0.0, found.objective - found.dual),
                               .loss = found.loss,
                               .iterations = found.passes,
                               .variables = found.alpha.size(),
                               .converged = found.converged,
                               .supports = std::vector<std::uint8_t>(codes.size(), 0)};
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto own = std::span(found.alpha).subspan(i * classes, classes);
    solved.supports[i] = std::ranges::any_of(own, [](double a) { return a != 0; });
    solved.penalty += bounds[i];
  }
  if (classes > 2) return solved;
  const std::size_t p = solved.w.size() / 2;  // one function, above 0 for the first class
  for (std::size_t j = 0; j < p; ++j) solved.w[j] -= solved.w[p + j];
  solved.w.resize(p);
  return solved;
}

}  // namespace

Fitted LinearSvm::fit(const Training& training) const {
  check_choice(*this, training.options);
  (void)rows_by_class(training);  // refuses fewer than two classes, and classes without rows
  const std::size_t classes = training.target.labels.size(), functions = classes == 2 ? 1 : classes;
  const bool together = multiclass == Multiclass::crammer_singer;
  LinearMachine machine(training, {.method = name,
                                   .constant = intercept ? intercept_scaling : 0,
                                   .epochs = epochs,
                                   .functions = functions,
                                   .problems = together ? 1 : functions});
  const std::vector<std::int32_t> codes = machine.rows().codes(training.target);
  if (together) return machine.finish({all_classes(machine, training, codes, classes, C)}, Rule::one_vs_rest);
  const std::vector<double> factors = class_factors(training.target, training.options);
  std::vector<LinearMachine::Solved> solved(functions);
  machine.for_each_problem([&](std::size_t c) {
    std::vector<double> bounds =
        classes == 2 ? machine.rows().weights : one_vs_rest_weights(machine.rows(), codes, factors, c);
    std::vector<double> y(codes.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::size_t(codes[i]) == c ? 1 : -1;
    for (double& bound : bounds) bound *= C;
    solved[c] = penalty == Penalty::l1 ? sparse_weights(machine, training, y, bounds)
                                       : machine.solve(y, bounds, {}, loss == LossWord::squared_hinge);
  });
  return machine.finish(solved, Rule::one_vs_rest);
}

}  // namespace mercer

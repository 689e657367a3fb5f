#include "methods/linear_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "mercer/error.hpp"
#include "operators/row_products.hpp"
#include "solvers/feature_box.hpp"
#include "solvers/squared_margin.hpp"

namespace mercer {

namespace {

// Losses with a kink may take descent very many passes. Of few columns it is left after so many as cost about
// what some dozens of Newton steps do: each a few products of all rows and a factor of p × p numbers, beside
// the 20 numbers' worth that a visit of descent costs whatever the row. A tolerance too tight for what
// rounding leaves of dual variables is an interior-point method's affair.
constexpr std::size_t most_interior_columns = 100, most_interior_numbers = 10'000'000;
double passes_worth_newton(double n, double p) {
  constexpr double steps = 30, least = 5;
  return std::max(least, steps * (p + p * p * p / (30 * n)) / (20 + p / 2));
}

double loss_at(double y, double f, std::optional<double> epsilon, bool squared) {
  const double m = std::max(0.0, epsilon ? std::abs(y - f) - *epsilon : 1 - y * f);
  return squared ? m * m : m;
}

}  // namespace

double smaller_share(std::span<const double> y) {
  const auto positive = std::ranges::count_if(y, [](double sign) { return sign > 0; });
  const auto n = std::ptrdiff_t(y.size());
  return double(std::max<std::ptrdiff_t>(1, std::min(positive, n - positive))) / double(n);
}

LinearMachine::LinearMachine(const Training& training, const Settings& settings)
    : training_(training), settings_(settings), watch_(training.options), rows_(training) {
  const int threads = settings.problems > 1 ? 1 : training.options.threads;
  columns_ = RowFeatures::of(training.kernel, rows_.points, threads);
  const Dense<double> nothing{0, columns_ ? columns_->features() : 0, {}};
  if (!columns_ || !columns_->points_of(nothing, rows_.points))
    throw Error(
        ErrorCode::unsupported,
        fmt::format("it finds weights of columns, and {} is no kernel of columns", training.kernel.text()),
        {.owner = std::string(settings.method),
         .hint = "take the kernel linear",
         .hints = {{Remedy::approximate, "nystrom:500"}}});
  table_ = columns_->table();
  const std::vector<double> norms = RowProducts(*table_, settings.constant).squared_norms();
  for (std::size_t i = 0; i < norms.size(); ++i)
    if (!(norms[i] < std::numeric_limits<double>::max() / 8))
      throw Error(ErrorCode::not_finite,
                  fmt::format("row {}: the squared norm of its features overflows", rows_.numbers[i] + 1),
                  {.row = rows_.numbers[i] + 1, .hint = "scale them"});
  if (table_->sparse())
    extended_ = std::make_unique<RowProducts>(*table_, settings.constant);
  else
    extended_ = std::make_unique<RowFeatures>(columns_->with_constant(settings.constant));
}

LinearMachine::Solved LinearMachine::solve(std::span<const double> y, std::span<const double> C,
                                           std::optional<double> epsilon, bool squared) {
  const std::string& solver = training_.options.solver;
  if (solver == "newton" && !squared)
    throw Error(
        ErrorCode::unsupported, "Newton's method needs a squared loss",
        {.owner = std::string(settings_.method), .value = solver, .hints = {{Remedy::choose_solver}}});
  const bool few = extended_->features() <= most_factored_weights;
  Solved solved = squared && (solver == "newton" || (solver == "auto" && few))
                      ? by_newton(y, C, epsilon)
                      : by_descent(y, C, epsilon, squared);
  solved.penalty = std::accumulate(C.begin(), C.end(), 0.0);
  return solved;
}

LinearMachine::Solved LinearMachine::by_descent(std::span<const double> y, std::span<const double> C,
                                                std::optional<double> epsilon, bool squared) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const std::size_t n = y.size();
  BoxQp problem;
  std::vector<double> diagonal;
  const auto add = [&](std::size_t i, double s, int sign) {
    problem.add_signed(i, s, sign, squared ? unbounded : C[i]);
    if (squared) diagonal.push_back(1 / (2 * C[i]));
  };
  for (std::size_t i = 0; i < n; ++i)
    if (epsilon)
      for (const int sign : {1, -1}) add(i, sign * *epsilon - y[i], sign);
    else
      add(i, -y[i], y[i] > 0 ? 1 : -1);
  // Of numbers the violation is in units of the largest at w = 0, so that the scale of the target does not
  // matter.
  double unit = 0;
  for (std::size_t i = 0; epsilon && i < n; ++i) unit = std::max(unit, loss_at(y[i], 0, epsilon, false));
  if (unit == 0) unit = 1;
  const std::size_t p = extended_->features();
  const auto passes_of_descent =
      std::size_t(passes_worth_newton(double(std::max<std::size_t>(n, 1)), double(p)));
  const bool few = !squared && p <= most_factored_weights && epochs() > passes_of_descent;
  LinearOptions how{.tolerance = training_.tolerance * unit,
                    .bias = false,
                    .constant = constant(),
                    .diagonal = diagonal,
                    .seed = training_.options.seed,
                    .max_passes = few ? passes_of_descent : epochs(),
                    .progress = progress()};
  LinearSolution found = solve_linear(problem, table(), how);
  std::string solver = "coordinate descent";
  if (few && !found.converged && !found.stopped) {
    solver = "coordinate descent and Newton's method";
    const std::vector<double> beta = by_rounded_corners(y, C, epsilon, how.tolerance, found);
    for (std::size_t v = 0; v < problem.size(); ++v)
      problem.start.push_back(
          std::clamp(beta[std::size_t(problem.points[v])], problem.lower[v], problem.upper[v]));
    const bool interior = p <= most_interior_columns && n * p <= most_interior_numbers;
    const std::size_t passes = found.passes;
    how.max_passes = interior ? std::min(passes, epochs() - passes) : epochs() - passes;
    found = solve_linear(problem, table(), how);
    found.passes += passes;
    if (interior && !found.converged && !found.stopped) {
      finish_by_interior_point(problem, how.tolerance, found);
      solver = "coordinate descent, Newton's method and an interior-point method";
    }
  }
  Solved solved{.w = std::move(found.weights),
                .solver = std::move(solver),
                .violation = found.violation / unit,
                .iterations = found.passes,
                .variables = problem.size(),
                .converged = found.converged,
                .supports = std::vector<std::uint8_t>(n, 0)};
  const double norm = std::inner_product(solved.w.begin(), solved.w.end(), solved.w.begin(), 0.0);
  double dual = -norm / 2;
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const double beta = found.beta[v];
    dual -= beta * problem.linear[v] + (squared ? diagonal[v] * beta * beta / 2 : 0);
    if (beta != 0) solved.supports[std::size_t(problem.points[v])] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) solved.loss += C[i] * loss_at(y[i], found.f[i], epsilon, squared);
  solved.objective = norm / 2 + solved.loss;
  solved.gap = std::max(0.0, solved.objective - dual);
  return solved;
}

std::vector<double> LinearMachine::by_rounded_corners(std::span<const double> y, std::span<const double> C,
                                                      std::optional<double> epsilon, double tolerance,
                                                      const LinearSolution& reached) {
  const SquaredMargin problem{*extended_, y, C, epsilon.value_or(std::numeric_limits<double>::quiet_NaN())};
  // Weights that are wrong by g change the value at x by up to g‖x‖, which is to be little beside the width.
  double longest = 0;
  for (const double square : RowProducts(*table_, constant()).squared_norms())
    longest = std::max(longest, square);
  return rounded_margin_dual(problem, reached.violation, tolerance / 2,
                             {.tolerance = 0.1 / std::sqrt(std::max(longest, 1e-300)),
                              .most_steps = 100,
                              .threads = settings_.problems > 1 ? 1 : training_.options.threads,
                              .start = reached.weights,
                              .progress = progress()});
}

// Σβ, which solvers/feature_box.hpp keeps, is set free by one more variable, whose point is the origin.
void LinearMachine::finish_by_interior_point(const BoxQp& problem, double tolerance, LinearSolution& found) {
  const std::size_t n = table().rows(), p = extended_->features();
  Dense<double> rows{n + 1, p, Buffer<double>((n + 1) * p, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    double* row = rows.values.data() + i * p;
    table().copy_row(i, {row, table().cols()});
    if (constant() != 0) row[p - 1] = constant();
  }
  const Points points(std::move(rows));
  const auto features = RowFeatures::of(Kernel::parse("linear"), points, training_.options.threads);
  BoxQp more = problem;
  double room = 0, sum = 0;
  for (std::size_t v = 0; v < problem.size(); ++v)
    room += problem.upper[v] - problem.lower[v], sum += found.beta[v];
  more.add(n, 0, -room, room);
  more.start = found.beta;
  more.start.push_back(-sum);
  SmoResult result = solve_over_features(more, *features,
                                         {.tolerance = tolerance,
                                          .threads = settings_.problems > 1 ? 1 : training_.options.threads,
                                          .seed = training_.options.seed,
                                          .progress = progress()});
  if (result.certificate.violation >= found.violation) return;
  found.beta.assign(result.beta.begin(), result.beta.end() - 1);
  found.violation = result.certificate.violation;
  found.converged = result.converged;
  std::vector<double> sums(n + 1, 0.0);
  for (std::size_t v = 0; v < found.beta.size(); ++v) sums[std::size_t(problem.points[v])] += found.beta[v];
  found.weights.resize(p);
  features->multiply_transposed(sums, 1, found.weights);
  features->multiply(found.weights, 1, sums);
  found.f.assign(sums.begin(), sums.end() - 1);
}

LinearMachine::Solved LinearMachine::by_newton(std::span<const double> y, std::span<const double> C,
                                               std::optional<double> epsilon) {
  const SquaredMargin problem{*extended_, y, C, epsilon.value_or(std::numeric_limits<double>::quiet_NaN())};
  const double first = first_gradient(problem);
  SquaredMarginSolution found =
      minimise_squared_margin(problem, {.tolerance = training_.tolerance,
                                        .unit = first > 0 ? first * (epsilon ? 1 : smaller_share(y)) : 1,
                                        .most_steps = epochs(),
                                        .threads = settings_.problems > 1 ? 1 : training_.options.threads,
                                        .progress = progress()});
  Solved solved{.solver = "Newton's method",
                .certificate = CertificateKind::gradient_norm,
                .objective = found.objective,
                .violation = found.gradient,
                .iterations = found.steps,
                .variables = found.w.size(),
                .converged = found.converged,
                .supports = std::vector<std::uint8_t>(y.size())};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double loss = loss_at(y[i], found.f[i], epsilon, true);
    solved.loss += C[i] * loss;
    solved.supports[i] = loss > 0;
  }
  solved.w = std::move(found.w);
  return solved;
}

void LinearMachine::for_each_problem(const std::function<void(std::size_t)>& task) const {
  parallel_for(settings_.problems, training_.options.threads, task);
}

Fitted LinearMachine::finish(const std::vector<Solved>& solved, Rule rule) {
  const std::size_t p = columns_->features(), width = extended_->features(), functions = settings_.functions;
  Dense<double> weights{functions, p, Buffer<double>(functions * p)};
  Fitted fitted{.expansion = {.kernel = training_.kernel}, .rule = rule};
  FitReport& report = fitted.report;
  double norm = 0, loss = 0, penalty = 0;
  std::vector<std::uint8_t> supports(rows_.size(), 0);
  std::size_t function = 0;
  report.converged = true;
  for (const Solved& one : solved) {
    for (std::size_t begin = 0; begin < one.w.size(); begin += width, ++function) {
      std::copy_n(one.w.data() + begin, p, weights.values.data() + function * p);
      fitted.rho.push_back(constant() != 0 ? -constant() * one.w[begin + p] : 0.0);
      for (std::size_t j = 0; j < p; ++j) norm += one.w[begin + j] * one.w[begin + j];
    }
    loss += one.loss, penalty += one.penalty;
    for (std::size_t i = 0; i < supports.size(); ++i) supports[i] |= one.supports[i];
    const auto own = std::size_t(std::ranges::count(one.supports, 1));
    report.problems.push_back({.variables = one.variables,
                               .iterations = one.iterations,
                               .objective = one.objective,
                               .rho = fitted.rho.back(),
                               .support_vectors = own});
    report.converged = report.converged && one.converged;
    report.objective += one.objective;
    report.violation = std::max(report.violation, one.violation);
    report.gap += one.gap;
    report.iterations += one.iterations;
    report.certificate = one.certificate;
  }
  Expansion& e = fitted.expansion;
  e.points = *columns_->points_of(weights, rows_.points);
  e.width = functions;
  e.blocks = {functions};
  e.coefficients.assign(functions * functions, 0);
  for (std::size_t c = 0; c < functions; ++c) e.coefficients[c * functions + c] = 1;
  report.tolerance = training_.tolerance;
  report.norm = norm;
  report.loss = loss / penalty;
  report.support_vectors = std::size_t(std::ranges::count(supports, 1));
  report.plan = {FitPlan::Way::primal, p};
  report.solver = solved.front().solver;
  report.cut_short = watch_.cut_short();
  report.converged = report.converged && !report.cut_short;
  if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("{} ended after {} of {} epochs, before the tolerance was reached: scaled "
                    "columns, a smaller C or more epochs may help",
                    report.solver, report.iterations / solved.size(), epochs()));
  report.seconds = watch_.seconds();
  return fitted;
}

}  // namespace mercer

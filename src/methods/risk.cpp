#include "methods/risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "losses/convexity.hpp"
#include "methods/svm_trainer.hpp"
#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "mercer/disk_arrays.hpp"
#include "mercer/error.hpp"
#include "operators/row_features.hpp"
#include "solvers/newton.hpp"
#include "solvers/streamed_newton.hpp"

namespace mercer {

namespace {

// The target of every row of the data as the loss takes it.
std::vector<double> targets_for(const Training& training, const Loss& loss) {
  const Target& target = training.target;
  std::vector<double> y;
  if (loss.task() == Task::classification) {
    if (target.task != Task::classification)
      throw Error(ErrorCode::wrong_target,
                  fmt::format("{} needs classes, but the target is numeric", loss.name()),
                  {.hints = {{Remedy::read_as_classes}}});
    (void)rows_by_class(training);  // refuses a single class
    if (loss.target() == LossTarget::signs && target.labels.size() != 2)
      throw Error(
          ErrorCode::invalid_data,
          fmt::format("{} is a loss of two classes, but there are {}", loss.name(), target.labels.size()),
          {.hint = "take multinomial, or svm"});
    for (const std::int32_t code : target.codes)
      y.push_back(loss.target() == LossTarget::classes ? double(code) : code == 0 ? 1 : -1);
    return y;
  }
  y = target.task == Task::classification ? target.numbers() : target.values;
  if (y.size() != training.points.rows())
    throw Error(ErrorCode::invalid_data,
                fmt::format("{} is a loss of one number, but the target has {} columns", loss.name(),
                            target.outputs));
  check_targets(loss, y);
  return y;
}

Rule rule_for(const Loss& loss) {
  switch (loss.target()) {
    case LossTarget::classes:
      return Rule::softmax;
    case LossTarget::signs:
      return loss.name() == "logistic" ? Rule::softmax : Rule::one_vs_rest;
    case LossTarget::counts:
      return Rule::rate;
    case LossTarget::real:
      break;
  }
  return Rule::value;
}

// --- Ω: what stands for λ‖f‖².
double slope_of(const RiskSettings& settings, double norm) {
  switch (settings.omega) {
    case Rerm::Omega::norm:
      return 0.5 / std::sqrt(std::max(norm, 1e-300));
    case Rerm::Omega::fourth:
      return 2 * norm;
    case Rerm::Omega::user:
      return settings.own_omega->slope(norm);
    case Rerm::Omega::square:
      break;
  }
  return 1;
}
double value_of(const RiskSettings& settings, double norm) {
  switch (settings.omega) {
    case Rerm::Omega::norm:
      return std::sqrt(norm);
    case Rerm::Omega::fourth:
      return norm * norm;
    case Rerm::Omega::user:
      return settings.own_omega->value(norm);
    case Rerm::Omega::square:
      break;
  }
  return norm;
}

// The representer theorem asks for an Ω that increases strictly.
void check_omega(const RiskSettings& settings) {
  if (settings.omega != Rerm::Omega::user) return;
  for (int exponent = -6; exponent <= 6; ++exponent) {
    const double t = std::pow(10.0, exponent), slope = slope_of(settings, t), h = 1e-4 * t;
    const double found = (value_of(settings, t + h) - value_of(settings, t - h)) / (2 * h);
    if (!(slope > 0) || !std::isfinite(slope))
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("Ω must increase strictly, but its derivative is {:g} at t = {:g}", slope, t),
                  {.owner = "rerm"});
    if (std::abs(found - slope) > 1e-3 * std::max(slope, std::abs(found)))
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("the derivative of Ω is {:.6g} at t = {:g}, but the value's differences give {:.6g}",
                      slope, t, found),
          {.owner = "rerm"});
  }
}

// 2|λΩ′(‖f‖²) − λ′|·‖f‖: what is left of the gradient where f minimises the risk with λ′.
double mismatch_of(const RiskSettings& settings, double lambda, double norm) {
  return 2 * std::abs(settings.lambda * slope_of(settings, norm) - lambda) * std::sqrt(std::max(0.0, norm));
}

// The λ′ at which log(λΩ′(‖f‖²)/λ′) is 0, or the mismatch small enough; `norm_at` fits with λ′ and returns
// ‖f‖². False position in logarithms.
double find_lambda(const RiskSettings& settings, double tolerance,
                   const std::function<double(double)>& norm_at) {
  double lambda = settings.lambda, mismatch = 0;
  const auto excess = [&](double at) {
    const double norm = norm_at(lambda = at);
    mismatch = mismatch_of(settings, at, norm);
    return std::log(settings.lambda * slope_of(settings, norm) / at);
  };
  double low = lambda, at_low = excess(low), high = low, at_high = at_low;
  for (int step = 0; step < 60 && at_low < 0 && mismatch > tolerance; ++step) low /= 4, at_low = excess(low);
  for (int step = 0; step < 60 && at_high > 0 && mismatch > tolerance; ++step)
    high *= 4, at_high = excess(high);
  for (int step = 0;
       step < 60 && std::log(high / low) > 1e-10 && mismatch > tolerance && at_low > 0 && at_high < 0;
       ++step) {
    // Halving every third time, so that no end of the bracket stays for ever.
    const double part = step % 3 == 2 ? 0.5 : at_low / (at_low - at_high),
                 middle = low * std::pow(high / low, part), now = excess(middle);
    if (now > 0)
      low = middle, at_low = now;
    else
      high = middle, at_high = now;
  }
  return lambda;
}

// --- Smooth losses.
struct Smooth {
  const Training& training;
  const Loss& loss;
  const Rows& rows;
  std::vector<double> y, v;
  std::size_t outputs;
  Watch& watch;
  KernelSystem& system;

  double constant;   // of the system's kernel
  double scale = 1;  // of the tolerance: the gradient at f = 0, where that is above 1
  double share = 1;  // of the tolerance that the gradient may take; the rest is for λ′

  RiskProblem problem(double lambda) const {
    return {.loss = loss, .y = y, .v = v, .lambda = lambda, .outputs = outputs, .constant = constant};
  }

  // f = 0 with the best constant; the gradient there is that of the loss alone.
  RiskSolution best_constant() const {
    return minimise_risk(system, problem(1), {.tolerance = training.tolerance, .most_steps = 0});
  }

  // |Σ v L′|
  double slope_of_constant(std::span<const double> f) const {
    std::vector<double> sums(outputs, 0), g(f.size());
    loss.derivatives(y, f, g);
    for (std::size_t e = 0; e < g.size(); ++e) sums[e % outputs] += v[e / outputs] * g[e];
    return std::sqrt(std::inner_product(sums.begin(), sums.end(), sums.begin(), 0.0));
  }

  // Σ v (L(y, f) + L*(y, a) − a·f) ≥ 0 with a = −2λA/v: primal minus dual objective (Fenchel & Young), where
  // the conjugate is known and a in its domain.
  std::optional<double> gap(double lambda, const RiskSolution& at) const {
    std::vector<double> losses(y.size()), a(outputs);
    loss.values(y, at.f, losses);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t c = 0; c < outputs; ++c) a[c] = -2 * lambda * at.A[i * outputs + c] / v[i];
      const std::optional<double> conjugate = loss.conjugate(y[i], a);
      if (!conjugate || !std::isfinite(*conjugate)) return {};
      const auto f = std::span(at.f).subspan(i * outputs, outputs);
      sum += v[i] * (losses[i] + *conjugate - std::inner_product(a.begin(), a.end(), f.begin(), 0.0));
    }
    return std::max(0.0, sum);
  }

  RiskSolution solve(double lambda) const {
    RiskOptions options{.tolerance = share * training.tolerance * scale, .unit = scale};
    options.progress = [&](std::string_view what, double fraction) {
      return watch.go_on(what, 0.1 + 0.9 * fraction);
    };
    if (training.options.solver != "gradient") return minimise_risk(system, problem(lambda), options);
    options.most_steps = 1'000'000;
    return descend_risk(system, problem(lambda), options);
  }
};

// K + κ11ᵀ with κ the mean of the diagonal of K; of features as one more of them.
struct Extended {
  Kernel kernel;
  std::shared_ptr<const RowFeatures> features;
  double constant;
};

Extended with_constant(const Kernel& kernel, const Rows& rows, int threads) {
  double mean = 0;
  if (rows.features) {
    mean = rows.features->mean_square();
  } else {
    std::vector<double> diagonal(rows.size());
    KernelOperator<double>(kernel, rows.points, {.threads = threads}).diagonal(diagonal);
    mean = std::accumulate(diagonal.begin(), diagonal.end(), 0.0) / double(diagonal.size());
  }
  const double constant = mean > 0 ? mean : 1;
  Kernel more = kernel + Kernel::parse(fmt::format("constant(c={})", constant));
  if (!rows.features) return {std::move(more), nullptr, constant};
  return {std::move(more), std::make_shared<RowFeatures>(rows.features->with_constant(std::sqrt(constant))),
          constant};
}

Fitted fit_smooth(const Training& training, const Loss& loss, const RiskSettings& settings,
                  const std::vector<double>& targets) {
  Watch watch(training.options);
  const Rows rows(training);
  const FitOptions& o = training.options;
  const Extended extended = settings.bias ? with_constant(training.kernel, rows, o.threads)
                                          : Extended{training.kernel, rows.features, 0};
  // The constant is a model already: a time that is over ends the steps, not the work inside.
  const auto told = [&](std::string_view what, double) { return watch.go_on(what, 0.1), true; };
  KernelSystem system = system_of(extended.kernel, rows.points, extended.features, o.solver, o, told);
  const std::size_t outputs = loss.target() == LossTarget::classes ? training.target.labels.size() : 1;
  Smooth smooth{training, loss, rows, {}, rows.weights, outputs, watch, system, extended.constant};
  const double weight = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  for (double& share : smooth.v) share /= weight;
  for (const std::size_t i : rows.numbers) smooth.y.push_back(targets[i]);

  RiskSolution solution = smooth.best_constant();
  smooth.scale = std::max(1.0, solution.gradient);
  smooth.share = settings.omega == Rerm::Omega::square ? 1 : 0.8;
  double mismatch = 0;
  std::optional<double> gap;
  // ‖f‖ has a kink at 0: where the gradient of the loss is no longer than λ there, 0 is the minimum.
  if (settings.omega == Rerm::Omega::norm && solution.gradient <= settings.lambda) {
    solution.gradient = settings.bias ? smooth.slope_of_constant(solution.f) : 0;
  } else {
    double lambda = settings.lambda;
    if (settings.omega != Rerm::Omega::square)
      lambda = find_lambda(settings, 0.1 * training.tolerance * smooth.scale,
                           [&](double at) { return smooth.solve(at).norm; });
    solution = smooth.solve(lambda);
    mismatch = mismatch_of(settings, lambda, solution.norm);
    gap = smooth.gap(lambda, solution);
  }
  std::vector<double> rho;
  for (const double b : solution.b) rho.push_back(-b);
  Fitted fitted = expand(training, rows, std::move(solution.A), std::move(rho), rule_for(loss));
  FitReport& report = fitted.report;
  report.certificate = CertificateKind::gradient_norm;
  report.violation = (solution.gradient + mismatch) / smooth.scale;
  report.tolerance = training.tolerance;
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short && report.violation <= training.tolerance;
  report.iterations = solution.steps;
  report.kernel_evaluations = system.evaluations();
  report.objective = solution.loss + settings.lambda * value_of(settings, std::max(0.0, solution.norm));
  report.norm = solution.norm;
  report.loss = solution.loss;
  if (gap) report.gap = *gap;
  if (const auto features = system.features()) report.plan = {FitPlan::Way::primal, *features};
  report.solver = o.solver == "gradient"
                      ? fmt::format("gradient recursion, {} steps", solution.steps)
                      : fmt::format("Newton's method, {} steps; {}", solution.steps, system.reason());
  if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the gradient's norm is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  return fitted;
}

// Over features of landmarks, which are computed again in each pass.
bool streams(const Training& training, const RiskSettings& settings) {
  const std::string& solver = training.options.solver;
  return training.over_features && training.features->landmarks() && settings.omega == Rerm::Omega::square &&
         settings.lambda > 0 && (solver == "auto" || solver == "newton" || solver == "primal");
}

Fitted fit_streamed(const Training& training, const Loss& loss, const RiskSettings& settings,
                    const std::vector<double>& targets) {
  Watch watch(training.options);
  const Rows rows(training);
  const double weight = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  std::vector<double> y, v;
  for (const std::size_t i : rows.numbers) y.push_back(targets[i]);
  for (const double w : rows.weights) v.push_back(w / weight);
  const std::size_t outputs = loss.target() == LossTarget::classes ? training.target.labels.size() : 1;
  RiskOptions options{.tolerance = training.tolerance};
  options.progress = [&](std::string_view what, double fraction) { return watch.go_on(what, fraction); };
  const StreamedRisk found =
      stream_risk(*rows.features,
                  {.loss = loss,
                   .y = y,
                   .v = v,
                   .lambda = settings.lambda,
                   .outputs = outputs,
                   .constant = settings.bias ? 1.0 : 0.0},
                  options, {.seed = training.options.seed, .threads = training.options.threads});
  Fitted fitted = over_weights(*rows.features, found.W, outputs, rule_for(loss));
  for (const double b : found.b) fitted.rho.push_back(-b);
  FitReport& report = fitted.report;
  report.support_vectors = rows.size();
  report.certificate = CertificateKind::gradient_norm;
  report.violation = found.gradient / std::max(1.0, found.first);
  report.tolerance = training.tolerance;
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short && found.converged;
  report.iterations = found.steps;
  report.kernel_evaluations = found.passes * rows.size() * rows.features->features();
  report.objective = found.risk;
  report.norm = found.norm;
  report.loss = found.loss;
  report.gap = found.gap;
  report.plan = {FitPlan::Way::primal, rows.features->features()};
  report.solver = fmt::format(
      "Newton's method, {} steps of conjugate gradients over {} features, {} passes over the rows",
      found.steps, rows.features->features(), found.passes);
  if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the gradient's norm is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  return fitted;
}

// --- Losses linear in pieces.
struct Pieces {
  BoxQp problem;
  std::vector<std::size_t> rows;  // of each variable, in the machine
};

Pieces dual_of(const SvmTrainer& trainer, const Loss& loss, std::span<const double> targets, double lambda) {
  Pieces pieces;
  for (std::size_t i = 0; i < trainer.size(); ++i)
    for (const DualPiece& piece : loss.dual(targets[trainer.row(i)])) {
      const double most = lambda * trainer.weight(i);
      pieces.problem.add(i, piece.linear, most * piece.lower, most * piece.upper);
      pieces.rows.push_back(i);
    }
  return pieces;
}

Fitted fit_pieces(const Training& given, const Loss& loss, const RiskSettings& settings,
                  const std::vector<double>& targets) {
  if (!settings.bias)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} is solved in its dual, where the constant is free", loss.name()),
                {.hint = "set bias=free"});
  Training training = given;
  training.tolerance = given.options.tolerance.value_or(1e-3);  // of the optimality conditions, as of SVMs
  SvmTrainer trainer(training, all_rows(training), rule_for(loss), 1, 1);
  double weight = 0;
  for (std::size_t i = 0; i < trainer.size(); ++i) weight += trainer.weight(i);
  Pieces pieces;
  const auto solve = [&](double lambda) {
    pieces = dual_of(trainer, loss, targets, 1 / (2 * lambda * weight));
    return trainer.solve(pieces.problem, training.tolerance);
  };
  const auto norm_of = [&](const SmoResult& result) {
    double norm = 0;
    for (std::size_t v = 0; v < result.beta.size(); ++v) norm += result.beta[v] * result.f[pieces.rows[v]];
    return norm;
  };
  double lambda = settings.lambda;
  if (settings.omega != Rerm::Omega::square)
    lambda = find_lambda(settings, 1e-3 * training.tolerance, [&](double at) { return norm_of(solve(at)); });
  const SmoResult result = solve(lambda);
  trainer.add(SvmTrainer::summary(
      pieces.problem, result, {.objective = result.certificate.objective, .rho = result.certificate.rho[0]}));
  std::vector<double> coefficients(trainer.size(), 0), f(1);
  double loss_sum = 0;
  for (std::size_t v = 0; v < result.beta.size(); ++v) coefficients[pieces.rows[v]] += result.beta[v];
  for (std::size_t i = 0; i < trainer.size(); ++i) {
    f[0] = result.f[i] - result.certificate.rho[0];
    loss_sum += trainer.weight(i) * loss.value(targets[trainer.row(i)], f);
  }
  Fitted fitted = trainer.finish(std::move(coefficients), {result.certificate.rho[0]});
  // The dual is that of ½‖f‖² + Σ lambda·L: 1/(2λ′) times the risk.
  FitReport& report = fitted.report;
  report.loss = loss_sum / weight;
  report.objective = *report.loss + settings.lambda * value_of(settings, std::max(0.0, *report.norm));
  report.gap *= 2 * lambda;
  if (report.solver.empty()) report.solver = "the box-constrained dual, two-level SMO";
  return fitted;
}

}  // namespace

Fitted fit_risk(const Training& training, const Loss& loss, const RiskSettings& settings) {
  const std::vector<double> targets = targets_for(training, loss);
  check_omega(settings);
  std::optional<std::string> nonconvex;
  if (settings.check_loss) {
    check_derivative(loss, targets);
    nonconvex = find_nonconvexity(loss, targets);
    if (nonconvex && !training.options.allow_nonconvex)
      throw Error(ErrorCode::unsupported, fmt::format("the loss is not convex: {}", *nonconvex),
                  {.owner = std::string(loss.name()), .hints = {{Remedy::take_nonconvex}}});
  }
  if (!loss.smooth() && training.options.solver != "dual" && training.options.solver != "auto")
    throw Error(ErrorCode::unsupported, fmt::format("{} has kinks and is solved in its dual", loss.name()),
                {.value = training.options.solver, .hints = {{Remedy::choose_solver}}});
  const bool passes = training.over_features && training.features->landmarks();
  if (on_disk(training.points) && !(loss.smooth() ? streams(training, settings) : passes))
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} needs all rows at hand here, and those on disk are visited in order", loss.name()),
        {.hint = "take Nyström features, with λ > 0 and, for a smooth loss, Ω = square"});
  Fitted fitted = !loss.smooth()                ? fit_pieces(training, loss, settings, targets)
                  : streams(training, settings) ? fit_streamed(training, loss, settings, targets)
                                                : fit_smooth(training, loss, settings, targets);
  if (nonconvex)
    fitted.report.warnings.push_back(
        fmt::format("the loss is not convex ({}): what was found is a point where the gradient vanishes, a "
                    "local minimum at best",
                    *nonconvex));
  return fitted;
}

}  // namespace mercer

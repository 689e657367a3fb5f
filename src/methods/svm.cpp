#include "mercer/methods/svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "methods/pairs.hpp"
#include "methods/c_path.hpp"
#include "mercer/error.hpp"
#include "operators/row_features.hpp"

namespace mercer {

namespace {

double penalty_of(const Svm& svm, std::size_t n) {
  if (svm.lambda)
    return 1 / (2 * *svm.lambda * double(n));  // (1/n)Σ hinge + λ‖w‖² = 2λ·(½‖w‖² + 1/(2λn)·Σ hinge)
  return svm.C_convention == Svm::Convention::mean ? svm.C / double(n) : svm.C;
}

TwoClass soft_margin(const Svm& svm, SvmTrainer& trainer, std::size_t positive, std::size_t negative) {
  const double C = penalty_of(svm, trainer.part(positive).size() + trainer.part(negative).size());
  const BoxQp problem = two_class_problem(trainer, positive, negative, 1, C);
  SmoResult result = trainer.solve(problem, trainer.tolerance());
  const double rho = result.certificate.rho[0];
  const auto solved =
      SvmTrainer::summary(problem, result, {.objective = result.certificate.objective, .rho = rho});
  return {std::move(result.beta), rho, solved};
}

// The hard margin is half the distance between the convex hulls of the two classes (Bennett & Bredensteiner
// 2000):
//   min ½‖Σβφ‖²  with  Σβ = 1 over the positive and −1 over the negative class.
// That problem is bounded whether or not the classes can be separated; they cannot where the distance is 0.
// With levels ρ₊ and ρ₋ the margin is r = (ρ₊ − ρ₋)/2, and β/r, (ρ₊ + ρ₋)/2r are the machine whose margin
// is 1.
BoxQp hull_problem(const SvmTrainer& trainer, std::size_t positive, std::size_t negative) {
  BoxQp problem = two_class_problem(trainer, positive, negative, 0, 1);
  const std::size_t positives = trainer.part(positive).size();
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const bool first = v < positives;
    problem.groups.push_back(first ? 0 : 1);
    // A weight has no meaning where no point may be inside the margin. The sums already keep |β| ≤ 1; a bound
    // that is out of reach leaves every support vector free, so that it alone fixes its class's rho.
    problem.lower[v] = first ? 0 : -2;
    problem.upper[v] = first ? 2 : 0;
  }
  problem.start.assign(problem.size(), 0);
  problem.start[0] = 1;
  problem.start[positives] = -1;
  return problem;
}

// How far the function Σβφ keeps the classes apart: above 0 it is a proof that they can be separated,
// converged or not.
double separation(const BoxQp& problem, const SmoResult& result) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const double f = result.f[std::size_t(problem.points[v])];
    if (problem.groups[v] == 0)
      lowest = std::min(lowest, f);
    else
      highest = std::max(highest, f);
  }
  return lowest - highest;
}

[[noreturn]] void refuse_overlap(const SvmTrainer& trainer, const Target& target, std::size_t positive,
                                 std::size_t negative) {
  const std::string &first = target.labels[positive], &second = target.labels[negative];
  if (const auto pair = trainer.same_point(positive, negative)) {
    const auto [i, j] = *pair;
    throw Error(
        ErrorCode::invalid_data,
        fmt::format(
            "not separable: rows {} and {} are the same to the kernel, but one is '{}' and the other '{}'",
            i + 1, j + 1, first, second),
        {.hint = "give a finite C"});
  }
  throw Error(
      ErrorCode::invalid_data,
      fmt::format("not separable with this kernel: the convex hulls of '{}' and '{}' meet", first, second),
      {.hint = "give a finite C, or a richer kernel"});
}

// Neither a proof of separability nor one of its opposite is a matter of the tolerance: f separates the
// classes by more than its rounding, or the distance of the hulls is no more than that.
TwoClass hard_margin(SvmTrainer& trainer, const Target& target, std::size_t positive, std::size_t negative) {
  BoxQp problem = hull_problem(trainer, positive, negative);
  // Of f, as Σ|β| = 2.
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * trainer.largest_diagonal();
  double unconverged = 0;
  for (double tolerance = 0.1 * trainer.spread();; tolerance /= 10) {
    SmoResult result = trainer.solve(problem, std::max(tolerance, rounding));
    const Certificate& c = result.certificate;
    const double r = (c.rho[0] - c.rho[1]) / 2, apart = separation(problem, result);
    const bool separated = apart > rounding && r > 0,
               exact = separated && c.violation <= trainer.tolerance() * r;
    unconverged = result.converged ? 0 : unconverged + 1;
    const bool last = tolerance <= rounding || unconverged > 1 || trainer.cut_short();
    if (exact || (separated && last)) {
      const double rho = (c.rho[0] + c.rho[1]) / (2 * r);
      auto solved = SvmTrainer::summary(problem, result,
                                        {.objective = -c.objective / (r * r),
                                         .rho = rho,
                                         .violation_scale = 1 / r,
                                         .gap_scale = 1 / (r * r)});
      solved.converged = exact;
      for (double& b : result.beta) b /= r;
      return {std::move(result.beta), rho, solved};
    }
    if (trainer.cut_short())
      throw Error(ErrorCode::out_of_time, "the time did not suffice to find a separating surface");
    if (2 * c.objective <= 4 * rounding) refuse_overlap(trainer, target, positive, negative);
    if (last)
      throw Error(ErrorCode::invalid_data,
                  fmt::format("no surface that separates '{}' from '{}' was found, and no proof that there "
                              "is none: the hulls of the classes come within {:.2g} of each other",
                              target.labels[positive], target.labels[negative],
                              std::sqrt(2 * std::max(0.0, c.objective))),
                  {.hint = "scale the columns, or give a finite C"});
    problem.start = std::move(result.beta);
    problem.guess.clear();
  }
}

Fitted one_against_rest(const Svm& svm, const Training& training) {
  const auto rows = rows_by_class(training);
  const std::size_t classes = rows.size();
  SvmTrainer trainer(training, rows, Rule::one_vs_rest, classes, classes);
  std::vector<double> coefficients(trainer.size() * classes), rho(classes);
  const double bound = penalty_of(svm, trainer.size());
  const std::vector<SvmTrainer::Answer> answers = trainer.for_each_problem([&](std::size_t c) {
    BoxQp problem;
    for (std::size_t i = 0; i < trainer.size(); ++i) {
      const bool own = i >= trainer.part(c).begin && i < trainer.part(c).end;
      problem.add_signed(i, own ? -1 : 1, own ? 1 : -1, bound * trainer.weight(i));
      if (trainer.resumes()) problem.guess.push_back(trainer.before(i, c));
    }
    SmoResult result = trainer.solve(problem, trainer.tolerance());
    const double level = result.certificate.rho[0];
    const auto solved =
        SvmTrainer::summary(problem, result, {.objective = result.certificate.objective, .rho = level});
    return SvmTrainer::Answer{std::move(result.beta), level, solved};
  });
  for (std::size_t c = 0; c < classes; ++c) {
    rho[c] = answers[c].rho;
    for (std::size_t i = 0; i < trainer.size(); ++i) coefficients[i * classes + c] = answers[c].beta[i];
    trainer.add(answers[c].solved);
  }
  return trainer.finish(std::move(coefficients), std::move(rho));
}

struct PairRows {
  std::int32_t positive, negative;
  std::vector<std::size_t> rows;
};

std::vector<PairRows> pairs_of(const Target& target) {
  std::vector<PairRows> pairs;
  const auto classes = std::int32_t(target.labels.size());
  for (std::int32_t i = 0; i < classes; ++i)
    for (std::int32_t j = i + 1; j < classes; ++j) {
      PairRows& pair = pairs.emplace_back(PairRows{i, j, {}});
      for (std::size_t row = 0; row < target.codes.size(); ++row)
        if (target.codes[row] == i || target.codes[row] == j) pair.rows.push_back(row);
    }
  return pairs;
}

// The rows of the fold are there with bounds of 0, so that all folds have the same block of K.
BoxQp pair_problem(const Svm& svm, const CPath& path, const Target& target, const PairRows& pair,
                   std::size_t fold) {
  BoxQp problem;
  const auto counts = [&](std::size_t row) { return !path.held(row, fold) && path.weight(row) > 0; };
  const double unit = svm.C_convention == Svm::Convention::mean
                          ? 1 / double(std::max<std::ptrdiff_t>(1, std::ranges::count_if(pair.rows, counts)))
                          : 1;
  for (const std::size_t row : pair.rows) {
    const int sign = target.codes[row] == pair.positive ? 1 : -1;
    problem.add_signed(row, -sign, sign, counts(row) ? unit * path.weight(row) : 0);
  }
  return problem;
}

// Of a pair one of whose classes has no row outside the fold, the other gets the vote: all β are 0 and ρ is
// ∓1.
std::optional<HeldOut> hold_out_pairs(const Svm& svm, const Validation& validation) {
  const CPath path(validation);
  const Target& target = validation.training.target;
  const std::vector<PairRows> pairs = pairs_of(target);
  HeldOut out{
      Rule::one_vs_one, pairs.size(),
      std::vector(validation.values.size(), std::vector<double>(validation.fold.size() * pairs.size()))};
  constexpr std::size_t many = 8;  // of fewer pairs the folds are tasks of their own
  const std::size_t parts = pairs.size() >= many ? 1 : path.folds();
  parallel_for(parts * pairs.size(), validation.training.options.threads, [&](std::size_t task) {
    const std::size_t part = task / pairs.size(), pair = task % pairs.size();
    const Range folds = parts == 1 ? Range{0, path.folds()} : Range{part, part + 1};
    path.follow(
        folds, [&](std::size_t fold) { return pair_problem(svm, path, target, pairs[pair], fold); },
        [&](std::size_t fold, std::size_t v, std::span<const double> scores) {
          for (std::size_t h = 0; h < scores.size(); ++h)
            out.scores[v][path.held_rows(fold)[h] * pairs.size() + pair] = scores[h];
        });
  });
  return out;
}

// The hard margin has no solver over features: K is theirs, or the kernel's own.
struct OverKernel {
  Points points;
  Kernel kernel;
  Training training;
  explicit OverKernel(const Training& given)
      : points(given.over_features ? given.features->table() : given.points),
        kernel(given.over_features ? Kernel::parse("linear") : given.kernel),
        training{points, given.target, given.weights, kernel, given.options, given.tolerance, given.start} {
    if (given.options.solver == "primal" && !given.over_features)
      throw Error(ErrorCode::unsupported, "the hard margin is found over K, not over features",
                  {.value = "primal", .hint = "give a finite C", .hints = {{Remedy::choose_solver}}});
  }
};

}  // namespace

std::optional<HeldOut> Svm::hold_out(const Validation& validation) const {
  const bool hard = std::ranges::any_of(validation.values, [](double C) { return std::isinf(C); });
  if (hard || validation.parameter != "C" || lambda || multiclass != Multiclass::ovo || !validation.gram)
    return std::nullopt;
  return hold_out_pairs(*this, validation);
}

Fitted Svm::fit(const Training& training) const {
  const bool hard = std::isinf(C) && !lambda;
  if (multiclass == Multiclass::ovr && training.target.labels.size() > 2) {
    if (hard)
      throw Error(ErrorCode::invalid_argument, "the hard margin is fitted for pairs of classes",
                  {.hint = "set multiclass=ovo"});
    return one_against_rest(*this, training);
  }
  if (hard && training.features && training.features->landmarks())
    throw Error(ErrorCode::unsupported, "the hard margin needs the features of all rows at hand",
                {.hint = "give a finite C"});
  if (hard && training.features) return fit(OverKernel(training).training);
  return fit_pairs(training, [&](SvmTrainer& trainer, std::size_t positive, std::size_t negative) {
    return hard ? hard_margin(trainer, training.target, positive, negative)
                : soft_margin(*this, trainer, positive, negative);
  });
}

}  // namespace mercer

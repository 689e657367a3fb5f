// A problem of a support vector method over the kernel: SMO in float32 rows with a float64 certificate, where
// that does not end a direct method for few variables, and SMO over float64 rows.
#include <algorithm>
#include <cmath>

#include "methods/svm_trainer.hpp"
#include "solvers/direct_box.hpp"

namespace mercer {

namespace {

// The largest working set: 1024 for large problems; where rows are cheap and the problem is small, all of it.
std::size_t working_set_for(std::size_t variables, bool cheap) {
  return cheap && variables <= 1536 ? variables : 1024;
}

// A problem of so few variables that its K is factored in a blink. SMO gets as many steps as cost about as
// much as that; where they do not suffice, more of them would hardly do, and the direct method takes over.
constexpr std::size_t few_variables = 1024;
std::size_t steps_before_direct(std::size_t variables) {
  return std::max<std::size_t>(50'000, 4 * variables * variables);
}
constexpr std::size_t steps_after_direct = 20'000;

// The largest problem whose rows are held. It follows from the number of problems and not from that of the
// threads that share the memory, so that both give the same bits.
std::size_t largest_held_in(std::size_t memory, std::size_t problems) {
  const std::size_t share = memory / std::clamp<std::size_t>(problems, 1, 32);
  return std::min<std::size_t>(6144, std::size_t(std::sqrt(double(share) / (2 * sizeof(float)))));
}

// A better solution than SMO's, by the direct method for small problems. False where there is none.
bool finish_directly(const BoxQp& problem, const KernelOperator<double>& exact, const SmoOptions& options,
                     SmoResult& result) {
  const CompactQp own(problem);
  const std::size_t n = own.points.size();
  Buffer<double> K(n * n);
  exact.square(own.points, K);
  auto solution = solve_directly(own.problem, K, n, options.tolerance, options.progress);
  if (!solution) return false;
  result.steps += solution->steps;
  if (!result.beta.empty() && !(solution->certificate.violation < result.certificate.violation)) return true;
  result.beta = std::move(solution->beta);
  result.f = own.spread(solution->f, exact.rows());
  result.certificate = solution->certificate;
  result.converged = result.certificate.violation <= options.tolerance;
  return true;
}

// The same by rank 0, for all of them: others may round otherwise, and all must go on from the same numbers.
bool finish_together(const BoxQp& problem, const KernelOperator<double>& exact, const SmoOptions& options,
                     SmoResult& result) {
  if (!options.ranks) return finish_directly(problem, exact, options, result);
  double found = options.ranks->first() && finish_directly(problem, exact, options, result);
  options.ranks->take_first(std::span(&found, 1));
  result.beta.resize(problem.size());
  result.f.resize(exact.rows());
  take_first(*options.ranks, result);
  return found != 0;
}

}  // namespace

// Problems are numbered in the order in which they are solved. One that was solved by an earlier run costs a
// certificate.
SmoResult SvmTrainer::solve_from_kept(const BoxQp& problem, const Progress& progress, double tolerance) {
  const std::size_t number = calls_++;
  BoxQp own = problem;
  if (std::vector<double> start = solutions()->kept(number); start.size() == problem.size())
    own.start = std::move(start);
  SmoResult result = solve_over_kernel(own, progress, tolerance);
  solutions()->keep(number, result.beta);
  return result;
}

// Cheap entries are computed for each problem anew, over its own points, so that nothing in it takes as long
// as all points are many; of others the problems share the rows, unless ranks share their columns.
SmoResult SvmTrainer::solve_over_kernel(const BoxQp& problem, const Progress& progress, double tolerance) {
  const bool cheap = exact_->cheap();
  SmoOptions options{.tolerance = tolerance,
                     .working_set = working_set_for(problem.size(), cheap),
                     .largest_held = cheap ? largest_held_in(training_.options.memory, problems_) : 0,
                     .cheap_entries = cheap,
                     .shrinking = training_.options.shrinking,
                     .most_steps = training_.options.most_steps,
                     .progress = progress,
                     .ranks = ranks_of_problem()};
  if (KeptSolutions* const kept = solutions()) {
    options.due = [kept] { return kept->due(); };
    options.keep = [kept, number = calls_ - 1](std::span<const double> beta) { kept->keep(number, beta); };
  }
  auto loan = workplaces_.borrow();
  bool narrow = narrow_ && narrow_->finite();
  if (options.ranks) narrow = !options.ranks->any(!narrow);
  if (!cheap && !options.ranks)
    return solve_narrow_or_wide(problem, {narrow ? &*narrow_ : nullptr, *exact_, cut_segments(part_points_)},
                                *loan, options);
  const CompactQp own(problem);
  const std::vector<Range> segments = cut_segments(column_shares(own.points.size(), options.ranks));
  if (own.points.size() == point_count())
    return solve_narrow_or_wide(own.problem, {narrow ? &*narrow_ : nullptr, *exact_, segments}, *loan,
                                options);
  const KernelOperator<double> exact = exact_->select(own.points);
  std::optional<KernelOperator<float>> own_narrow;
  if (narrow) own_narrow.emplace(narrow_->select(own.points));
  SmoResult result =
      solve_narrow_or_wide(own.problem, {narrow ? &*own_narrow : nullptr, exact, segments}, *loan, options);
  result.f = own.spread(result.f, point_count());
  return result;
}

// Where float32 loses what tells the points apart (a linear kernel far from the origin), float64 goes on from
// there, in the memory of the float32 rows.
SmoResult SvmTrainer::solve_narrow_or_wide(const BoxQp& problem, const Entries& K, Workplace& place,
                                           const SmoOptions& given) {
  // Several threads share the memory.
  const std::size_t memory = training_.options.memory / std::size_t(workers_);
  const int threads = workers_ > 1 ? 1 : training_.options.threads;
  const bool small = problem.size() <= few_variables && given.most_steps == 0,
             own_rows = given.cheap_entries || given.ranks;
  SmoOptions options = given;
  if (small) options.most_steps = steps_before_direct(problem.size());
  SmoResult result;
  if (K.narrow) {
    if (!place.rows || own_rows)
      place.rows = std::make_unique<RowStore<float>>(*K.narrow, K.segments, memory, threads, place.memory);
    result = smo(problem, *place.rows, K.exact, options);
    evaluations_ += result.evaluations;
  }
  if (own_rows) place.rows.reset();  // its K ends with the problem
  if (result.converged || result.stopped) return result;
  place = Workplace();
  const bool direct = small && finish_together(problem, K.exact, options, result);
  if (result.converged) return result;
  options.most_steps = direct ? steps_after_direct : given.most_steps;
  BoxQp rest = problem;
  if (!result.beta.empty()) rest.start = result.beta;
  RowStore<double> rows(K.exact, K.segments, memory, threads);
  SmoResult wide = smo(rest, rows, K.exact, options);
  evaluations_ += wide.evaluations;
  wide.steps += result.steps;
  if (result.beta.empty() || wide.stopped || wide.certificate.violation <= result.certificate.violation)
    return wide;
  result.steps = wide.steps;
  return result;
}

}  // namespace mercer

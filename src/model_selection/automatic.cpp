// The choice is made on held-out rows (mercer/tune.hpp): all candidates on a part of many rows first, then
// the better ones on more, then the neighbours of the best. What it is worth is measured on folds that the
// choice has not seen, with the scaling fitted anew in each.
#include "mercer/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/ranks.hpp"
#include "base/seconds.hpp"
#include "mercer/budget.hpp"
#include "mercer/cross_validation.hpp"
#include "mercer/default_kernel.hpp"
#include "mercer/error.hpp"
#include "mercer/folds.hpp"
#include "model_selection/automatic_plan.hpp"
#include "model_selection/cv_scorer.hpp"
#include "model_selection/present_classes.hpp"
#include "model_selection/tune_steps.hpp"

namespace mercer {

namespace {

using StartTime = std::chrono::steady_clock::time_point;

constexpr double forever = std::numeric_limits<double>::infinity();
// Above, a fifth of the rows is held out once in place of five folds, at most so many of them. Where these
// are fewer than a fifth, the model that is kept does not learn from them, so that there is one fit in place
// of two.
constexpr std::size_t rows_to_fold = 30'000, most_held_out = 20'000;
// What a fit of many rows may take where nobody says, before an approximation takes the place of the exact
// one.
constexpr double usual_seconds = 120;

// --- The search

// Values between the best one of an axis and its neighbours.
std::vector<double> between(const GridAxis& axis, double best) {
  std::vector<double> values = axis.values, near{best};
  std::ranges::sort(values);
  const auto at = std::ranges::find(values, best);
  const auto middle = [](double a, double b) { return a > 0 && b > 0 ? std::sqrt(a * b) : (a + b) / 2; };
  if (at != values.begin() && at != values.end()) near.push_back(middle(*(at - 1), best));
  if (at != values.end() && at + 1 != values.end()) near.push_back(middle(best, *(at + 1)));
  std::ranges::sort(near);
  return near;
}

// The best candidate's neighbours at half the grid's steps, on the rows that it was judged on.
void refine(Search& search, const Dataset& data, TuneOptions tune, double seconds_left) {
  const Trial best = search.trials[search.best];
  SearchSpace space = search.spaces[best.space];
  for (std::size_t a = 0; a < space.axes.size(); ++a)
    space.axes[a].values =
        whole_numbers(space.axes[a]) ? std::vector{best.values[a]} : between(space.axes[a], best.values[a]);
  tune.rows_at_first = 0;
  tune.fit.seconds = seconds_left;
  if (const Progress outer = tune.fit.progress)
    tune.fit.progress = [outer](std::string_view what, double done) {
      return outer(fmt::format("refinement, {}", what), done);
    };
  const Ranks* const ranks = SharedWork::ranks();
  const bool time_over = ranks ? ranks->any(seconds_left <= 0) : seconds_left <= 0;
  Search finer;
  try {
    if (!time_over) finer = mercer::tune({space}, data, tune);
  } catch (const Error& error) {  // stopped before the first of them
    if (error.kind() != ErrorKind::cancelled && error.kind() != ErrorKind::budget) throw;
    search.cut_short = true;
    search.interrupted = error.kind() == ErrorKind::cancelled;
  }
  if (finer.trials.empty()) return;
  const std::size_t known = search.evaluated(), before = search.trials.size();
  const double gain = finer.trials[finer.best].score - best.score;
  for (Trial& trial : finer.trials) {
    trial.space = best.space;
    search.trials.push_back(std::move(trial));
  }
  if (metric_named(search.metric).larger_is_better ? gain > 0 : gain < 0) {
    search.best = before + finer.best;
    search.held_out = std::move(finer.held_out);
  }
  search.seconds += finer.seconds;
  search.cut_short = search.cut_short || finer.cut_short;
  search.interrupted = search.interrupted || finer.interrupted;
  search.refined = search.evaluated() - known;
}

Search choose(const PreparedSearch& made, const AutomaticOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  if (auto only = only_candidate(made.spaces, made.data, made.scaled, made.tune)) return std::move(*only);
  Search search = mercer::tune(made.spaces, made.data, made.tune);
  if (refines(search.spaces[search.trials[search.best].space], options) && !search.cut_short)
    refine(search, made.data, made.tune, made.tune.fit.seconds - seconds_since(start));
  return search;
}

// --- The fit that is kept

// The options of fits after a search that began at `start`: what it has left of the time.
FitOptions for_fits(const AutomaticOptions& options, StartTime start, Progress progress) {
  FitOptions fit = options.tune.fit;
  fit.seconds = std::max(fit.seconds - seconds_since(start), 0.01);
  fit.keep_on_cancel = false;
  fit.progress = std::move(progress);
  return fit;
}

// How many rows are fitted within the memory and the time; nothing where an approximation was given, or they
// are few.
BudgetPlan plan_within(const Trial& best, const Dataset& rows, Scaling::Kind scaling, FitOptions how) {
  if (rows.rows() <= rows_to_fold || !how.approx.empty()) return {};
  how.seconds = std::isfinite(how.seconds) ? how.seconds : usual_seconds;
  return plan_budget(best.method, best.kernel, rows, how, scaling, 0);
}

// A caller who stops it, or whose time is over, has a model all the same: of few rows it is finished, or kept
// as it is after a while; of many the candidate is fitted on few of them.
struct FinalFit {
  static constexpr double grace = 3;                                // seconds
  static constexpr std::size_t rows_when_stopped = 2000, few = 50;  // fits of these are soon done, at once

  const Trial& best;
  const Dataset& all;
  Scaling::Kind scaling;
  const AutomaticOptions& options;
  StartTime start;
  bool search_stopped;
  bool keeps = options.tune.fit.keep_on_cancel;
  Progress progress = options.fit_progress.with_grace(0);  // once stopped, it stays so

  Model operator()() const {
    FitOptions how = for_fits(options, start, progress);
    try {
      if (keeps && search_stopped)
        how.progress = progress.with_grace(forever);
      else if (keeps && all.rows() <= rows_when_stopped)
        return on_fewer(all.rows(), how);
      return fit_on(all, how);
    } catch (const Error& error) {
      if (!(error.kind() == ErrorKind::cancelled && keeps) &&
          !(error.kind() == ErrorKind::budget && seconds_since(start) > options.tune.fit.seconds))
        throw;
    }
    how.seconds = forever;
    return on_fewer(std::min(all.rows(), rows_when_stopped), how);
  }

  bool stopped() const { return search_stopped || progress.stopped(); }

  Model fit_on(const Dataset& rows, FitOptions how) const {
    const BudgetPlan plan = plan_within(best, rows, scaling, how);
    if (!plan.approx.empty()) how.approx = plan.approx;
    Model model = fit(best.method, best.kernel, rows, how, scaling);
    if (plan.chosen)
      model.fitted.report.warnings.push_back(
          {fmt::format("the kernel is approximated by {}: {}", plan.approx, plan.why),
           {{Remedy::more_time}, {Remedy::no_approximation}}});
    return model;
  }

  Model on_fewer(std::size_t rows, FitOptions how) const {
    how.keep_on_cancel = keeps;
    for (;; rows /= 4) {
      how.progress = keeps ? progress.with_grace(rows > few ? grace : forever) : progress;
      try {
        if (rows == all.rows()) return fit_on(all, how);
        Model model = fit_on(draw_sample(all, rows, 2, {}, options.tune.fit.seed).data, how);
        if (!stopped()) tell_of_time(model);
        return model;
      } catch (const Error& error) {  // the method has nothing before it is done
        const bool expected =
            (error.kind() == ErrorKind::cancelled && keeps) || error.kind() == ErrorKind::budget;
        if (rows <= few || !expected) throw;
        how.seconds = forever;
      }
    }
  }

  void tell_of_time(Model& model) const {
    FitReport& report = model.fitted.report;
    report.cut_short = true;
    report.converged = false;
    report.warnings.push_back(
        fmt::format("out of time before the fit on all {} rows finished: the model is fitted on {} of them",
                    all.rows(), model.rows));
  }
};

// --- What it is worth

// The target in these labels; those that are not among them follow.
Target recoded(const Target& target, const std::vector<std::string>& labels) {
  if (target.task != Task::classification) return target;
  Target made = target;
  made.labels = labels;
  for (std::int32_t& code : made.codes) {
    const std::string& label = target.labels[std::size_t(code)];
    const auto found = std::ranges::find(made.labels, label);
    code = std::int32_t(found - made.labels.begin());
    if (found == made.labels.end()) made.labels.push_back(label);
  }
  return made;
}

struct Split {
  std::vector<std::size_t> kept, left;
};

// round(part·n) rows, of each class (or of all rows) its share to within one: those at even distances in an
// order of class after class, drawn at random within each. A class keeps a row to learn from, so that a class
// of one row is never held out.
Split split(const Target& target, double part, std::uint64_t seed) {
  const std::size_t n = target.size(), wanted = std::size_t(std::llround(part * double(n)));
  const auto place = random_folds(target, std::max<std::size_t>(1, n), seed);
  std::vector<std::size_t> row_at(n), kept_of(target.labels.size(), 0);
  for (std::size_t i = 0; i < n; ++i) row_at[place[i]] = i;
  std::vector<char> left(n, 0);
  // Whole numbers: of the first k places, ⌊k·wanted/n⌋ are held out.
  for (std::size_t k = 0; k < n; ++k) left[row_at[k]] = (k + 1) * wanted / n > k * wanted / n;
  if (target.task == Task::classification) {
    for (std::size_t i = 0; i < n; ++i) kept_of[std::size_t(target.codes[i])] += !left[i];
    std::size_t owed = 0;  // rows to hold out elsewhere
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t& kept = kept_of[std::size_t(target.codes[row_at[k]])];
      if (kept > 0) continue;
      left[row_at[k]] = 0;
      ++kept, ++owed;
    }
    // The classes that keep the most give up a row each, as often as needed.
    while (owed > 0) {
      const auto most = std::ranges::max_element(kept_of);
      if (*most < 2) break;
      const auto code = std::int32_t(most - kept_of.begin());
      const auto row =
          std::ranges::find_if(row_at, [&](std::size_t i) { return target.codes[i] == code && !left[i]; });
      left[*row] = 1;
      --*most, --owed;
    }
  }
  Split made;
  for (std::size_t i = 0; i < n; ++i) (left[i] ? made.left : made.kept).push_back(i);
  return made;
}

// Rows of a class that no row to learn from has are wrong whatever is predicted.
void score_on(AutomaticFit& made, const Dataset& seen, const Dataset& unseen, Predictions predictions,
              const FitOptions& fit) {
  const Metric metric = metric_named(made.metric);
  made.scored = unseen;
  made.scored.target = recoded(unseen.target, seen.target.labels);
  const Target& truth = made.scored.target;
  Predictions without_looking = baseline(seen.target, unseen.rows());
  const std::size_t known = seen.target.labels.size(), labels = truth.labels.size();
  if (labels > known) {
    std::vector<std::int32_t> present(known);
    std::iota(present.begin(), present.end(), 0);
    predictions = among_all(predictions, present, labels);
    without_looking = among_all(without_looking, present, labels);
    const auto rows =
        std::ranges::count_if(truth.codes, [&](std::int32_t code) { return std::size_t(code) >= known; });
    made.notes.push_back(fmt::format(
        "{} of {} rows to judge on {} of a class that no row to learn from has ('{}'{}); they "
        "count as errors",
        rows, unseen.rows(), rows == 1 ? "is" : "are", truth.labels[known], labels - known > 1 ? ", …" : ""));
  }
  made.predictions = std::move(predictions);
  const BootstrapOptions options{.seed = fit.seed, .threads = fit.threads, .progress = fit.progress};
  made.score = bootstrap(metric, truth, made.predictions, options);
  made.baseline = bootstrap(metric, truth, without_looking, options);
}

// On new folds; where the time is over, on those of the search. Given folds are not repeated where the search
// did what would be done again: without a scaling, which is fitted in each fold here, and without
// probabilities.
void score_by_folds(AutomaticFit& made, const PreparedSearch& from, const Trial& best,
                    const std::vector<std::size_t>& given, FitOptions fit) {
  const std::size_t folds = given.empty() ? from.tune.folds : std::set(given.begin(), given.end()).size();
  const auto fold = given.empty() ? random_folds(from.data.target, folds, fit.seed + 1'000'003) : given;
  fit.probabilities = fit.probabilities || metric_named(made.metric).needs_probabilities;
  const bool again = !given.empty() && from.scaling == Scaling::Kind::none && !fit.probabilities;
  const bool known = (again || made.search.cut_short) && !made.search.held_out.scores.empty();
  Predictions predictions =
      known ? made.search.held_out
            : cross_validate(best.method, best.kernel, from.data, fold, fit, from.scaling);
  by_first(SharedWork::ranks(), [&] { score_on(made, from.data, from.data, std::move(predictions), fit); });
  made.scored_on =
      known && !again ? "the folds of the search" : fmt::format("{}-fold cross-validation", folds);
}

// What is known of the candidate without another fit: the search's own predictions, where they are of all its
// rows.
void score_by_search(AutomaticFit& made, const PreparedSearch& from, FitOptions fit) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  made.score = made.baseline = {unknown, unknown, unknown};
  made.scored = {};
  made.predictions = {};
  made.scored_on.clear();
  if (made.search.held_out.scores.empty()) return;
  fit.progress = {};
  score_on(made, from.data, from.data, made.search.held_out, fit);
  made.scored_on = "the folds of the search";
}

// --- In words

void add_edges(AutomaticFit& made, const AutomaticOptions& options) {
  const Trial& best = made.search.trials[made.search.best];
  const SearchSpace& space = made.search.spaces[best.space];
  for (std::size_t a = 0; a < space.axes.size(); ++a) {
    const auto [least, most] = std::ranges::minmax(space.axes[a].values);
    if (least == most || (best.values[a] > least && best.values[a] < most)) continue;
    made.next.push_back({fmt::format("the best {} is the {} that was tried, {:.4g}", space.axes[a].parameter,
                                     best.values[a] == least ? "smallest" : "largest", best.values[a]),
                         {{Remedy::search_further, space.axes[a].parameter}}});
  }
  const bool larger = metric_named(made.metric).larger_is_better;
  if (larger ? made.score.low <= made.baseline.value : made.score.high >= made.baseline.value)
    made.next.emplace_back(
        "no better than the baseline: the columns may not predict the target, or more rows are needed");
  if (made.search.cut_short)
    made.next.emplace_back("the search was cut short: more time may find a better candidate");
  if (!options.kernel) {
    const std::string example = example_kernel(made.scored.points).text();
    made.next.push_back(
        {"try a kernel of your own", {{Remedy::search_kernel, example}, {Remedy::list_names, "kernels"}}});
  }
}

}  // namespace

AutomaticFit fit_automatically(const Dataset& data, const AutomaticOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const FitOptions& given = options.tune.fit;
  const bool many = data.rows() > rows_to_fold && options.tune.fold.empty();
  const double usual_part =
      std::min(0.2, double(most_held_out) / double(std::max<std::size_t>(1, data.rows())));
  const double held_part = options.test ? 0 : options.holdout > 0 ? options.holdout : many ? usual_part : 0;
  const bool once = many && held_part < 0.2 && options.holdout == 0 && !options.test;
  Split rows;
  AutomaticOptions own = options;
  if (held_part > 0) {
    rows = split(data.target, held_part, given.seed);
    if (rows.kept.size() < 2 || rows.left.empty())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("holding out {:g} of {} rows leaves no test rows or too few training rows",
                              held_part, data.rows()));
    own.tune.fold.clear();
    if (!options.tune.fold.empty())
      for (const std::size_t row : rows.kept) own.tune.fold.push_back(options.tune.fold[row]);
  }
  // What is tried and the scaling follow from the rows that the search sees alone.
  const PreparedSearch part = prepare_search(rows.left.empty() ? data : data.select_rows(rows.kept), own);
  Dataset all = rows.left.empty() || once ? part.data : data;
  if (!part.data.points.sparse()) all.points = all.points.to_dense();
  Search search = choose(part, own);
  if (search.interrupted && !given.keep_on_cancel)
    throw Error(ErrorCode::cancelled, "stopped before the end");
  const Trial best = search.trials[search.best];
  const FinalFit final_fit{best, all, part.scaling, options, start, search.interrupted};
  // Ranks share the search and the folds of the assessment; the model is that of the first.
  const Ranks* const ranks = SharedWork::ranks();
  Model final_model{.method = best.method, .fitted = {.expansion = {.kernel = best.kernel}}};
  by_first(ranks, [&] { final_model = final_fit(); });
  AutomaticFit made{.model = std::move(final_model),
                    .search = std::move(search),
                    .metric = {},
                    .scored_on = {},
                    .score = {},
                    .baseline = {}};
  made.metric = made.search.metric;
  if (ranks ? ranks->any(final_fit.stopped()) : final_fit.stopped())
    made.interrupted = made.search.interrupted ? FitPhase::search : FitPhase::final_fit;
  const auto assess = [&] {
    const FitOptions fits = for_fits(options, start, options.assessment_progress);
    const auto predicted = [&](const Model& model, const Dataset& unseen) {
      return model.predict(unseen.points, fits.threads, fits.progress);
    };
    if (options.test) {
      by_first(ranks,
               [&] { score_on(made, all, *options.test, predicted(made.model, *options.test), fits); });
      made.scored_on = fmt::format("{} test rows", options.test->rows());
    } else if (!rows.left.empty()) {
      Dataset left = data.select_rows(rows.left);
      if (!part.data.points.sparse()) left.points = left.points.to_dense();
      by_first(ranks, [&] {
        score_on(made, part.data, left,
                 predicted(once ? made.model : final_fit.fit_on(part.data, fits), left), fits);
      });
      made.scored_on = fmt::format("{} rows held out", rows.left.size());
    } else {
      score_by_folds(made, part, best, own.tune.fold, fits);
    }
  };
  try {
    if (!made.interrupted) assess();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled || !given.keep_on_cancel) throw;
    made.interrupted = FitPhase::assessment;
  }
  if (made.interrupted) score_by_search(made, part, given);
  add_edges(made, options);
  if (const std::string note = made.model.scaling.note(); !note.empty()) made.notes.push_back(note);
  return made;
}

}  // namespace mercer

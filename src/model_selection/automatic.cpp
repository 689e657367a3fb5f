// The choice is made on rows left out (mercer/tune.hpp): all settings on a part of many rows first, then the
// better ones on more, then the neighbours of the best. What it is worth is measured on folds that the choice
// has not seen, with the scaling fitted anew in each.
#include "mercer/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/seconds.hpp"
#include "data/density.hpp"
#include "mercer/cross_validation.hpp"
#include "mercer/default_kernel.hpp"
#include "mercer/error.hpp"
#include "mercer/folds.hpp"
#include "model_selection/candidates.hpp"
#include "model_selection/automatic_fit.hpp"
#include "model_selection/measured_plan.hpp"
#include "model_selection/only_candidate.hpp"
#include "model_selection/present_classes.hpp"
#include "model_selection/sample.hpp"
#include "model_selection/candidate_lines.hpp"

namespace mercer {

namespace {

constexpr std::size_t rows_to_choose_on = 8000;  // more rows hardly change which setting is best
// By ridge; of more it judges a part of K, which favours smooth kernels.
constexpr std::size_t rows_left_out_exactly = 1600;
// Above, a fifth of the rows is held out once in place of five folds.
constexpr std::size_t rows_to_fold = 30'000;

// Columns that all lie in [−1, 1] and use it were scaled by someone, or are shares and marks.
bool alike_already(const Points& points) {
  std::vector<double> largest(points.cols(), 0);
  std::visit(
      [&](const auto& storage) {
        if constexpr (requires { storage.indices; }) {
          for (std::size_t k = 0; k < storage.values.size(); ++k) {
            double& most = largest[std::size_t(storage.indices[k])];
            most = std::max(most, std::abs(double(storage.values[k])));
          }
        } else {
          for (std::size_t i = 0; i < storage.rows; ++i)
            for (std::size_t j = 0; j < storage.cols; ++j)
              largest[j] = std::max(largest[j], std::abs(double(storage.row(i)[j])));
        }
      },
      points.storage());
  const auto used = std::ranges::count_if(largest, [](double x) { return x >= 0.5; });
  return std::ranges::all_of(largest, [](double x) { return x <= 1; }) &&
         2 * std::size_t(used) >= largest.size();
}

Scaling::Kind scaling_for(const Dataset& data, const AutomaticOptions& options) {
  if (options.scaling) return *options.scaling;
  if (!options.search) return Scaling::Kind::none;
  return alike_already(data.points) ? Scaling::Kind::none : Scaling::Kind::standard;
}

// Rows that a scaling makes dense are made so once, for the search and for all folds; so are those whose
// zeros cost little.
Dataset prepared(const Dataset& data, Scaling::Kind scaling) {
  Dataset made = data;
  const std::size_t bytes = data.rows() * data.points.cols() * sizeof(double);
  const bool cheap = bytes <= 40 * std::max<std::size_t>(1, data.points.bytes());
  if (may_be_dense(data.points) && (scaling != Scaling::Kind::none || cheap))
    made.points = data.points.to_dense();
  return made;
}

struct Prepared {
  Dataset data;
  Scaling::Kind scaling = Scaling::Kind::none;
  Points scaled = {};  // as the kernels see them
  std::vector<SearchSpace> spaces = {};
};

Prepared prepare(const Dataset& given, const AutomaticOptions& options) {
  if (given.target.task == Task::none)
    throw Error(ErrorCode::missing_target, "there is no target to learn", {.hints = {{Remedy::name_target}}});
  if (given.rows() < 2)
    throw Error(ErrorCode::invalid_data,
                fmt::format("{} cannot be split into rows to learn from and rows to judge on",
                            given.rows() == 1 ? "one row" : "no rows"));
  const Scaling::Kind scaling = scaling_for(given, options);
  Prepared made{.data = options.search ? prepared(given, scaling) : given, .scaling = scaling};
  made.scaled = Scaling::fit(made.scaling, made.data.points).apply(made.data.points);
  if (options.search) {
    Dataset scaled = made.data;
    scaled.points = made.scaled;
    made.spaces = candidates(scaled, options);
  } else {
    made.spaces.push_back({options.method.value(), options.kernel.value()});
  }
  return made;
}

TuneOptions tune_options(const Dataset& data, const AutomaticOptions& options, Scaling::Kind scaling) {
  TuneOptions tune = options.tune;
  tune.scaling = scaling;
  const std::size_t n = data.rows();
  if (tune.fold.empty()) tune.folds = std::min(tune.folds, n);
  const bool open = options.axes.empty();  // a grid of the user's is judged as it is
  if (tune.rows_at_first == 0 && open && n > 2000)
    tune.rows_at_first = data.target.task == Task::classification ? 1000 : 500;
  const bool single = data.target.task == Task::regression &&
                      (!options.method || (*options.method)->traits().leaves_out_single_rows);
  if (tune.rows_at_most == 0 && open) tune.rows_at_most = single ? rows_left_out_exactly : rows_to_choose_on;
  return tune;
}

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

bool whole_numbers(const GridAxis& axis) {
  return std::ranges::all_of(axis.values, [](double value) { return value == std::floor(value); }) &&
         axis.parameter != "C";
}

// The best setting's neighbours at half the grid's steps, on the rows that it was judged on.
void refine(Search& search, const Dataset& data, TuneOptions tune, double seconds_left) {
  const Trial best = search.trials[search.best];
  SearchSpace space = search.spaces[best.space];
  for (std::size_t a = 0; a < space.axes.size(); ++a)
    if (!whole_numbers(space.axes[a]))
      space.axes[a].values = between(space.axes[a], best.values[a]);
    else
      space.axes[a].values = {best.values[a]};
  tune.rows_at_first = 0;
  tune.fit.seconds = seconds_left;
  if (const Progress outer = tune.fit.progress)
    tune.fit.progress = [outer](std::string_view what, double done) {
      return outer(fmt::format("refinement, {}", what), done);
    };
  Search finer;
  try {
    if (tune.fit.seconds > 0) finer = mercer::tune({space}, data, tune);
  } catch (const Error& error) {  // stopped before the first of them
    if (error.kind() != ErrorKind::cancelled && error.kind() != ErrorKind::budget) throw;
    search.cut_short = true;
    search.interrupted = error.kind() == ErrorKind::cancelled;
  }
  if (finer.trials.empty()) return;
  const std::size_t known = search.evaluated();
  const bool larger = metric_named(search.metric).larger_is_better;
  const double gain = finer.trials[finer.best].score - best.score;
  const std::size_t before = search.trials.size();
  for (Trial& trial : finer.trials) {
    trial.space = best.space;
    search.trials.push_back(std::move(trial));
  }
  if (larger ? gain > 0 : gain < 0) {
    search.best = before + finer.best;
    search.held_out = std::move(finer.held_out);
  }
  search.seconds += finer.seconds;
  search.cut_short = search.cut_short || finer.cut_short;
  search.interrupted = search.interrupted || finer.interrupted;
  search.refined = search.evaluated() - known;
}

bool refines(const SearchSpace& space, const AutomaticOptions& options) {
  return options.axes.empty() && std::ranges::any_of(space.axes, [](const GridAxis& axis) {
           return axis.values.size() > 1 && !whole_numbers(axis);
         });
}

Search choose(const Prepared& made, const AutomaticOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const TuneOptions tune = tune_options(made.data, options, made.scaling);
  if (auto only = only_candidate(made.spaces, made.data, made.scaled, tune)) return std::move(*only);
  Search search = mercer::tune(made.spaces, made.data, tune);
  if (refines(search.spaces[search.trials[search.best].space], options) && !search.cut_short)
    refine(search, made.data, tune, tune.fit.seconds - seconds_since(start));
  return search;
}

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
              std::uint64_t seed, int threads, const Progress& progress) {
  const Metric metric = metric_named(made.metric);
  made.scored = unseen;
  made.scored.target = recoded(unseen.target, seen.target.labels);
  Predictions without_looking = baseline(seen.target, unseen.rows());
  const std::size_t known = seen.target.labels.size(), labels = made.scored.target.labels.size();
  if (labels > known) {
    std::vector<std::int32_t> present(known);
    std::iota(present.begin(), present.end(), 0);
    predictions = among_all(predictions, present, labels);
    without_looking = among_all(without_looking, present, labels);
    const auto rows = std::ranges::count_if(made.scored.target.codes,
                                            [&](std::int32_t code) { return std::size_t(code) >= known; });
    made.notes.push_back(
        fmt::format("{} of {} rows to judge on {} of a class that no row to learn from has ('{}'{}); they "
                    "count as errors",
                    rows, unseen.rows(), rows == 1 ? "is" : "are", made.scored.target.labels[known],
                    labels - known > 1 ? ", …" : ""));
  }
  made.predictions = std::move(predictions);
  made.score = bootstrap(metric, made.scored.target, made.predictions,
                         {.seed = seed, .threads = threads, .progress = progress});
  made.baseline = bootstrap(metric, made.scored.target, without_looking,
                            {.seed = seed, .threads = threads, .progress = progress});
}

// On new folds; where the time is over, on those of the search. Given folds are not repeated where the search
// did what would be done again: without a scaling, which is fitted in each fold here, and without
// probabilities.
void score_by_folds(AutomaticFit& made, const Prepared& from, const Trial& best,
                    const AutomaticOptions& options, FitOptions fit) {
  const std::uint64_t seed = options.tune.fit.seed;
  const bool given = !options.tune.fold.empty();
  const std::size_t folds = given ? std::set(options.tune.fold.begin(), options.tune.fold.end()).size()
                                  : std::min(options.tune.folds, from.data.rows());
  const auto fold = given ? options.tune.fold : random_folds(from.data.target, folds, seed + 1'000'003);
  fit.probabilities = fit.probabilities || metric_named(made.metric).needs_probabilities;
  const bool again = given && from.scaling == Scaling::Kind::none && !fit.probabilities;
  if ((again || made.search.cut_short) && !made.search.held_out.scores.empty()) {
    score_on(made, from.data, from.data, made.search.held_out, seed, fit.threads, fit.progress);
    made.scored_on = again ? fmt::format("{}-fold cross-validation", folds) : "the folds of the search";
    return;
  }
  score_on(made, from.data, from.data,
           cross_validate(best.method, best.kernel, from.data, fold, fit, from.scaling), seed, fit.threads,
           fit.progress);
  made.scored_on = fmt::format("{}-fold cross-validation", folds);
}

// What is known of the candidate without another fit: the search's own predictions, where they are of all its
// rows.
void score_by_search(AutomaticFit& made, const Prepared& from, const AutomaticOptions& options) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  made.score = made.baseline = {unknown, unknown, unknown};
  made.scored = {};
  made.predictions = {};
  made.scored_on.clear();
  if (made.search.held_out.scores.empty()) return;
  score_on(made, from.data, from.data, made.search.held_out, options.tune.fit.seed, options.tune.fit.threads,
           {});
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
        "no better than the baseline: these columns may not tell of the target, or more rows are needed");
  if (made.search.cut_short)
    made.next.emplace_back("the search was cut short: more time may find a better candidate");
  if (!options.kernel) {
    const std::string example = example_kernel(made.scored.points).text();
    made.next.push_back(
        {"try a kernel of your own", {{Remedy::search_kernel, example}, {Remedy::list_names, "kernels"}}});
  }
}

}  // namespace

Plan plan_fit(const Dataset& data, const AutomaticOptions& options) {
  Prepared made = prepare(data, options);
  const TuneOptions tune = tune_options(made.data, options, made.scaling);
  Plan plan{.spaces = std::move(made.spaces)};
  for (const CandidateLine& line : candidate_lines(plan.spaces, made.scaled)) plan.candidates += line.size();
  plan.refines = plan.candidates > 1 && std::ranges::any_of(plan.spaces, [&](const SearchSpace& space) {
                   return refines(space, options);
                 });
  for (const SearchSpace& space : plan.spaces) {
    std::string text = fmt::format("{}, kernel {}", space.method->name(), space.kernel.text());
    for (const GridAxis& axis : space.axes) {
      const auto [least, most] = std::ranges::minmax(axis.values);
      text += axis.values.size() == 1 ? fmt::format(", {} = {:.3g}", axis.parameter, least)
                                      : fmt::format(", {} from {:.3g} to {:.3g} ({} values)", axis.parameter,
                                                    least, most, axis.values.size());
    }
    plan.lines.push_back(text);
  }
  if (plan.candidates > 1 && tune.rows_at_first > 0 && tune.rows_at_first < data.rows())
    plan.lines.push_back(fmt::format("all on {} rows first, the better ones on up to {}", tune.rows_at_first,
                                     std::min(data.rows(), tune.rows_at_most)));
  return plan;
}

Duration measure_plan(const Dataset& data, const AutomaticOptions& options) {
  const Prepared made = prepare(data, options);
  const TuneOptions tune = tune_options(made.data, options, made.scaling);
  const double seconds = measured_seconds(made.spaces, made.data, made.scaled, tune);
  return {seconds / 2, 2 * seconds};
}

AutomaticFit fit_automatically(const Dataset& data, const AutomaticOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t seed = options.tune.fit.seed;
  const bool many = data.rows() > rows_to_fold && !options.test && options.tune.fold.empty();
  const double held_part = options.holdout > 0 ? options.holdout : many ? 0.2 : 0;
  Split rows;
  if (held_part > 0 && !options.test) {
    rows = split(data.target, held_part, seed);
    if (rows.kept.size() < 2 || rows.left.empty())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("a part of {:g} of {} rows leaves none to judge on or too few to learn from",
                              held_part, data.rows()));
  }
  // What is tried and the scaling follow from the rows that the search sees alone.
  const Prepared part = prepare(rows.left.empty() ? data : data.select_rows(rows.kept), options);
  Dataset all = rows.left.empty() ? part.data : data;
  if (!part.data.points.sparse()) all.points = all.points.to_dense();
  AutomaticOptions own = options;
  if (!rows.left.empty() && !own.tune.fold.empty()) {
    own.tune.fold.clear();
    for (const std::size_t row : rows.kept) own.tune.fold.push_back(options.tune.fold[row]);
  }
  Search search = choose(part, own);
  Interruption stop;
  if (search.interrupted && !options.tune.fit.keep_on_cancel)
    throw Error(ErrorCode::cancelled, "stopped before the end");
  if (search.interrupted) stop.note();
  const Trial best = search.trials[search.best];
  AutomaticFit made{.model = fit_finally(best, all, part.scaling, options, start, stop),
                    .search = std::move(search),
                    .metric = {},
                    .scored_on = {},
                    .score = {},
                    .baseline = {}};
  made.metric = made.search.metric;
  if (stop.asked()) made.interrupted = made.search.interrupted ? FitPhase::search : FitPhase::final_fit;
  const auto assess = [&](const Progress& progress) {
    const int threads = options.tune.fit.threads;
    const FitOptions fits = for_fits(options, start, progress);
    if (options.test) {
      score_on(made, all, *options.test, made.model.predict(options.test->points, threads, progress), seed,
               threads, progress);
      made.scored_on = fmt::format("{} test rows", options.test->rows());
    } else if (!rows.left.empty()) {
      const Dataset left = all.select_rows(rows.left);
      const Model scored = fit(best.method, best.kernel, part.data, fits, part.scaling);
      score_on(made, part.data, left, scored.predict(left.points, threads, progress), seed, threads,
               progress);
      made.scored_on = fmt::format("{} rows held out", rows.left.size());
    } else {
      score_by_folds(made, part, best, own, fits);
    }
  };
  try {
    if (!stop.asked())
      assess(options.tune.fit.keep_on_cancel ? stop.stopping(options.assessment_progress)
                                             : options.assessment_progress);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled || !options.tune.fit.keep_on_cancel) throw;
    made.interrupted = FitPhase::assessment;
  }
  if (made.interrupted) score_by_search(made, part, options);
  add_edges(made, options);
  if (const std::string note = made.model.scaling.note(); !note.empty()) made.notes.push_back(note);
  return made;
}

}  // namespace mercer

// Every candidate is scored on held-out rows. Of many rows all candidates are scored on a part of them first,
// and the better quarter goes on to four times as many (successive halving; Jamieson & Talwalkar 2016).
//
// Ranks (base/ranks.hpp) score different lines of candidates and then tell each other the scores, so that all
// choose alike. Lines fewer than ranks whose candidates are fitted fold by fold are scored one after the
// other, their folds by different ranks.
#include "mercer/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/byte_message.hpp"
#include "base/ranks.hpp"
#include "base/seconds.hpp"
#include "mercer/error.hpp"
#include "model_selection/cv_scorer.hpp"
#include "model_selection/measures.hpp"
#include "model_selection/prediction_message.hpp"
#include "model_selection/tune_steps.hpp"

namespace mercer {

namespace {

constexpr std::size_t rung_factor = 4, fewest_kept = 4;

Metric checked_metric(const TuneOptions& options, const Target& target) {
  if (target.task == Task::none)
    throw Error(ErrorCode::missing_target,
                "candidates are compared by predictions of a target, and the data have none",
                {.hints = {{Remedy::name_target}}});
  const Metric metric = metric_or_default(options.metric, target);
  if (metric.task == target.task) return metric;
  const bool of_classes = metric.task == Task::classification;
  throw Error(ErrorCode::unsupported,
              fmt::format("{} is a metric of {}, but the target is one of {}", metric.name,
                          of_classes ? "classes" : "numbers", of_classes ? "numbers" : "classes"),
              {.hints = {{of_classes ? Remedy::read_as_classes : Remedy::read_as_numbers}}});
}

void check_folds(const TuneOptions& options, const Dataset& data) {
  const std::size_t n = data.rows();
  if (n < 2)
    throw Error(
        ErrorCode::invalid_data,
        fmt::format("{} cannot be split into training and validation rows", n == 1 ? "one row" : "no rows"),
        {.hint = "give the hyperparameters of the method and the kernel"});
  if (options.fold.empty()) {
    if (options.folds < 2)
      throw Error::of_parameter("", "there", "must be two folds or more", fmt::format("{}", options.folds));
    return;
  }
  if (options.fold.size() != n)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("folds are given for {} rows, but there are {}", options.fold.size(), n));
  const auto [least, most] = std::ranges::minmax(options.fold);
  if (least == most)
    throw Error(ErrorCode::invalid_argument, "all rows are in the same fold",
                {.hint = "two folds or more are needed"});
  if (most >= n)
    throw Error(ErrorCode::invalid_argument, fmt::format("fold {} is given for {} rows", most, n),
                {.hint = "folds are numbered from 0"});
}

// What is known of a line.
struct LineScores {
  std::vector<std::vector<double>> scores = {};  // of each candidate: of its folds; empty where it has none
  bool leave_one_out = false;
  bool scored = false;  // else it could not be fitted, or its turn did not come
};

std::string bytes_of(const LineScores& line) {
  std::string bytes;
  append_value(bytes, line.scored);
  append_value(bytes, line.leave_one_out);
  append_value(bytes, line.scores.size());
  for (const std::vector<double>& scores : line.scores) append_values(bytes, scores);
  return bytes;
}

LineScores take_line(std::string_view& bytes) {
  LineScores line;
  line.scored = take_value<bool>(bytes);
  line.leave_one_out = take_value<bool>(bytes);
  line.scores.resize(take_value<std::size_t>(bytes));
  for (std::vector<double>& scores : line.scores) scores = take_values<double>(bytes);
  return line;
}

class Tuner {
 public:
  Tuner(const std::vector<SearchSpace>& spaces, const Dataset& data, const TuneOptions& options)
      : options_(options), data_(data), metric_(checked_metric(options, data.target)), cost_(options.folds) {
    check_folds(options, data);
    if (options.fit.tolerance && !(*options.fit.tolerance > 0))
      throw Error(ErrorCode::invalid_parameter,
                  fmt::format("the tolerance must be > 0, not {:g}", *options.fit.tolerance));
    search_.spaces = spaces;
    search_.metric = metric_.name;
    data_.points = Scaling::fit(options.scaling, data.points).apply(data.points);
    lines_ = candidate_lines(spaces, data_.points);
    if (lines_.empty()) throw Error(ErrorCode::invalid_argument, "there is no candidate to evaluate");
    for (const CandidateLine& line : lines_) search_.planned += line.size();
    fit_ = options.fit;
    fit_.seconds = std::numeric_limits<double>::infinity();
    fit_.keep_on_cancel = false;
    fit_.progress = [this](std::string_view, double) { return report(); };
  }

  Search run() {
    sizes_ = rungs(data_.rows(), options_);
    try {
      for (rung_ = 0; rung_ < sizes_.size(); ++rung_) {
        if (rung_ > 0) keep_the_better();
        score_all(sizes_[rung_]);
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::cancelled) throw;
      const bool time_over = ranks_ ? !ranks_->any(!out_of_time()) : out_of_time();
      if (!best_ && time_over)
        throw Error(ErrorCode::out_of_time,
                    fmt::format("{:g} s did not suffice to evaluate one candidate", options_.fit.seconds),
                    {.hint = "give more time, or the method and its hyperparameters"});
      if (!best_) throw;
      search_.cut_short = true;
      search_.interrupted = !time_over;
    }
    if (!best_)
      throw Error(first_failure_.value_or(Error(
          ErrorCode::invalid_data, fmt::format("{} has no value on the rows of any fold", metric_.name))));
    search_.best = *best_;
    search_.seconds = seconds_since(start_);
    return std::move(search_);
  }

 private:
  bool better(double a, double b) const { return metric_.larger_is_better ? a > b : a < b; }
  bool out_of_time() const { return seconds_since(start_) > options_.fit.seconds; }

  // Called by whatever takes time inside a line.
  bool report() {
    if (out_of_time()) return false;
    if (!options_.fit.progress) return true;
    const double line = std::max(line_seconds_ - seconds_since(line_start_), 0.05 * line_seconds_);
    const double done = seconds_since(start_);
    return options_.fit.progress(what_, done / (done + line + seconds_after_line_));
  }

  // What is done, and how long the rest will take, seen from the beginning of line number `now`.
  void look_ahead(std::size_t now) {
    line_start_ = std::chrono::steady_clock::now();
    const double repeats = double(std::max<std::size_t>(1, options_.repeats));
    line_seconds_ = repeats * cost_.seconds(lines_[now], sizes_[rung_]);
    seconds_after_line_ = 0;
    std::size_t all = 0, before = 0;
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      if (l > now) seconds_after_line_ += repeats * cost_.seconds(lines_[l], sizes_[rung_]);
      if (l < now) before += lines_[l].size();
      all += lines_[l].size();
    }
    seconds_after_line_ += repeats * seconds_of_later_rungs(cost_, lines_, sizes_, rung_);
    what_ = rung_ == 0 ? fmt::format("{} of {} candidates", before, all)
                       : fmt::format("{} of the {} best again, on {} rows", before, all, sizes_[rung_]);
    if (best_) what_ += fmt::format(", best {} {:.4g}", metric_.name, search_.trials[*best_].score);
  }

  void score_all(std::size_t rows) {
    std::vector<Sample> samples;
    for (std::size_t repeat = 0; repeat < std::max<std::size_t>(1, options_.repeats); ++repeat)
      samples.push_back(draw_sample(data_, rows, options_.folds, options_.fold, options_.fit.seed + repeat));
    search_.folds = samples[0].folds;
    std::vector<CvScorer> scorers;
    for (const Sample& sample : samples) scorers.emplace_back(sample, metric_, fit_, options_.fold.empty());
    if (ranks_ && !shares_folds()) return score_own_lines(samples, scorers);
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      begin_line(l);
      std::vector<Predictions> first(lines_[l].size());
      const LineScores line = score_line(lines_[l], samples, scorers, first);
      add_line(lines_[l], line, samples[0], first);
      cost_.add(lines_[l], rows, seconds_since(line_start_) / double(samples.size()));
    }
  }

  void begin_line(std::size_t l) {
    look_ahead(l);
    const bool stop = !report();
    if (SharedWork::ranks() ? ranks_->any(stop) : stop)
      throw Error(ErrorCode::cancelled, "stopped before the end");
  }

  // --- Ranks

  bool shares_folds() const {
    return lines_.size() < std::size_t(ranks_->size()) &&
           std::ranges::all_of(lines_, [](const CandidateLine& line) { return line.path.empty(); });
  }

  // Predictions are kept of the own best alone. The best of all is the best of its rank, too.
  void score_own_lines(const std::vector<Sample>& samples, std::vector<CvScorer>& scorers) {
    std::vector<LineScores> scored(lines_.size());
    own_best_.reset();
    std::optional<Error> failed;
    bool stopped = false;
    try {
      const SharedWork alone(nullptr);
      for (std::size_t l = 0; l < lines_.size(); ++l) {
        if (!ranks_->owns(l)) continue;
        begin_line(l);
        std::vector<Predictions> first(lines_[l].size());
        scored[l] = score_line(lines_[l], samples, scorers, first);
        keep_own_best(scored[l], first);
        cost_.add(lines_[l], samples[0].rows.size(), seconds_since(line_start_) / double(samples.size()));
      }
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled)
        stopped = true;
      else
        failed.emplace(error);
    }
    ranks_->agree_on(failed ? &*failed : nullptr);
    share_scores(scored);
    for (std::size_t l = 0; l < lines_.size(); ++l) add_line(lines_[l], scored[l], samples[0], {});
    share_held_out(samples[0]);
    if (ranks_->any(stopped)) throw Error(ErrorCode::cancelled, "stopped before the end");
  }

  void keep_own_best(const LineScores& line, std::vector<Predictions>& predictions) {
    for (std::size_t v = 0; v < line.scores.size(); ++v) {
      if (line.scores[v].empty()) continue;
      const double score = mean_over_folds(line.scores[v]).mean;
      if (own_best_ && !better(score, *own_best_)) continue;
      own_best_ = score;
      own_predictions_ = std::move(predictions[v]);
    }
  }

  // What each rank found; the first failure of all, so that all tell of the same.
  void share_scores(std::vector<LineScores>& scored) {
    std::string own;
    for (std::size_t l = 0; l < scored.size(); ++l)
      if (ranks_->owns(l)) own += bytes_of(scored[l]);
    const std::vector<std::string> all = ranks_->gather(own);
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::string_view rest = all[r];
      for (std::size_t l = r; l < scored.size(); l += all.size()) scored[l] = take_line(rest);
    }
    std::string failure;
    if (first_failure_) {
      append_value(failure, first_failure_->code());
      failure += first_failure_->what();
    }
    for (const std::string& told : ranks_->gather(failure)) {
      if (told.empty() || first_failure_) continue;
      std::string_view rest = told;
      const auto code = take_value<ErrorCode>(rest);
      first_failure_.emplace(code, std::string(rest));
    }
  }

  void share_held_out(const Sample& sample) {
    if (!best_ || sample.rows.size() != data_.rows()) return;
    const auto owner = std::size_t(best_line_ % std::size_t(ranks_->size()));
    const bool mine = int(owner) == ranks_->rank();
    const std::vector<std::string> all = ranks_->gather(mine ? bytes_of(own_predictions_) : std::string());
    std::string_view rest = all[owner];
    search_.held_out = in_order_of_data(sample, take_predictions(rest));
  }

  // --- Lines

  // A candidate that cannot be fitted here (a kernel that overflows, a class that a fold leaves without rows)
  // is passed over.
  LineScores score_line(const CandidateLine& line, const std::vector<Sample>& samples,
                        std::vector<CvScorer>& scorers, std::vector<Predictions>& first) {
    LineScores known{.scores = std::vector<std::vector<double>>(line.size()), .scored = true};
    try {
      for (std::size_t s = 0; s < samples.size(); ++s) {
        std::vector<CvScore> scores_of_line = scorers[s].score(line);
        for (std::size_t v = 0; v < line.size(); ++v) {
          for (const double score : scores_of_line[v].fold_scores)
            if (std::isfinite(score)) known.scores[v].push_back(score);
          if (s == 0) first[v] = std::move(scores_of_line[v].predictions);
          known.leave_one_out = scores_of_line[v].leave_one_out;
        }
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      if (!first_failure_) first_failure_ = error;
      return {};
    }
    return known;
  }

  // `first`: the predictions of each candidate, or none where they come later.
  void add_line(const CandidateLine& line, const LineScores& known, const Sample& sample,
                const std::vector<Predictions>& first) {
    const std::size_t before = search_.trials.size();
    for (std::size_t v = 0; v < known.scores.size(); ++v)
      if (!known.scores[v].empty()) {
        Trial trial = line.at(v);
        trial.leave_one_out = known.leave_one_out;
        if (!add_trial(std::move(trial), known.scores[v], sample)) continue;
        best_line_ = std::size_t(&line - lines_.data());
        search_.held_out = sample.rows.size() == data_.rows() && !first.empty()
                               ? in_order_of_data(sample, first[v])
                               : Predictions{};
      }
    if (rung_ == 0) search_.failed += line.size() - (search_.trials.size() - before);
  }

  // Whether it is the best so far.
  bool add_trial(Trial trial, const std::vector<double>& scores, const Sample& sample) {
    trial.rows = sample.rows.size();
    const auto [mean, error] = mean_over_folds(scores);
    trial.score = mean, trial.error = error;
    search_.trials.push_back(std::move(trial));
    const Trial& now = search_.trials.back();
    if (best_ && search_.trials[*best_].rows == now.rows && !better(now.score, search_.trials[*best_].score))
      return false;
    best_ = search_.trials.size() - 1;
    return true;
  }

  // The lines that the better quarter of the candidates of the last rung make up, the best line first.
  void keep_the_better() {
    if (search_.trials.empty()) return;  // none could be fitted on the few rows
    const std::size_t rows = search_.trials.back().rows;
    std::vector<const Trial*> trials;
    for (const Trial& trial : search_.trials)
      if (trial.rows == rows) trials.push_back(&trial);
    std::ranges::stable_sort(trials,
                             [&](const Trial* a, const Trial* b) { return better(a->score, b->score); });
    trials.resize(kept_of(trials.size()));
    std::vector<CandidateLine> kept;
    for (const Trial* trial : trials) {
      const auto same = [&](const CandidateLine& line) { return same_line(line, *trial); };
      auto line = std::ranges::find_if(kept, same);
      if (line == kept.end()) {
        line = kept.insert(line, *std::ranges::find_if(lines_, same));
        line->path.clear();
      }
      if (!line->parameter.empty())
        line->path.push_back(std::get<double>(trial->method->get(line->parameter)));
    }
    for (CandidateLine& line : kept) std::ranges::sort(line.path);
    lines_ = std::move(kept);
  }

  static bool same_line(const CandidateLine& line, const Trial& trial) {
    if (line.space != trial.space || !(line.kernel == trial.kernel)) return false;
    for (std::size_t a = 0; a < line.values.size(); ++a)
      if (a != line.path_axis && line.values[a] != trial.values[a]) return false;
    return true;
  }

  const TuneOptions& options_;
  Dataset data_;  // scaled
  const Metric metric_;
  FitOptions fit_;
  std::vector<CandidateLine> lines_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<std::size_t> sizes_;  // rows of each rung
  std::size_t rung_ = 0;
  CostModel cost_;
  std::chrono::steady_clock::time_point line_start_ = start_;
  double line_seconds_ = 0, seconds_after_line_ = 0;  // expected
  std::string what_ = "candidates";
  std::optional<std::size_t> best_;
  std::optional<Error> first_failure_;
  const Ranks* const ranks_ = SharedWork::ranks();
  std::size_t best_line_ = 0;         // of the lines of the rung
  std::optional<double> own_best_;    // of this rank, in the rung
  Predictions own_predictions_ = {};  // its
  Search search_;
};

}  // namespace

std::vector<std::size_t> rungs(std::size_t rows, const TuneOptions& options) {
  std::vector<std::size_t> sizes;
  const std::size_t most = options.rows_at_most > 0 ? std::min(options.rows_at_most, rows) : rows;
  if (options.rows_at_first > 0)
    for (std::size_t size = options.rows_at_first; size < most; size *= rung_factor) sizes.push_back(size);
  sizes.push_back(most);
  return sizes;
}

std::size_t kept_of(std::size_t candidates) {
  return std::min(candidates, std::max(fewest_kept, (candidates + rung_factor - 1) / rung_factor));
}

double seconds_of_later_rungs(const CostModel& cost, const std::vector<CandidateLine>& lines,
                              const std::vector<std::size_t>& sizes, std::size_t rung) {
  std::size_t all = 0;
  for (const CandidateLine& line : lines) all += line.size();
  double sum = 0;
  for (std::size_t kept = kept_of(all), r = rung + 1; r < sizes.size(); ++r, kept = kept_of(kept)) {
    double seconds = 0;
    for (const CandidateLine& line : lines) seconds += cost.seconds(line, sizes[r]);
    sum += seconds * double(kept) / double(all);
  }
  return sum;
}

Search tune(const std::vector<SearchSpace>& spaces, const Dataset& data, const TuneOptions& options) {
  return Tuner(spaces, data, options).run();
}

std::optional<Search> only_candidate(const std::vector<SearchSpace>& spaces, const Dataset& data,
                                     const Points& scaled, const TuneOptions& options) {
  const std::vector<CandidateLine> lines = candidate_lines(spaces, scaled);
  if (lines.size() != 1 || lines[0].size() != 1) return {};
  Search search{
      .spaces = spaces, .metric = checked_metric(options, data.target).name, .trials = {}, .planned = 1};
  check_folds(options, data);
  Trial& only = search.trials.emplace_back(lines[0].at(0));
  only.score = only.error = std::numeric_limits<double>::quiet_NaN();
  return search;
}

std::size_t Search::evaluated() const {
  std::set<std::pair<std::size_t, std::vector<double>>> known;
  for (const Trial& trial : trials)
    if (trial.rows > 0) known.emplace(trial.space, trial.values);
  return known.size();
}

}  // namespace mercer

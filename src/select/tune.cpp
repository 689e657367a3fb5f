// Every setting is judged on rows left out. Of many rows all settings are judged on a part of them first, and the better
// quarter goes on to four times as many (successive halving; Jamieson & Talwalkar 2016).
#include "mercer/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/seconds.hpp"
#include "mercer/error.hpp"
#include "select/judge.hpp"

namespace mercer {

namespace {

constexpr std::size_t rung_factor = 4, fewest_kept = 4;

std::string metric_for(const TuneOptions& options, const Target& target) {
  if (target.kind == Target::Kind::none) throw Error(ErrorKind::data, "settings are compared by predictions of a target, and the data have none; name its column with --target");
  const std::string name = !options.metric.empty() ? options.metric : target.kind == Target::Kind::classes ? "accuracy" : "rmse";
  if (const Metric metric = metric_named(name); metric.task != target.kind)
    throw Error(ErrorKind::usage, metric.task == Target::Kind::classes
                                      ? fmt::format("{} is a metric of classes, but the target is one of numbers; read it with --task classes", name)
                                      : fmt::format("{} is a metric of numbers, but the target is one of classes; read it with --task real", name));
  return name;
}

void check_folds(const TuneOptions& options, const Dataset& data) {
  const std::size_t n = data.rows();
  if (n < 2) throw Error(ErrorKind::data, fmt::format("{} cannot be split into rows to learn from and rows to judge on; give the method's and the kernel's numbers", n == 1 ? "one row" : "no rows"));
  if (options.fold.empty()) {
    if (options.folds < 2) throw Error(ErrorKind::usage, fmt::format("there must be two folds or more, not {}", options.folds));
    return;
  }
  if (options.fold.size() != n) throw Error(ErrorKind::usage, fmt::format("folds are given for {} rows, but there are {}", options.fold.size(), n));
  const auto [least, most] = std::ranges::minmax(options.fold);
  if (least == most) throw Error(ErrorKind::usage, "all rows are in the same fold; two folds or more are needed");
  if (most >= n) throw Error(ErrorKind::usage, fmt::format("fold {} is given for {} rows; folds are numbered from 0", most, n));
}

std::vector<std::size_t> rungs(std::size_t n, const TuneOptions& options) {
  std::vector<std::size_t> sizes;
  const std::size_t most = options.rows_at_most > 0 ? std::min(options.rows_at_most, n) : n;
  if (options.rows_at_first > 0)
    for (std::size_t size = options.rows_at_first; size < most; size *= rung_factor) sizes.push_back(size);
  sizes.push_back(most);
  return sizes;
}

class Tuner {
 public:
  Tuner(const std::vector<SearchSpace>& spaces, const Dataset& data, const TuneOptions& options)
      : options_(options), data_(data), metric_(metric_named(metric_for(options, data.target))) {
    check_folds(options, data);
    if (options.fit.tolerance && !(*options.fit.tolerance > 0)) throw Error(ErrorKind::usage, fmt::format("the tolerance must be > 0, not {:g}", *options.fit.tolerance));
    search_.spaces = spaces;
    search_.metric = metric_.name;
    data_.points = Scaling::fit(options.scaling, data.points).apply(data.points);
    lines_ = setting_lines(spaces, data_.points);
    if (lines_.empty()) throw Error(ErrorKind::usage, "there is no setting to try");
    fit_ = options.fit;
    fit_.seconds = std::numeric_limits<double>::infinity();
    fit_.keep_on_cancel = false;
    fit_.progress = [this](std::string_view, double) { return report(); };
  }

  Search run() {
    const std::vector<std::size_t> sizes = rungs(data_.rows(), options_);
    plan_work(sizes);
    try {
      for (std::size_t r = 0; r < sizes.size(); ++r) {
        judge_all(sizes[r]);
        if (r + 1 < sizes.size()) keep_the_better();
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::cancelled) throw;
      if (!best_ && out_of_time()) throw Error(ErrorKind::budget, fmt::format("{:g} s did not suffice to judge one setting; give more time, or the method and the numbers", options_.fit.seconds));
      if (!best_) throw;
      search_.cut_short = true;
    }
    if (!best_) throw Error(first_failure_.value_or(Error(ErrorKind::data, fmt::format("{} has no value on the rows of any fold", metric_.name))));
    search_.best = *best_;
    search_.seconds = seconds_since(start_);
    return std::move(search_);
  }

 private:
  bool better(double a, double b) const { return metric_.larger_is_better ? a > b : a < b; }
  double cost(const SettingLine& line, std::size_t rows) const { return double(line.size()) * double(rows) * double(rows); }

  void plan_work(const std::vector<std::size_t>& sizes) {
    double settings = 0;
    for (const SettingLine& line : lines_) settings += double(line.size());
    for (const std::size_t rows : sizes) {
      work_ += settings * double(rows) * double(rows);
      settings = std::max(double(fewest_kept), std::ceil(settings / double(rung_factor)));
    }
  }

  bool out_of_time() const { return seconds_since(start_) > options_.fit.seconds; }

  bool report() {
    if (out_of_time()) return false;
    if (!options_.fit.progress) return true;
    const std::string what = best_ ? fmt::format("{} settings, best {} {:.4g}", search_.trials.size(), metric_.name, search_.trials[*best_].score) : "settings";
    return options_.fit.progress(what, std::min(1.0, done_ / work_));
  }

  void judge_all(std::size_t rows) {
    std::vector<Sample> samples;
    for (std::size_t repeat = 0; repeat < std::max<std::size_t>(1, options_.repeats); ++repeat)
      samples.push_back(draw_sample(data_, rows, options_.folds, options_.fold, options_.fit.seed + repeat));
    std::vector<Judge> judges;
    for (const Sample& sample : samples) judges.emplace_back(sample, metric_, fit_, options_.fold.empty());
    for (const SettingLine& line : lines_) {
      if (!report()) throw Error(ErrorKind::cancelled, "stopped before the end");
      judge_line(line, samples, judges);
      done_ += cost(line, rows);
    }
  }

  // A setting that cannot be fitted here (a kernel that overflows, a class that a fold leaves without rows) is passed over.
  void judge_line(const SettingLine& line, const std::vector<Sample>& samples, std::vector<Judge>& judges) {
    std::vector<std::vector<double>> scores(line.size());
    std::vector<Predictions> first(line.size());
    try {
      for (std::size_t s = 0; s < samples.size(); ++s) {
        std::vector<Judgement> judgements = judges[s].judge(line);
        for (std::size_t v = 0; v < line.size(); ++v) {
          for (const double score : judgements[v].fold_scores)
            if (std::isfinite(score)) scores[v].push_back(score);
          if (s == 0) first[v] = std::move(judgements[v].predictions);
        }
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      if (!first_failure_) first_failure_ = error;
      return;
    }
    for (std::size_t v = 0; v < line.size(); ++v)
      if (!scores[v].empty()) add_trial(line.at(v), scores[v], samples[0], first[v]);
  }

  void add_trial(Trial trial, const std::vector<double>& scores, const Sample& sample, const Predictions& predictions) {
    const double count = double(scores.size());
    trial.rows = sample.rows.size();
    trial.score = std::accumulate(scores.begin(), scores.end(), 0.0) / count;
    double squares = 0;
    for (const double score : scores) squares += (score - trial.score) * (score - trial.score);
    trial.error = count > 1 ? std::sqrt(squares / (count - 1) / count) : 0;
    search_.trials.push_back(std::move(trial));
    const Trial& now = search_.trials.back();
    if (best_ && search_.trials[*best_].rows == now.rows && !better(now.score, search_.trials[*best_].score)) return;
    best_ = search_.trials.size() - 1;
    search_.held_out = now.rows == data_.rows() ? in_order_of_data(sample, predictions) : Predictions{};
  }

  // The lines that the better quarter of the settings of the last rung make up, the best line first.
  void keep_the_better() {
    const std::size_t rows = search_.trials.back().rows;
    std::vector<const Trial*> trials;
    for (const Trial& trial : search_.trials)
      if (trial.rows == rows) trials.push_back(&trial);
    std::ranges::stable_sort(trials, [&](const Trial* a, const Trial* b) { return better(a->score, b->score); });
    trials.resize(std::min(trials.size(), std::max(fewest_kept, (trials.size() + rung_factor - 1) / rung_factor)));
    std::vector<SettingLine> kept;
    for (const Trial* trial : trials) {
      auto line = std::ranges::find_if(kept, [&](const SettingLine& l) { return same_line(l, *trial); });
      if (line == kept.end()) {
        kept.push_back(*std::ranges::find_if(lines_, [&](const SettingLine& l) { return same_line(l, *trial); }));
        line = kept.end() - 1;
        line->path.clear();
      }
      if (!line->parameter.empty()) line->path.push_back(std::get<double>(trial->method->get(line->parameter)));
    }
    for (SettingLine& line : kept) std::ranges::sort(line.path);
    lines_ = std::move(kept);
  }

  static bool same_line(const SettingLine& line, const Trial& trial) {
    if (line.space != trial.space || line.kernel.text() != trial.kernel.text()) return false;
    for (std::size_t a = 0; a < line.values.size(); ++a)
      if (a != line.path_axis && line.values[a] != trial.values[a]) return false;
    return true;
  }

  const TuneOptions& options_;
  Dataset data_;  // scaled
  const Metric metric_;
  FitOptions fit_;
  std::vector<SettingLine> lines_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double work_ = 0, done_ = 0;
  std::optional<std::size_t> best_;
  std::optional<Error> first_failure_;
  Search search_;
};

}  // namespace

Search tune(const std::vector<SearchSpace>& spaces, const Dataset& data, const TuneOptions& options) { return Tuner(spaces, data, options).run(); }

}  // namespace mercer

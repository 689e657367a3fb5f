// Every metric by its name. A new one is a function in a file of measures and a line here.
#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "mercer/error.hpp"
#include "mercer/spelling.hpp"
#include "model_selection/measures.hpp"

namespace mercer {

namespace {

struct Entry {
  Metric metric;
  Measure (*prepare)(const Scored&);
};

const std::vector<Entry>& catalogue() {
  constexpr Task classes = Task::classification, real = Task::regression;
  constexpr bool larger = true, smaller = false, from_probabilities = true;
  static const std::vector<Entry> all{
      {{"accuracy", "part of the rows that is right", classes}, accuracy_measure},
      {{"balanced_accuracy", "mean over the classes of the part of their rows that is right", classes},
       balanced_accuracy_measure},
      {{"f1_macro", "mean over the classes of the harmonic mean of precision and recall", classes},
       f1_macro_measure},
      {{"f1_micro", "the same of all classes together: the accuracy", classes}, accuracy_measure},
      {{"auc", "part of pairs of rows of two classes whose scores are in order", classes}, auc_measure},
      {{"log_loss", "mean of −log of the probability of the true class", classes, smaller,
        from_probabilities},
       log_loss_measure},
      {{"brier", "mean squared error of the probabilities", classes, smaller, from_probabilities},
       brier_measure},
      {{"calibration_error",
        "mean distance of the predicted class's probability from the part that is right, in 15 bins", classes,
        smaller, from_probabilities},
       calibration_error_measure},
      {{"rmse", "root of the mean squared error", real, smaller}, rmse_measure},
      {{"mae", "mean absolute error", real, smaller}, mae_measure},
      {{"r2", "part of the target's variance that is explained", real, larger}, r2_measure},
      {{"pinball", "mean pinball loss of a quantile: the median's, or pinball:0.9", real, smaller},
       pinball_measure},
  };
  return all;
}

const Entry& entry_named(std::string_view name) {
  for (const Entry& entry : catalogue())
    if (entry.metric.name == name) return entry;
  std::vector<std::string> known;
  for (const Metric& metric : metrics()) known.push_back(metric.name);
  throw Error(ErrorCode::unknown_name, fmt::format("unknown metric '{}'", name),
              {.hint = suggestion(name, known)});
}

double read_level(std::string_view name, std::string_view text) {
  double level = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (fault != std::errc() || end != text.data() + text.size() || !(level > 0 && level < 1))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("'{}': the level of a quantile lies between 0 and 1, as in pinball:0.9", name));
  return level;
}

std::string_view without_level(std::string_view name) { return name.substr(0, name.find(':')); }

void check_sizes(const Metric& metric, const Target& truth, const Predictions& p) {
  const bool classes = metric.task == Task::classification;
  const std::size_t expected = truth.task == Task::regression ? truth.values.size() : truth.codes.size();
  const std::size_t given = classes ? p.codes.size() : p.values.size();
  if (classes && truth.task != Task::classification && expected > 0)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} compares classes, and the truth has none", metric.name),
                {.hint = "rmse compares numbers"});
  if (given == 0 && expected > 0)
    throw Error(
        ErrorCode::invalid_argument,
        classes ? fmt::format("{} compares classes, and the predictions are numbers; rmse compares those",
                              metric.name)
                : fmt::format("{} compares numbers, and the predictions are classes; accuracy compares those",
                              metric.name));
  if (given != expected)
    throw Error(ErrorCode::invalid_data,
                fmt::format("there are {} predictions to compare with {} of the truth", given, expected));
  if (metric.needs_probabilities && p.probabilities.size() != expected * truth.labels.size())
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} needs probabilities of the classes, and the predictions have none", metric.name),
        {.hints = {{Remedy::fit_probabilities}}});
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all = [] {
    std::vector<Metric> list;
    for (const Entry& entry : catalogue()) list.push_back(entry.metric);
    return list;
  }();
  return all;
}

Metric metric_named(std::string_view name) {
  const std::string_view base = without_level(name);
  if (base == name || base != "pinball") return entry_named(name).metric;
  Metric metric = entry_named(base).metric;
  metric.name = name;
  metric.level = read_level(name, name.substr(base.size() + 1));
  return metric;
}

Measure prepare(const Metric& metric, const Target& truth, const Predictions& predictions) {
  const Entry& entry = entry_named(without_level(metric.name));
  check_sizes(metric, truth, predictions);
  const std::vector<double> numbers =
      metric.task == Task::regression ? truth.numbers() : std::vector<double>();
  return entry.prepare({truth, predictions, numbers, metric.level});
}

double measure(const Metric& metric, const Target& truth, const Predictions& predictions,
               std::span<const std::size_t> rows) {
  const Measure of = prepare(metric, truth, predictions);
  if (truth.size() == 0) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> counts(truth.size(), rows.empty() ? 1 : 0);
  for (const std::size_t row : rows) counts.at(row) += 1;
  return of(counts);
}

double mean(Counts counts, std::span<const double> terms) {
  double rows = 0, sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) rows += counts[i], sum += counts[i] * terms[i];
  return sum / rows;
}

Measure mean_of(std::size_t rows, const std::function<double(std::size_t)>& term) {
  std::vector<double> terms(rows);
  for (std::size_t i = 0; i < rows; ++i) terms[i] = term(i);
  return [terms = std::move(terms)](Counts counts) { return mean(counts, terms); };
}

}  // namespace mercer

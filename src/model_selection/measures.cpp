// Every metric by its name. A new one is a function and a line of the catalogue.
#include "model_selection/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

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

namespace {

// --- Of the predicted classes

// Rows of each class, rows predicted as it, and rows that are both.
struct ClassCounts {
  std::vector<double> rows, predicted, hits;
};

// The mean of factor·hits / of(class) over the classes for which the latter is above 0.
template <class Of>
Measure mean_over_classes(const Scored& scored, double factor, Of of) {
  return [truth = scored.truth.codes, predicted = scored.predictions.codes, k = scored.classes(), factor,
          of](Counts counts) {
    ClassCounts c{std::vector<double>(k), std::vector<double>(k), std::vector<double>(k)};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      c.rows[std::size_t(truth[i])] += counts[i];
      c.predicted[std::size_t(predicted[i])] += counts[i];
      if (truth[i] == predicted[i]) c.hits[std::size_t(truth[i])] += counts[i];
    }
    double sum = 0, defined = 0;
    for (std::size_t label = 0; label < k; ++label)
      if (const double whole = of(c, label); whole > 0) sum += factor * c.hits[label] / whole, defined += 1;
    return sum / defined;
  };
}

Measure accuracy_measure(const Scored& scored) {
  return mean_of(scored.rows(),
                 [&](std::size_t i) { return scored.code(i) == scored.predicted(i) ? 1.0 : 0.0; });
}

Measure balanced_accuracy_measure(const Scored& scored) {
  return mean_over_classes(scored, 1, [](const ClassCounts& c, std::size_t label) { return c.rows[label]; });
}

Measure f1_macro_measure(const Scored& scored) {
  return mean_over_classes(
      scored, 2, [](const ClassCounts& c, std::size_t label) { return c.rows[label] + c.predicted[label]; });
}

// --- Of the probabilities of the classes

Measure log_loss_measure(const Scored& scored) {
  return mean_of(scored.rows(), [&](std::size_t i) {
    return -std::log(std::clamp(scored.probability(i, scored.code(i)), 1e-15, 1.0));
  });
}

Measure brier_measure(const Scored& scored) {
  return mean_of(scored.rows(), [&](std::size_t i) {
    double sum = 0;
    for (std::size_t c = 0; c < scored.classes(); ++c) {
      const double error = scored.probability(i, c) - (c == scored.code(i) ? 1 : 0);
      sum += error * error / 2;
    }
    return sum;
  });
}

// Rows are put into bins by the probability p of the class predicted; in each the rows that are right should
// be Σ p.
Measure calibration_error_measure(const Scored& scored) {
  constexpr std::size_t bins = 15;
  std::vector<std::size_t> bin(scored.rows());
  std::vector<double> excess(scored.rows());
  for (std::size_t i = 0; i < scored.rows(); ++i) {
    const double p = scored.probability(i, scored.predicted(i));
    bin[i] = std::min(bins - 1, std::size_t(std::max(0.0, p) * double(bins)));
    excess[i] = (scored.code(i) == scored.predicted(i) ? 1 : 0) - p;
  }
  return [bin = std::move(bin), excess = std::move(excess)](Counts counts) {
    std::array<double, bins> sums{};
    double rows = 0, error = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sums[bin[i]] += counts[i] * excess[i], rows += counts[i];
    for (const double sum : sums) error += std::abs(sum);
    return error / rows;
  };
}

// --- Of numbers; of several outputs the mean over them

// The mean over the outputs of of(counts, terms, truth): terms are term(prediction − truth) of each row.
template <class Term, class Of>
Measure mean_over_outputs(const Scored& scored, Term term, Of of) {
  const std::size_t outputs = scored.truth.task == Task::regression ? scored.truth.outputs : 1;
  std::vector<std::vector<double>> truth(outputs), terms(outputs);
  for (std::size_t e = 0; e < scored.rows() * outputs; ++e) {
    truth[e % outputs].push_back(scored.numbers[e]);
    terms[e % outputs].push_back(term(scored.predictions.values[e] - scored.numbers[e]));
  }
  return [truth = std::move(truth), terms = std::move(terms), of](Counts counts) {
    double sum = 0;
    for (std::size_t output = 0; output < truth.size(); ++output)
      sum += of(counts, terms[output], truth[output]);
    return sum / double(truth.size());
  };
}

double square(double error) { return error * error; }

double plain_mean(Counts counts, std::span<const double> terms, std::span<const double>) {
  return mean(counts, terms);
}

// 1 − Σ squared errors / Σ squared deviations from the mean. The truth is moved so that one value is 0: a
// constant one then has no deviation, not a rounding error.
double part_explained(Counts counts, std::span<const double> squares, std::span<const double> truth) {
  std::size_t any = 0;  // row that counts
  while (counts[any] == 0) ++any;
  double rows = 0, sum = 0, errors = 0, deviations = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    rows += counts[i], sum += counts[i] * (truth[i] - truth[any]), errors += counts[i] * squares[i];
  const double mean = sum / rows;
  for (std::size_t i = 0; i < counts.size(); ++i)
    deviations += counts[i] * square(truth[i] - truth[any] - mean);
  return deviations > 0 ? 1 - errors / deviations : errors == 0 ? 1 : 0;
}

Measure rmse_measure(const Scored& scored) {
  return mean_over_outputs(scored, square,
                           [](Counts counts, std::span<const double> squares, std::span<const double>) {
                             return std::sqrt(mean(counts, squares));
                           });
}

Measure mae_measure(const Scored& scored) {
  return mean_over_outputs(
      scored, [](double error) { return std::abs(error); }, plain_mean);
}

Measure r2_measure(const Scored& scored) { return mean_over_outputs(scored, square, part_explained); }

Measure pinball_measure(const Scored& scored) {
  const auto loss = [level = scored.level](double error) {
    return error < 0 ? -level * error : (1 - level) * error;
  };
  return mean_over_outputs(scored, loss, plain_mean);
}

// --- By name

struct Entry {
  Metric metric;
  Measure (*prepare)(const Scored&);
};

const std::vector<Entry>& catalogue() {
  constexpr Task classes = Task::classification, real = Task::regression;
  constexpr bool larger = true, smaller = false, from_probabilities = true;
  static const std::vector<Entry> all{
      {{"accuracy", "fraction of rows predicted correctly", classes}, accuracy_measure},
      {{"balanced_accuracy", "mean over the classes of the fraction of their rows predicted correctly",
        classes},
       balanced_accuracy_measure},
      {{"f1_macro", "mean over the classes of the harmonic mean of precision and recall", classes},
       f1_macro_measure},
      {{"f1_micro", "the same over all classes together: the accuracy", classes}, accuracy_measure},
      {{"auc", "fraction of pairs of rows of two classes whose scores are in order", classes}, auc_measure},
      {{"log_loss", "mean of −log of the probability of the true class", classes, smaller,
        from_probabilities},
       log_loss_measure},
      {{"brier", "mean squared error of the probabilities", classes, smaller, from_probabilities},
       brier_measure},
      {{"calibration_error",
        "mean distance of the probability of the predicted class from the fraction correct, in 15 bins",
        classes, smaller, from_probabilities},
       calibration_error_measure},
      {{"rmse", "root of the mean squared error", real, smaller}, rmse_measure},
      {{"mae", "mean absolute error", real, smaller}, mae_measure},
      {{"r2", "fraction of the target's variance explained", real, larger}, r2_measure},
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

Metric metric_or_default(const std::string& name, const Target& target) {
  return metric_named(!name.empty() ? name : target.task == Task::classification ? "accuracy" : "rmse");
}

MeanScore mean_over_folds(std::span<const double> scores) {
  const double count = double(scores.size());
  const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / count;
  double squares = 0;
  for (const double score : scores) squares += square(score - mean);
  return {mean, count > 1 ? std::sqrt(squares / (count - 1) / count) : 0};
}

}  // namespace mercer

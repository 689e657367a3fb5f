// The pictures of a report: how good the predictions are, what the model predicts, what its kernel sees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/sample.hpp"
#include "mercer/error.hpp"
#include "mercer/metrics.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/pictures.hpp"
#include "mercer/validity.hpp"
#include "model/sensitivity.hpp"
#include "plot/report_parts.hpp"
#include "plot/svg.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_report_curves = 8;  // classes with a curve each
constexpr std::size_t most_spectrum = 600;     // rows whose eigenvalues are computed

// Every metric that the predictions have what it needs for, beside what the baseline reaches.
void add_metrics(Page& page, const ReportInput& input) {
  const AutomaticFit& fit = input.fit;
  const Target& truth = fit.scored.target;
  const Predictions guess = baseline(input.data.target, truth.size());
  using enum PageTable::Kind;
  PageTable table{
      .columns = {{"metric", text}, {"model", number}, {"baseline", number}, {"what it is", text}}};
  for (const Metric& metric : metrics()) {
    if (metric.task != truth.task || metric.name == "f1_micro" || metric.name == "pinball") continue;
    if (metric.needs_probabilities && fit.predictions.probabilities.empty()) continue;
    try {
      const double score = measure(metric, truth, fit.predictions), base = measure(metric, truth, guess);
      table.add(
          metric.name, score_text(metric.name, score), score_text(metric.name, base),
          fmt::format("{}; {} is better", metric.summary, metric.larger_is_better ? "higher" : "lower"));
    } catch (const Error& error) {  // a metric that these predictions cannot have
      if (error.kind() == ErrorKind::cancelled) throw;
    }
  }
  if (!table.rows.empty()) page.table(table);
}

bool has_predictions(const AutomaticFit& fit) {
  const Target& truth = fit.scored.target;
  return truth.task != Task::none && truth.size() > 0 &&
         (truth.task == Task::classification ? !fit.predictions.codes.empty()
                                             : !fit.predictions.values.empty());
}

// What a picture is told to draw its columns by: a name, or the number of a column without one of its own.
std::string key_of(const Points& points, std::size_t column) {
  const std::vector<std::string>& names = points.names();
  const bool own =
      column < names.size() && std::size_t(std::ranges::find(names, names[column]) - names.begin()) == column;
  return own ? names[column] : std::to_string(column + 1);
}

// The columns of numbers that move the prediction most, at most two; none where there are fewer than
// `wanted`, and pictures find their own.
std::vector<std::string> columns_to_draw(const ReportInput& input,
                                         std::span<const ColumnInfluence> influences, std::size_t wanted) {
  const std::vector<SourceColumn> sources = source_columns(input.fit.model);
  std::vector<std::string> keys;
  for (const ColumnInfluence& one : influences)
    if (keys.size() < wanted && one.column < sources.size() && sources[one.column].categories.empty())
      keys.push_back(key_of(input.data.points, sources[one.column].begin));
  return keys.size() == wanted ? keys : std::vector<std::string>();
}

// The rows as the model's kernel sees them; of numbers in the order of the first.
Dataset seen_by_the_kernel(const ReportInput& input) {
  Dataset seen{.points = input.fit.model.scaling.apply(input.data.points), .target = input.data.target};
  if (seen.target.task != Task::regression) return seen;
  std::vector<std::size_t> order(seen.rows());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return seen.target.values[i * seen.target.outputs]; });
  return seen.select_rows(order);
}

std::string gram_caption(const Target& target) {
  const std::string what = "How similar each row is to each other row, ";
  if (target.task == Task::classification)
    return what + "class by class: blocks along the diagonal mean that rows of a class are like each other.";
  if (target.task == Task::regression)
    return what +
           "in the order of their targets: brighter along the diagonal than away from it means that rows "
           "with like targets are alike.";
  return what + "in the order of the file.";
}

}  // namespace

void add_picture(Page& page, const std::string& what, const std::string& caption,
                 const std::function<std::string()>& draw) {
  try {
    page.picture(draw(), caption);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    page.missing_picture(fmt::format("There is no picture of {}: {}.", what, error.what()));
  }
}

void add_quality(Page& page, const ReportInput& input) {
  if (!has_predictions(input.fit)) return;
  const Target& truth = input.fit.scored.target;
  const Predictions& predictions = input.fit.predictions;
  page.section("quality", "How good it is");
  page.paragraph(fmt::format("All numbers and pictures here are for rows that the model had not seen ({}).",
                             input.fit.scored_on));
  add_metrics(page, input);
  input.progress.check("report", 0.05);
  if (truth.task == Task::regression) {
    add_picture(page, "the residuals",
                "Left: predicted against true values; a perfect model has all points on the line. Right: "
                "residuals; a pattern there is something that the model has not learned.",
                [&] { return residual_picture(truth, predictions, "Predicted and true"); });
    return;
  }
  add_picture(page, "the confusions",
              "Rows by true class (down) and predicted class (across); errors are off the diagonal.",
              [&] { return confusion_picture(truth, predictions, "Confusion matrix"); });
  if (truth.labels.size() <= most_report_curves) {
    add_picture(page, "the ROC curve",
                "The true positive rate against the false positive rate. The "
                "nearer to the upper left corner the better; an area of 1 is perfect, 0.5 is guessing.",
                [&] { return roc_picture(truth, predictions, "ROC curve"); });
    add_picture(
        page, "precision and recall",
        "How many of the rows predicted as a class are of it, against how many of its rows are found.",
        [&] { return precision_recall_picture(truth, predictions); });
  }
  if (!predictions.probabilities.empty())
    add_picture(page, "the calibration",
                "Whether what the model calls 80 % probable happens in 80 % of the cases: points near the "
                "line mean calibrated probabilities.",
                [&] { return calibration_picture(truth, predictions); });
}

void add_model_pictures(Page& page, const ReportInput& input, std::span<const ColumnInfluence> influences) {
  const Model& model = input.fit.model;
  if (model.fitted.rule == Rule::projection) return;
  page.section("model", "Predictions of the model");
  const bool numbers = model.labels.empty() && model.fitted.rule != Rule::novelty, plane = model.columns > 1;
  const std::vector<std::string> one = columns_to_draw(input, influences, 1),
                                 two = columns_to_draw(input, influences, 2);
  input.progress.check("report", 0.3);
  if (numbers)
    add_picture(
        page, "the curve",
        plane ? "The prediction over the most important column, the other columns held at their medians. The "
                "points are rows, whose other columns differ."
              : "The prediction over the only column, with the rows as points.",
        [&] {
          return curve_picture(
              {&model, 1}, input.data,
              {.column = one.empty() ? "" : one[0], .threads = input.threads, .progress = input.progress});
        });
  input.progress.check("report", 0.4);
  if (plane || !numbers) {
    std::string caption = numbers ? "The prediction as a colour over the two most important columns; the "
                                    "points have the colours of their true values."
                          : plane ? "The predicted class over the two most important columns."
                                  : "The predicted class over the only column.";
    if (model.columns > 2)
      caption +=
          " It is a slice: the other columns are held at their medians, so that a row need not lie in its "
          "own region.";
    add_picture(page, "the regions", caption, [&] {
      return regions_picture(model, input.data,
                             {.columns = two, .threads = input.threads, .progress = input.progress});
    });
  }
}

void add_kernel_pictures(Page& page, const ReportInput& input) {
  const Model& model = input.fit.model;
  const Dataset seen = seen_by_the_kernel(input);
  const bool classes = !model.labels.empty() && seen.target.task == Task::classification;
  page.section("kernel", "The data in feature space");
  page.paragraph(
      "A kernel is a measure of similarity. A good one finds rows similar that have similar targets.");
  input.progress.check("report", 0.6);
  add_picture(page, "the Gram matrix", gram_caption(seen.target), [&] {
    return gram_picture(
        model.kernel(), seen,
        {.title = "Similarities of the rows", .threads = input.threads, .progress = input.progress});
  });
  input.progress.check("report", 0.7);
  add_picture(
      page, "the principal components",
      classes ? "The rows in the plane in which the kernel spreads them most (kernel principal components). "
                "Crosses are rows that the model gives another class although it has learned from them."
              : "The rows in the plane in which the kernel spreads them most (kernel principal components), "
                "in the colours of their targets.",
      [&] {
        const std::string title = "The rows as the kernel lays them out";
        if (classes)
          return regions_picture(model, input.data,
                                 {.title = title,
                                  .projection = Projection::components,
                                  .threads = input.threads,
                                  .progress = input.progress});
        return components_picture(model.kernel(), seen,
                                  {.title = title, .threads = input.threads, .progress = input.progress});
      });
  input.progress.check("report", 0.8);
  add_picture(
      page, "the spectrum",
      "How many directions the rows take in the kernel's space: a steep fall means that a few directions "
      "hold nearly everything, a flat line that every row is on its own.",
      [&] {
        const Validity found =
            check_kernel(model.kernel(), seen.points, seen.target,
                         {.sample = most_spectrum, .threads = input.threads, .progress = input.progress});
        return spectrum_picture(found.eigenvalues,
                                fmt::format("Eigenvalues of the Gram matrix ({} rows)", found.rows.size()));
      });
}

}  // namespace mercer

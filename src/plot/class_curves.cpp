// ROC: what is found of a class against what is wrongly taken for it. The number below is the metric auc.
// Precision and recall: what matters where one class is rare. Between two thresholds nothing is promised, so
// that curves are steps (Davis & Goadrich 2006).
#include "plot/class_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mercer/error.hpp"
#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_coloured = 8, most_outstanding = 6;

// How a model's leaning to a class is told.
enum class Leaning { scores, probabilities, pairs };

Leaning leaning_of(const Target& truth, const Predictions& p) {
  const std::size_t n = truth.codes.size(), k = truth.labels.size();
  const bool scored = p.scores.size() == n * p.width;
  if (k == 2 && scored && (p.width == 1 || p.width == 2))
    return p.width == 1 ? Leaning::pairs : Leaning::scores;
  if (p.probabilities.empty() && scored && p.width == k && !p.pairs) return Leaning::scores;
  if (p.probabilities.empty() && scored && p.width == k * (k - 1) / 2 && p.pairs) return Leaning::pairs;
  return Leaning::probabilities;
}

double lean(Leaning how, std::size_t row, std::size_t label, std::size_t k, const Predictions& p) {
  if (how == Leaning::probabilities) return p.probabilities[row * k + label];
  const double* scores = p.scores.data() + row * p.width;
  if (how == Leaning::scores) return k == 2 ? scores[label] - scores[1 - label] : scores[label];
  if (k == 2) return label == 1 ? *scores : -*scores;
  double sum = 0;  // of the decision values of the class's pairs
  for (std::size_t a = 0, pair = 0; a < k; ++a)
    for (std::size_t b = a + 1; b < k; ++b, ++pair)
      sum += a == label ? scores[pair] : b == label ? -scores[pair] : 0;
  return sum;
}

RankingCurve in_steps(const RankingCurve& curve) {
  RankingCurve steps;
  double before = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    steps.x.insert(steps.x.end(), {before, curve.x[i]});
    steps.y.insert(steps.y.end(), {curve.y[i], curve.y[i]});
    before = curve.x[i];
  }
  return steps;
}

std::vector<double> scores_for(Leaning how, std::size_t label, const Target& truth, const Predictions& p) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < truth.codes.size(); ++i) {
    scores.push_back(lean(how, i, label, truth.labels.size(), p));
    if (!std::isfinite(scores[i]))
      throw Error(ErrorCode::not_finite, fmt::format("the decision value of row {} is not finite", i + 1));
  }
  return scores;
}

}  // namespace

void check_class_predictions(const Target& truth, const Predictions& p) {
  if (truth.task != Task::classification)
    throw Error(ErrorCode::invalid_argument, "this picture is about classes, but the target has none");
  const std::size_t n = truth.codes.size(), k = truth.labels.size();
  if (p.codes.size() != n)
    throw Error(ErrorCode::unsupported,
                fmt::format("{} predicted classes do not belong to {} rows", p.codes.size(), n));
  for (const auto& codes : {std::span(truth.codes), std::span(p.codes)})
    for (const std::int32_t code : codes)
      if (code < 0 || std::size_t(code) >= k)
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("class {} is not one of the target's {} labels", code, k));
  if (n == 0) throw Error(ErrorCode::invalid_data, "there are no rows to draw");
}

void check_probabilities(const Target& truth, const Predictions& p) {
  check_class_predictions(truth, p);
  const std::size_t n = truth.codes.size(), k = truth.labels.size();
  if (p.probabilities.empty())
    throw Error(ErrorCode::unsupported, "this picture needs probabilities, which the model does not give",
                {.hints = {{Remedy::fit_probabilities}}});
  if (p.probabilities.size() != n * k)
    throw Error(ErrorCode::unsupported, fmt::format("{} probabilities do not belong to {} rows of {} classes",
                                                    p.probabilities.size(), n, k));
  for (std::size_t i = 0; i < n * k; ++i)
    if (!std::isfinite(p.probabilities[i]))
      throw Error(ErrorCode::not_finite, fmt::format("a probability of row {} is not finite", i / k + 1));
}

std::vector<ClassCurve> class_curves(const Target& truth, const Predictions& p) {
  const std::size_t k = truth.labels.size();
  check_class_predictions(truth, p);
  const Leaning how = leaning_of(truth, p);
  if (how == Leaning::probabilities) check_probabilities(truth, p);
  std::vector<ClassCurve> curves;
  for (std::size_t label = k == 2 ? 1 : 0; label < k; ++label) {
    ClassCurve one{.label = label, .positive = {}, .scores = {}};
    for (const std::int32_t code : truth.codes) one.positive.push_back(std::size_t(code) == label);
    const auto positives = std::size_t(std::ranges::count(one.positive, true));
    if (positives == 0 || positives == one.positive.size()) continue;
    one.scores = scores_for(how, label, truth, p);
    curves.push_back(std::move(one));
  }
  if (curves.empty())
    throw Error(ErrorCode::invalid_data, "all rows are of one class", {.hint = "a curve needs rows of two"});
  return curves;
}

void draw_curves(Chart& chart, const Target& truth, const std::vector<ClassCurve>& curves,
                 const char* area_name, const std::string& overall) {
  std::vector<const ClassCurve*> order;
  for (const ClassCurve& curve : curves) order.push_back(&curve);
  const bool all = curves.size() <= most_coloured;
  if (!all) std::ranges::stable_sort(order, {}, &ClassCurve::area);
  const std::size_t outstanding = all ? order.size() : most_outstanding;
  for (std::size_t i = outstanding; i < order.size(); ++i)  // below the others
    chart.line(
        order[i]->curve.x, order[i]->curve.y,
        {.colour = muted,
         .label = i == outstanding ? fmt::format("the other {} classes", order.size() - outstanding) : "",
         .width = 1,
         .opacity = 0.6});
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sum += order[i]->area;
    if (i >= outstanding) continue;
    Style style =
        series_style(all ? order[i]->label : i,
                     fmt::format("{}: {} {:.3f}", truth.labels[order[i]->label], area_name, order[i]->area));
    style.width = 2;
    chart.line(order[i]->curve.x, order[i]->curve.y, style);
  }
  const std::string together = overall.empty() ? fmt::format("mean {} of a class against the others {:.4f}",
                                                             area_name, sum / double(order.size()))
                                               : overall;
  if (order.size() > 1)
    chart.note(together + (all ? "" : fmt::format("; the {} smallest in colour", outstanding)));
  if (curves.size() < truth.labels.size() && truth.labels.size() > 2)
    chart.note(fmt::format("{} of {} classes have no rows here", truth.labels.size() - curves.size(),
                           truth.labels.size()));
}

std::string roc_picture(const Target& truth, const Predictions& predictions, const std::string& title) {
  std::vector<ClassCurve> curves = class_curves(truth, predictions);
  for (ClassCurve& one : curves) {
    one.curve = roc_curve(one.positive, one.scores);
    one.area = area_under_roc(one.positive, one.scores).value();
  }
  Chart chart(title, {.label = "false positive rate"}, {.label = "true positive rate"}, 480, 460);
  const double ends[] = {0, 1};
  chart.line(ends, ends, {.colour = muted, .label = "guessing", .width = 1, .dashed = true});
  const std::string overall =
      fmt::format("auc {:.4f}: the mean over pairs of classes; a curve is of a class against all others",
                  measure(metric_named("auc"), truth, predictions));
  draw_curves(chart, truth, curves, "AUC", overall);
  return chart.svg();
}

std::string precision_recall_picture(const Target& truth, const Predictions& predictions,
                                     const std::string& title) {
  std::vector<ClassCurve> curves = class_curves(truth, predictions);
  for (ClassCurve& one : curves) {
    const RankingCurve curve = precision_recall_curve(one.positive, one.scores);
    one.area = average_precision(curve);
    one.curve = in_steps(curve);
  }
  Chart chart(title, {.label = "recall"}, {.label = "precision"}, 480, 460);
  if (curves.size() == 1) {
    const double share =
        double(std::ranges::count(curves[0].positive, true)) / double(curves[0].positive.size());
    chart.horizontal(share, {.colour = muted, .label = "guessing", .width = 1, .dashed = true});
  }
  draw_curves(chart, truth, curves, "average precision");
  return chart.svg();
}

}  // namespace mercer

// Precision and recall: what matters where one class is rare. Between two thresholds nothing is promised, so
// that curves are steps (Davis & Goadrich 2006).
#include "mercer/pictures.hpp"
#include "plot/class_curves.hpp"

#include <algorithm>

namespace mercer {

namespace {

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

}  // namespace

std::string precision_recall_picture(const Target& truth, const Predictions& predictions,
                                     const std::string& title) {
  std::vector<ClassCurve> curves = class_curves(truth, predictions);
  for (ClassCurve& one : curves) {
    const RankingCurve curve = precision_recall_curve(one.positive, one.scores);
    one.area = average_precision(curve);
    one.curve = in_steps(curve);
  }
  Chart chart(title, {.label = "recall: part of the class found"},
              {.label = "precision: part of the found that is right"}, 480, 460);
  if (curves.size() == 1) {
    const double share =
        double(std::ranges::count(curves[0].positive, true)) / double(curves[0].positive.size());
    chart.horizontal(share, {.colour = muted, .label = "guessing", .width = 1, .dashed = true});
  }
  draw_curves(chart, truth, curves, "average precision");
  return chart.svg();
}

}  // namespace mercer

// ROC: what is found of a class against what is wrongly taken for it.
#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "view/class_curves.hpp"

namespace mercer {

std::string roc_picture(const Target& truth, const Predictions& predictions, const std::string& title) {
  std::vector<ClassCurve> curves = class_curves(truth, predictions);
  for (ClassCurve& one : curves) {
    one.curve = roc_curve(one.positive, one.scores);
    one.area = area_under_roc(one.positive, one.scores).value();
  }
  Chart chart(title, {.label = "part of the others taken for it (false positives)"}, {.label = "part of the class found (true positives)"}, 480, 460);
  const double ends[] = {0, 1};
  chart.line(ends, ends, {.colour = muted, .label = "guessing", .width = 1, .dashed = true});
  draw_curves(chart, truth, curves, "AUC");
  return chart.svg();
}

}  // namespace mercer

// ROC: what is found of a class against what is wrongly taken for it. The number below is the metric auc.
#include <fmt/format.h>

#include "mercer/metrics.hpp"
#include "mercer/pictures.hpp"
#include "plot/class_curves.hpp"

namespace mercer {

std::string roc_picture(const Target& truth, const Predictions& predictions, const std::string& title) {
  std::vector<ClassCurve> curves = class_curves(truth, predictions);
  for (ClassCurve& one : curves) {
    one.curve = roc_curve(one.positive, one.scores);
    one.area = area_under_roc(one.positive, one.scores).value();
  }
  Chart chart(title, {.label = "part of the others taken for it (false positives)"},
              {.label = "part of the class found (true positives)"}, 480, 460);
  const double ends[] = {0, 1};
  chart.line(ends, ends, {.colour = muted, .label = "guessing", .width = 1, .dashed = true});
  const std::string overall =
      fmt::format("auc {:.4f}: the mean over pairs of classes; a curve is of a class against all others",
                  measure(metric_named("auc"), truth, predictions));
  draw_curves(chart, truth, curves, "AUC", overall);
  return chart.svg();
}

}  // namespace mercer

// What a prediction costs: a loss against the one number it depends on.
#include <fmt/format.h>

#include "mercer/error.hpp"
#include "mercer/pictures.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

constexpr double reach = 3, top = 4;  // of the axes: what matters happens around 0
constexpr std::size_t steps = 601;    // odd, so that the kinks at whole numbers are met

std::string label_of(const Loss& loss) {
  std::string parameters;
  for (const LossParameter& parameter : loss.parameters())
    parameters +=
        fmt::format("{}{} = {:g}", parameters.empty() ? "" : ", ", parameter.name, loss.get(parameter.name));
  return parameters.empty() ? std::string(loss.name()) : fmt::format("{}, {}", loss.name(), parameters);
}

/// The losses of one kind.
struct Panel {
  Panel(const char* title, const char* axis)
      : chart(title, {.label = axis, .low = -reach, .high = reach}, {.label = "loss", .low = 0, .high = top},
              460, 400) {}

  template <class Value>
  void draw(std::size_t i, std::string label, bool dashed, const Value& value) {
    std::vector<double> x, y;
    for (std::size_t s = 0; s < steps; ++s) {
      x.push_back(-reach + 2 * reach * double(s) / double(steps - 1));
      y.push_back(value(x.back()));
    }
    Style style = series_style(i, std::move(label));
    style.width = 2;
    style.dashed = dashed;
    chart.line(x, y, style);
  }

  Chart chart;
  std::size_t losses = 0;
};

}  // namespace

std::string loss_picture(const std::vector<AnyLoss>& losses) {
  if (losses.empty())
    throw Error(ErrorCode::invalid_argument, "there is no loss to draw",
                {.hint = "name one", .hints = {{Remedy::list_names, "losses"}}});
  Panel margins("Classes: the loss against the margin", "margin y·f"),
      residuals("Numbers: the loss against the residual", "residual y − f"),
      counts("Counts: the loss against the prediction", "prediction f");
  margins.draw(7, "0-1 loss", true, [](double m) { return m < 0 ? 1.0 : m > 0 ? 0.0 : 0.5; });
  for (const AnyLoss& any : losses) {
    const Loss& loss = *any;
    const LossTarget target = loss.target();
    Panel& panel = target == LossTarget::real ? residuals : target == LossTarget::counts ? counts : margins;
    const std::size_t i = panel.losses++;
    if (target == LossTarget::counts)
      for (const double y : {0.0, 1.0, 2.0})
        panel.draw(3 * i + std::size_t(y), fmt::format("{}, y = {}", label_of(loss), y), y == 1,
                   [&](double f) {
                     return loss.value(y, {&f, 1});
                   });
    else if (target == LossTarget::classes)  // dashed, since it lies on the logistic loss
      panel.draw(i, label_of(loss) + ", of two classes", true, [&](double m) {
        const double f[] = {m, 0};
        return loss.value(0, f);
      });
    else
      panel.draw(i, label_of(loss), i % 2 == 1, [&](double at) {
        const double f = target == LossTarget::real ? -at : at;
        return loss.value(target == LossTarget::real ? 0 : 1, {&f, 1});
      });
  }
  std::vector<Chart> panels;
  for (const Panel* panel : {&margins, &residuals, &counts})
    if (panel->losses > 0) panels.push_back(panel->chart);
  return Chart::side_by_side(panels);
}

}  // namespace mercer

// What an answer costs: a loss against the one number it depends on.
#include <fmt/format.h>

#include <algorithm>

#include "mercer/error.hpp"
#include "mercer/pictures.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

constexpr double reach = 3, top = 4;  // of the axes: what matters happens around 0
constexpr std::size_t steps = 601;    // odd, so that the kinks at whole numbers are met

std::vector<double> evenly() {
  std::vector<double> at;
  for (std::size_t i = 0; i < steps; ++i) at.push_back(-reach + 2 * reach * double(i) / double(steps - 1));
  return at;
}

std::string label_of(const Loss& loss) {
  std::string parameters;
  for (const LossParameter& parameter : loss.parameters())
    parameters +=
        fmt::format("{}{} = {:g}", parameters.empty() ? "" : ", ", parameter.name, loss.get(parameter.name));
  return parameters.empty() ? std::string(loss.name()) : fmt::format("{}, {}", loss.name(), parameters);
}

Chart panel(const char* title, const char* axis) {
  return Chart(title, {.label = axis, .low = -reach, .high = reach}, {.label = "loss", .low = 0, .high = top},
               460, 400);
}

template <class Value>
void draw(Chart& chart, std::size_t i, std::string label, bool dashed, const Value& value) {
  const std::vector<double> x = evenly();
  std::vector<double> y;
  for (const double at : x) y.push_back(value(at));
  Style style = series_style(i, std::move(label));
  style.width = 2;
  style.dashed = dashed;
  chart.line(x, y, style);
}

std::vector<const Loss*> of_kind(const std::vector<AnyLoss>& losses,
                                 std::initializer_list<LossTarget> kinds) {
  std::vector<const Loss*> chosen;
  for (const AnyLoss& loss : losses)
    if (std::ranges::find(kinds, loss->target()) != kinds.end()) chosen.push_back(&*loss);
  return chosen;
}

void add_margins(std::vector<Chart>& panels, const std::vector<const Loss*>& losses) {
  Chart chart = panel("Classes: the loss against the margin", "margin y·f");
  draw(chart, 7, "0-1 loss", true, [](double m) { return m < 0 ? 1.0 : m > 0 ? 0.0 : 0.5; });
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const Loss& loss = *losses[i];
    if (loss.target() == LossTarget::signs)
      draw(chart, i, label_of(loss), i % 2 == 1, [&](double m) { return loss.value(1, {&m, 1}); });
    else  // dashed, since it lies on the logistic loss
      draw(chart, i, label_of(loss) + ", of two classes", true, [&](double m) {
        const double f[] = {m, 0};
        return loss.value(0, f);
      });
  }
  panels.push_back(std::move(chart));
}

void add_residuals(std::vector<Chart>& panels, const std::vector<const Loss*>& losses) {
  Chart chart = panel("Numbers: the loss against the residual", "residual y − f");
  for (std::size_t i = 0; i < losses.size(); ++i)
    draw(chart, i, label_of(*losses[i]), i % 2 == 1, [&](double r) {
      const double f = -r;
      return losses[i]->value(0, {&f, 1});
    });
  panels.push_back(std::move(chart));
}

void add_counts(std::vector<Chart>& panels, const std::vector<const Loss*>& losses) {
  Chart chart = panel("Counts: the loss against the prediction", "prediction f");
  std::size_t drawn = 0;
  for (const Loss* loss : losses)
    for (const double y : {0.0, 1.0, 2.0})
      draw(chart, drawn++, fmt::format("{}, y = {}", label_of(*loss), y), y == 1, [&](double f) {
        return loss->value(y, {&f, 1});
      });
  panels.push_back(std::move(chart));
}

}  // namespace

std::string loss_picture(const std::vector<AnyLoss>& losses) {
  if (losses.empty())
    throw Error(ErrorCode::invalid_argument, "there is no loss to draw",
                {.hint = "name one", .hints = {{Remedy::list_names, "losses"}}});
  std::vector<Chart> panels;
  const auto margins = of_kind(losses, {LossTarget::signs, LossTarget::classes}),
             residuals = of_kind(losses, {LossTarget::real}), counts = of_kind(losses, {LossTarget::counts});
  if (!margins.empty()) add_margins(panels, margins);
  if (!residuals.empty()) add_residuals(panels, residuals);
  if (!counts.empty()) add_counts(panels, counts);
  return Chart::side_by_side(panels);
}

}  // namespace mercer

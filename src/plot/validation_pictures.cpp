// How the score of held-out rows depends on what is chosen: on the hyperparameters of a search, on the
// penalty of ridge regression, and on the number of training rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "mercer/error.hpp"
#include "mercer/pictures.hpp"
#include "plot/chart.hpp"

namespace mercer {

namespace {

// An axis of the search as it is drawn: its distinct values, ascending.
struct Values {
  std::size_t axis;
  std::string name;
  std::vector<double> sorted;

  std::size_t place(double value) const {
    return std::size_t(std::ranges::lower_bound(sorted, value) - sorted.begin());
  }
};

std::vector<Values> open_axes(const Search& search) {
  const Trial& best = search.trials[search.best];
  const std::vector<GridAxis>& axes = search.spaces[best.space].axes;
  std::vector<Values> open;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    Values one{a, axes[a].parameter, {}};
    for (const Trial& trial : search.trials)
      if (trial.space == best.space) one.sorted.push_back(trial.values[a]);
    std::ranges::sort(one.sorted);
    one.sorted.erase(std::unique(one.sorted.begin(), one.sorted.end()), one.sorted.end());
    if (one.sorted.size() > 1) open.push_back(std::move(one));
  }
  return open;
}

// The trials of the best's space that differ from it in the drawn axes alone; of several of one candidate
// that on the most rows.
std::vector<const Trial*> around_the_best(const Search& search, std::span<const Values> drawn) {
  const Trial& best = search.trials[search.best];
  std::map<std::vector<double>, const Trial*> found;
  for (const Trial& trial : search.trials) {
    if (trial.space != best.space || !std::isfinite(trial.score)) continue;
    std::vector<double> rest = trial.values;
    for (const Values& axis : drawn) rest[axis.axis] = best.values[axis.axis];
    if (rest != best.values) continue;
    const Trial*& place = found[trial.values];
    if (!place || trial.rows >= place->rows) place = &trial;
  }
  std::vector<const Trial*> trials;
  for (const auto& [values, trial] : found) trials.push_back(trial);
  return trials;
}

// "2⁻⁵" where all values are powers of 2 or 10 and the digits would be many, else the number.
std::vector<std::pair<double, std::string>> ticks_for(const Values& axis) {
  int base = 0;
  for (const int candidate : {2, 10}) {
    const auto whole = [&](double v) {
      return v > 0 && std::abs(std::log(v) / std::log(candidate) -
                               std::round(std::log(v) / std::log(candidate))) < 1e-9;
    };
    if (base == 0 && std::ranges::all_of(axis.sorted, whole) &&
        (axis.sorted.front() < 0.1 || axis.sorted.back() > 1000))
      base = candidate;
  }
  std::vector<std::pair<double, std::string>> ticks;
  for (std::size_t i = 0; i < axis.sorted.size(); ++i)
    ticks.emplace_back(
        double(i), base > 0 ? power_text(base, int(std::lround(std::log(axis.sorted[i]) / std::log(base))))
                            : label_text(axis.sorted[i]));
  return ticks;
}

// Digits enough to tell scores of one search apart.
std::string score_text(double score) {
  return std::abs(score) < 10 ? fmt::format("{:.3f}", score) : label_text(score);
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + std::ptrdiff_t(values.size() / 2));
  return values[values.size() / 2];
}

bool dark(const Colour& colour) {
  return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue < 140;
}

void add_notes(Chart& chart, const Search& search, std::span<const Values> drawn,
               const std::vector<const Trial*>& trials) {
  const Trial& best = search.trials[search.best];
  std::string words = fmt::format("best: {} {} at ", search.metric, score_text(best.score)), held;
  for (std::size_t a = 0; a < best.values.size(); ++a) {
    const std::string& name = search.spaces[best.space].axes[a].parameter;
    const bool open = std::ranges::any_of(drawn, [&](const Values& axis) { return axis.axis == a; });
    words += fmt::format("{}{} = {:g}", a ? ", " : "", name, best.values[a]);
    if (!open) held += fmt::format("{}{} = {:g}", held.empty() ? "" : ", ", name, best.values[a]);
  }
  chart.note(fmt::format("{} (± {:.2g})", words, best.error));
  if (!held.empty()) chart.note("held at the best: " + held);
  const auto fewer =
      std::ranges::count_if(trials, [&](const Trial* trial) { return trial->rows < best.rows; });
  if (search.cut_short) chart.note("the search was cut short: the best so far");
  if (fewer > 0)
    chart.note(fmt::format("{} of {} candidates were dropped early, on fewer rows", fewer, trials.size()));
}

// Most of a grid is usually far from good and would take all the colours: what is worse than twice the
// median's distance from the best has the last one.
std::string map_of_cells(const Search& search, std::span<const Values> drawn, const std::string& title) {
  const std::vector<const Trial*> trials = around_the_best(search, drawn);
  const Trial& best = search.trials[search.best];
  const Values &across = drawn[0], &up = drawn[1];
  const std::size_t columns = across.sorted.size(), rows = up.sorted.size();
  std::vector<double> scores(columns * rows, std::numeric_limits<double>::quiet_NaN()), known;
  for (const Trial* trial : trials) {
    scores[up.place(trial->values[up.axis]) * columns + across.place(trial->values[across.axis])] =
        trial->score;
    known.push_back(trial->score);
  }
  const double middle = median(known), room = 2 * std::abs(middle - best.score);
  const auto [lowest, highest] = std::ranges::minmax(known);
  const double low = std::max(lowest, best.score - room), high = std::min(highest, best.score + room);
  const ColourMap map(low, high);
  const auto axis = [](const Values& values) {
    return Axis{.label = values.name,
                .low = -0.5,
                .high = double(values.sorted.size()) - 0.5,
                .ticks = ticks_for(values)};
  };
  const double cell_width = std::clamp(480 / double(columns), 10.0, 80.0),
               cell_height = std::clamp(340 / double(rows), 10.0, 60.0);
  Chart chart(title, axis(across), axis(up), std::max(300.0, cell_width * double(columns) + 100),
              std::max(240.0, cell_height * double(rows) + 90));
  chart.heat(columns, rows, scores, map);
  chart.colour_bar(map, best.score < middle ? search.metric + ", lower is better" : search.metric);
  if (cell_width >= 40 && cell_height >= 16)
    for (std::size_t i = 0; i < scores.size(); ++i)
      if (std::isfinite(scores[i]))
        chart.text(double(i % columns), double(i / columns), score_text(scores[i]),
                   {.colour = dark(map.colour(map.step(scores[i]))) ? white : black}, Anchor::middle, false);
  const double x = double(across.place(best.values[across.axis])), y = double(up.place(best.values[up.axis]));
  const double ring_x[] = {x - 0.5, x + 0.5, x + 0.5, x - 0.5, x - 0.5},
               ring_y[] = {y - 0.5, y - 0.5, y + 0.5, y + 0.5, y - 0.5};
  chart.line(ring_x, ring_y, {.colour = white, .width = 5});
  chart.line(ring_x, ring_y, {.colour = 1, .label = "best", .width = 3});
  add_notes(chart, search, drawn, trials);
  if (low > lowest || high < highest)
    chart.note(fmt::format("scores beyond {} have the last colour", score_text(low > lowest ? low : high)));
  if (known.size() < scores.size())
    chart.note(
        fmt::format("{} of {} candidates have no score (gray)", scores.size() - known.size(), scores.size()));
  return chart.svg();
}

std::string line_of_scores(const Search& search, std::span<const Values> drawn, const std::string& title) {
  const std::vector<const Trial*> trials = around_the_best(search, drawn);  // ascending
  const Trial& best = search.trials[search.best];
  const Values& axis = drawn[0];
  std::vector<double> x, y, low, high;
  for (const Trial* trial : trials) {
    const double error = std::isfinite(trial->error) ? trial->error : 0;
    x.push_back(trial->values[axis.axis]), y.push_back(trial->score);
    low.push_back(trial->score - error), high.push_back(trial->score + error);
  }
  std::vector<double> ends = low;
  ends.insert(ends.end(), high.begin(), high.end());
  const bool logarithmic = axis.sorted.front() > 0 && axis.sorted.back() / axis.sorted.front() > 20;
  Chart chart(title, axis_over(axis.name, x, 0.04, logarithmic), axis_over(search.metric, ends, 0.06));
  chart.whiskers(x, low, high, 0);
  chart.line(x, y,
             {.colour = 0, .label = fmt::format("{}, ± its standard error", search.metric), .width = 2});
  chart.points(x, y, {.colour = 0});
  const double best_x[] = {best.values[axis.axis]}, best_y[] = {best.score};
  chart.points(best_x, best_y, {.colour = 1, .label = "best", .marker = Marker::ring, .size = 7});
  add_notes(chart, search, drawn, trials);
  return chart.svg();
}

void draw_scores(Chart& chart, std::span<const double> sizes, const std::vector<double>& means,
                 const std::vector<double>& errors, const Style& style) {
  chart.band_around(sizes, means, errors, {.colour = style.colour, .opacity = 0.18});
  chart.marked_line(sizes, means, style);
}

}  // namespace

std::string search_picture(const Search& search, const std::string& title) {
  if (search.trials.empty() || search.best >= search.trials.size())
    throw Error(ErrorCode::unsupported, "the search has no trials to draw");
  if (!std::isfinite(search.trials[search.best].score))
    throw Error(ErrorCode::invalid_data, "no candidate of the search has a score");
  const std::vector<Values> open = open_axes(search);
  if (open.empty())
    throw Error(ErrorCode::invalid_argument, "no axis of the search has several values",
                {.hints = {{Remedy::search_axes}}});
  if (open.size() == 1) return line_of_scores(search, open, title);
  return map_of_cells(search, std::span(open).first(2), title);
}

// Too small a penalty learns the noise, too large a one learns nothing.
std::string lambda_path_picture(const LambdaPath& path, const std::string& title) {
  if (path.lambda.empty() || path.best >= path.lambda.size())
    throw Error(ErrorCode::unsupported, "the path has no values of lambda to draw");
  std::vector<double> both = path.leave_one_out;
  both.insert(both.end(), path.generalised.begin(), path.generalised.end());
  const auto [smallest, largest] = std::ranges::minmax(both);
  const bool wide = smallest > 0 && largest > 8 * smallest;  // a tiny penalty would hide the valley
  const Axis lambda = axis_over("penalty λ", path.lambda, 0.02, true);
  Chart errors(title, lambda, axis_over("leave-one-out RMSE", both, 0.06, wide), 480, 400);
  errors.line(path.lambda, path.generalised,
              {.colour = 2, .label = "generalised cross-validation", .width = 1.5, .dashed = true});
  errors.line(path.lambda, path.leave_one_out, {.colour = 0, .label = "leave-one-out", .width = 2});
  const double at[] = {path.lambda[path.best]}, error[] = {path.leave_one_out[path.best]};
  errors.points(at, error, {.colour = 1, .label = "best", .marker = Marker::ring, .size = 6});
  errors.note(fmt::format("best: λ = {}, RMSE {}", label_text(at[0]), label_text(error[0])));
  Chart degrees("Degrees of freedom", lambda, axis_over("degrees of freedom", path.degrees_of_freedom), 480,
                400);
  degrees.line(path.lambda, path.degrees_of_freedom, {.colour = 0, .width = 2});
  const double freedom[] = {path.degrees_of_freedom[path.best]};
  degrees.points(at, freedom, {.colour = 1, .marker = Marker::ring, .size = 6});
  degrees.note(fmt::format("at the best λ: {}", label_text(freedom[0])));
  return Chart::side_by_side(std::vector{errors, degrees});
}

// Curves that have met gain nothing from more rows, curves apart do.
std::string learning_curve_picture(const LearningCurve& curve, const std::string& title) {
  const std::size_t count = curve.sizes.size();
  if (count == 0) throw Error(ErrorCode::unsupported, "the learning curve has no sizes to draw");
  for (const auto* scores :
       {&curve.training, &curve.training_error, &curve.validation, &curve.validation_error})
    if (scores->size() != count)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{} scores do not belong to {} sizes", scores->size(), count));
  const std::vector<double> sizes(curve.sizes.begin(), curve.sizes.end());
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i)
    for (const double sign : {-1.0, 1.0}) {
      all.push_back(curve.training[i] + sign * curve.training_error[i]);
      all.push_back(curve.validation[i] + sign * curve.validation_error[i]);
    }
  Chart chart(title, axis_over("training rows", sizes, 0.03, sizes.back() > 8 * sizes.front()),
              axis_over(curve.metric, all, 0.06));
  draw_scores(chart, sizes, curve.training, curve.training_error,
              {.colour = 1,
               .label = "training",
               .width = 2,
               .dashed = true,
               .marker = Marker::triangle,
               .size = 3.5});
  draw_scores(chart, sizes, curve.validation, curve.validation_error,
              {.colour = 0, .label = "validation", .width = 2, .size = 3.5});
  chart.note(fmt::format("{} rows: validation {} {:.4g}, training {:.4g}; shades are standard errors",
                         curve.sizes.back(), curve.metric, curve.validation.back(), curve.training.back()));
  return chart.svg();
}

}  // namespace mercer

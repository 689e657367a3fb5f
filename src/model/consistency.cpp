#include "model/consistency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "kernels/linear_form.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// More columns than this are evaluated when a prediction is asked for, not when the model is read.
constexpr std::size_t most_columns_tried = std::size_t(1) << 17;

void check_range(std::span<const double> values, double most, std::string_view field,
                 const RefuseField& refuse) {
  for (const double value : values)
    if (!(std::abs(value) <= most))
      refuse(field, std::isfinite(value)
                        ? fmt::format("holds {:g}; numbers beyond ±{:g} overflow in predictions", value, most)
                        : fmt::format("holds {:g}, a number that is not finite", value));
}

struct Checks {
  const Model& model;
  const RefuseField& refuse;
  const Fitted& fitted = model.fitted;
  const Expansion& e = fitted.expansion;
  std::size_t classes = model.labels.size();

  void expect(bool holds, std::string_view field, const std::string& what) const {
    if (!holds) refuse(field, what);
  }

  void expansion() const {
    const std::size_t rows = e.points.rows();
    expect(e.width >= 1, "width", "is 0; a model has an output at least");
    expect(e.coefficients.size() == rows * e.width, "coefficients",
           fmt::format("holds {} numbers; {} points of width {} have {}", e.coefficients.size(), rows,
                       e.width, rows * e.width));
    std::size_t left = rows;
    for (const std::size_t block : e.blocks) {
      expect(block <= left, "blocks", "does not add up to the rows of the points");
      left -= block;
    }
    expect(left == 0, "blocks", "does not add up to the rows of the points");
    const std::size_t cols = model.map ? model.map->features() : model.columns;
    expect(e.points.cols() == cols, "points",
           fmt::format("has {} columns; the model has {}", e.points.cols(), cols));
    if (model.map) {
      expect(model.map->columns() == model.columns, "map",
             fmt::format("is of {} columns; the model has {}", model.map->columns(), model.columns));
      expect(e.points.objects().empty(), "objects", "stands beside the features of a map, which are numbers");
    }
  }

  void rule() const {
    const bool outputs_are_classes = has_classes(fitted.rule);
    const auto fit_rule = [&](bool holds, std::string_view field) {
      expect(
          holds, field,
          fmt::format("does not fit the rule of the model with {} classes and width {}", classes, e.width));
    };
    fit_rule(outputs_are_classes ? classes >= (fitted.rule == Rule::one_vs_one ? 2u : 1u) : classes == 0,
             "labels");
    std::size_t rho = e.width;
    switch (fitted.rule) {
      case Rule::one_vs_one:
        fit_rule(e.blocks.size() == classes && e.width == classes - 1, "blocks");
        rho = classes * (classes - 1) / 2;
        break;
      case Rule::one_vs_rest:
      case Rule::softmax:
        fit_rule(e.blocks.size() == 1 && (e.width == classes || (classes == 2 && e.width == 1)), "blocks");
        break;
      case Rule::shares:
        fit_rule(e.blocks.size() == 1 && e.width == classes, "blocks");
        break;
      case Rule::novelty:
        fit_rule(e.width == 1, "width");
        [[fallthrough]];
      case Rule::value:
      case Rule::rate:
      case Rule::projection:
        fit_rule(e.blocks.size() == 1, "blocks");
    }
    fit_rule(fitted.rho.size() == rho, "levels");
  }

  void calibration() const {
    const auto fit_rule = [&](bool holds, std::string_view field) {
      expect(holds, field, "does not fit the rule of the model");
    };
    const bool pairs =
        fitted.rule == Rule::one_vs_one || (fitted.rule == Rule::one_vs_rest && classes == 2 && e.width == 1);
    fit_rule(fitted.slopes.empty() || (pairs && fitted.slopes.size() == fitted.rho.size()), "slopes");
    fit_rule(fitted.offsets.size() == fitted.slopes.size(), "offsets");
    fit_rule(!fitted.noise_scale || fitted.rule == Rule::value, "noise_scale");
    expect(fitted.noise_scale.value_or(0) >= 0, "noise_scale", "is below 0");
    fit_rule(fitted.density_marks.empty() || fitted.rule == Rule::novelty, "density_marks");
    expect(std::ranges::is_sorted(fitted.density_marks), "density_marks", "does not ascend");
    fit_rule(fitted.precision.empty() || fitted.rule == Rule::value || fitted.rule == Rule::shares,
             "precision");
    fit_rule(fitted.factor.empty() || fitted.rule == Rule::value, "factor");
  }

  void method() const {
    const Task task = model.method->traits().task;
    const bool fits =
        task == Task::either || (task == Task::classification && has_classes(fitted.rule)) ||
        (task == Task::regression && (fitted.rule == Rule::value || fitted.rule == Rule::rate)) ||
        (!supervised(task) && fitted.rule != Rule::rate);
    expect(fits, "rule", fmt::format("does not belong to the method {}", model.method->name()));
    check_range(fitted.state, std::numeric_limits<double>::max(), "method.state", refuse);
    const std::string fault = model.method->state_fault(fitted);
    expect(fault.empty(), "method.state", fault);
    if (fitted.rule != Rule::projection) return;
    const std::size_t means = fitted.centre.size(),
                      most = is_dot_product(e.kernel) ? e.points.cols() : e.points.rows();
    expect(means == 0 || means == most, "state",
           fmt::format("holds {} numbers; the mean of this model has {}", means, most));
  }

  void scaling() const {
    const std::size_t scales = model.scaling.scale().size(), shifts = model.scaling.shift().size();
    const bool scaled = model.scaling.kind() != Scaling::Kind::none;
    expect(scales == (scaled ? model.columns : 0), "scaling.scale",
           fmt::format("has {} numbers for {} columns", scales, model.columns));
    expect(shifts == 0 || (scaled && shifts == model.columns), "scaling.shift",
           fmt::format("has {} numbers for {} columns", shifts, model.columns));
  }

  // A table becomes as many columns as its schema says; of sets these are the columns of their members.
  void schema() const {
    if (model.schema.columns.empty()) return;
    std::size_t width = 0;
    for (const Schema::Column& column : model.schema.columns) {
      width += column.width();
      expect(std::isfinite(column.mean), "schema",
             fmt::format("has a mean of column '{}' that is not finite", column.name));
    }
    const Points& rows =
        model.map && model.map->state().landmarks.rows() > 0 ? model.map->state().landmarks : e.points;
    for (const Objects& objects : rows.objects())
      if (const Bags* bags = std::get_if<Bags>(&objects.storage()); bags && model.columns == 0) {
        expect(width == 0 || width == bags->columns, "schema",
               fmt::format("makes {} columns of a table, but the members of sets have {}", width,
                           bags->columns));
        return;
      }
    expect(width == model.columns, "schema",
           fmt::format("makes {} columns of a table, but the model has {}", width, model.columns));
  }

  // The points with the largest coefficient of each output, at most three.
  std::vector<std::size_t> telling_points() const {
    std::vector<std::size_t> rows;
    for (std::size_t c = 0; c < std::min<std::size_t>(3, e.width); ++c) {
      std::size_t largest = 0;
      for (std::size_t i = 0; i < e.points.rows(); ++i)
        if (std::abs(e.coefficients[i * e.width + c]) > std::abs(e.coefficients[largest * e.width + c]))
          largest = i;
      rows.push_back(largest);
    }
    return rows;
  }

  void evaluation() const {
    const bool tried = e.points.rows() > 0 && e.points.objects().empty() &&
                       e.points.cols() <= most_columns_tried && !e.kernel.uses_precomputed();
    if (!tried) return;
    const Points rows = e.points.select_rows(telling_points());
    std::vector<double> outputs(rows.rows() * e.outputs());
    model.method->evaluate(fitted, rows, outputs, 1, {});
    for (const double value : outputs)
      expect(std::abs(value) <= largest_number, "coefficients",
             fmt::format("gives, with the kernel, a prediction of {:g} at a point of the model; it must be "
                         "finite and at most {:g}",
                         value, largest_number));
  }
};

}  // namespace

void check_numbers(const Model& model, const RefuseField& refuse) {
  const Fitted& f = model.fitted;
  const double any = std::numeric_limits<double>::max();
  check_range(f.expansion.coefficients, largest_number, "coefficients", refuse);
  check_range({&f.expansion.self, 1}, largest_number, "self", refuse);
  check_range(f.expansion.trend, largest_number, "trend", refuse);
  check_range(f.rho, largest_number, "levels", refuse);
  for (const auto* state : {&f.centre, &f.kept.mean, &f.kept.weights, &f.kept.self})
    check_range(*state, largest_number, "state", refuse);
  check_range(f.slopes, any, "slopes", refuse);
  check_range(f.offsets, any, "offsets", refuse);
  check_range(f.density_marks, any, "density_marks", refuse);
  check_range(f.precision, any, "precision", refuse);
  check_range(f.factor, any, "factor", refuse);
  check_range(f.state, any, "method.state", refuse);
  if (f.noise_scale) check_range({&*f.noise_scale, 1}, any, "noise_scale", refuse);
  check_range(model.scaling.shift(), any, "scaling.shift", refuse);
  check_range(model.scaling.scale(), any, "scaling.scale", refuse);
}

void check_consistency(const Model& model, const RefuseField& refuse) {
  const Checks checks{model, refuse};
  checks.expansion();
  checks.rule();
  checks.calibration();
  checks.method();
  const std::set<std::string> distinct(model.labels.begin(), model.labels.end());
  checks.expect(distinct.size() == model.labels.size(), "labels", "names a class twice");
  checks.scaling();
  checks.schema();
  check_numbers(model, refuse);
  checks.evaluation();
}

}  // namespace mercer

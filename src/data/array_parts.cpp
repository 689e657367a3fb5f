#include "data/array_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "data/missing.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

std::size_t rows_of(const Parts& parts) noexcept {
  return std::visit([](const auto& storage) { return storage.rows; }, parts.storage);
}

void check_length(const NpyArray& array, const Parts& parts, std::size_t found) {
  if (found != rows_of(parts))
    array.refuse(
        fmt::format("there are {} values for {} rows; one for each row is needed", found, rows_of(parts)));
}

/// May a row be left out for want of this value? Nothing else can be done about it.
void check_missing(const NpyArray& array, const ReadOptions& options, std::size_t row, double value) {
  if (options.missing != Missing::drop && options.missing != Missing::automatic)
    array.refuse(fmt::format("row {} is {}", row + 1, value), "use a finite number",
                 {{Remedy::treat_missing, "drop"}});
}

/// A target of several columns.
void read_outputs(const NpyArray& array, const ReadOptions& options, Parts& parts) {
  if (options.task == Task::classification)
    array.refuse(fmt::format(
        "a target of {} columns is one of numbers, not of classes; give one column, or set the task to real",
        array.header().shape[1]));
  const Dense<double> numbers = array.matrix<double>();
  parts.labels = LabelColumn(numbers.rows, 1, options, numbers.cols);
  for (std::size_t i = 0; i < numbers.rows; ++i)
    for (std::size_t output = 0; output < numbers.cols; ++output) {
      if (std::isfinite(numbers.row(i)[output]))
        parts.labels.set_number(i, numbers.row(i)[output], output);
      else
        check_missing(array, options, i, numbers.row(i)[output]);
    }
}

}  // namespace

Points::Storage read_points(const NpyArray& array, const ReadOptions& options) {
  if (options.precision == Precision::float32) return array.matrix<float>();
  return array.matrix<double>();
}

void read_target(const NpyArray& array, const ReadOptions& options, std::string name, Parts& parts) {
  parts.has_target = true;
  parts.target_name = std::move(name);
  parts.labels = LabelColumn(rows_of(parts), 1, options);
  if (array.header().is_text()) {
    if (options.task == Task::regression) array.refuse("the target is text; a real target needs numbers");
    const std::vector<std::string> texts = array.texts();
    check_length(array, parts, texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) parts.labels.set_text(0, i, texts[i]);
    return;
  }
  if (const auto& shape = array.header().shape;
      shape.size() == 2 && shape[0] == rows_of(parts) && shape[1] > 1)
    return read_outputs(array, options, parts);
  const std::vector<double> numbers = array.numbers();
  check_length(array, parts, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i]))
      parts.labels.set_number(i, numbers[i]);
    else
      check_missing(array, options, i, numbers[i]);
  }
}

void read_weights(const NpyArray& array, const ReadOptions& options, Parts& parts) {
  parts.weights = array.numbers();
  check_length(array, parts, parts.weights.size());
  for (std::size_t i = 0; i < parts.weights.size(); ++i) {
    double& weight = parts.weights[i];
    if (weight < 0 && std::isfinite(weight))
      array.refuse(fmt::format("row {} is {}; weights are 0 or more", i + 1, weight));
    if (std::isfinite(weight)) continue;
    check_missing(array, options, i, weight);
    weight = std::numeric_limits<double>::quiet_NaN();
  }
}

Dataset assemble_arrays(Parts parts, const ReadOptions& options, const std::string& file) {
  check_finite(parts.storage, file, options.missing);
  return assemble(std::move(parts), options, file, [&](const char*, const std::string& what) {
    throw Error(ErrorCode::invalid_file, std::string(what), {.file = file});
  });
}

}  // namespace mercer

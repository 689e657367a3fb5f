#include "kernels/maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "mercer/spelling.hpp"
#include "mercer/error.hpp"

namespace mercer {

Dense<double> image_rows(const Points& points,
                         const std::function<std::vector<double>(std::span<const double>)>& map) {
  std::vector<double> row(points.cols());
  Dense<double> images{.rows = points.rows(), .cols = 0, .values = {}};
  for (std::size_t i = 0; i < points.rows(); ++i) {
    points.copy_row(i, row);
    const std::vector<double> image = map(row);
    if (i == 0) {
      images.cols = image.size();
      images.values = Buffer<double>(images.rows * images.cols);
    }
    if (image.size() != images.cols)
      throw Error(ErrorCode::invalid_kernel,
                  fmt::format("the map gives {} numbers for row {} but {} for row 1", image.size(), i + 1,
                              images.cols),
                  {.hint = "it must give the same number for all"});
    std::ranges::copy(image, images.values.data() + i * images.cols);
  }
  return images;
}

Points map_rows(const Points& points,
                const std::function<std::vector<double>(std::span<const double>)>& map) {
  return Points(image_rows(points, map));
}

namespace {

template <class T>
Dense<double> scale_columns(const Dense<T>& from, std::span<const double> by) {
  Dense<double> to{from.rows, from.cols, Buffer<double>(from.rows * from.cols)};
  for (std::size_t i = 0; i < from.rows; ++i)
    for (std::size_t k = 0; k < from.cols; ++k) to.values[i * from.cols + k] = by[k] * double(from.row(i)[k]);
  return to;
}

template <class T>
Sparse<double> scale_columns(const Sparse<T>& from, std::span<const double> by) {
  Sparse<double> to{from.rows, from.cols, Buffer<std::size_t>(from.starts.size()),
                    Buffer<std::int32_t>(from.indices.size()), Buffer<double>(from.values.size())};
  std::ranges::copy(from.starts, to.starts.begin());
  std::ranges::copy(from.indices, to.indices.begin());
  for (std::size_t e = 0; e < from.values.size(); ++e)
    to.values[e] = by[std::size_t(from.indices[e])] * double(from.values[e]);
  return to;
}

using Row = std::span<const double>;

double squared_norm(Row x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

std::vector<double> squares(Row x, double) {
  std::vector<double> image(x.begin(), x.end());
  for (double& value : image) value *= value;
  return image;
}

std::vector<double> powers(Row x, double degree) {
  std::vector<double> image;
  for (int p = 1; p <= int(degree); ++p)
    for (const double value : x) image.push_back(std::pow(value, p));
  return image;
}

std::vector<double> append_norm(Row x, double) {
  std::vector<double> image(x.begin(), x.end());
  image.push_back(squared_norm(x));
  return image;
}

std::vector<double> unit(Row x, double) {
  const double norm = std::sqrt(squared_norm(x));
  std::vector<double> image(x.begin(), x.end());
  if (norm > 0)
    for (double& value : image) value /= norm;
  return image;
}

// The same maps and functions, written down.
using Written = RowAlgebra::Id;
using Function = RowAlgebra::Function;
using RowOperation = RowAlgebra::Operation;

Written written_squares(RowAlgebra& algebra, Written x, double) {
  return algebra.apply(RowOperation::multiply, x, x);
}

Written written_norm2(RowAlgebra& algebra, Written x) { return algebra.sum(written_squares(algebra, x, 0)); }

Written written_norm(RowAlgebra& algebra, Written x, double) {
  return algebra.apply(Function::sqrt, written_norm2(algebra, x));
}

/// 1/‖x‖, of the zero vector `otherwise`.
Written written_inverse_norm(RowAlgebra& algebra, Written x, double otherwise) {
  const Written norm = written_norm(algebra, x, 0), zero = algebra.apply(Function::is_zero, norm);
  const Written inverse =
      algebra.apply(RowOperation::divide, algebra.number(1), algebra.apply(RowOperation::add, norm, zero));
  return algebra.apply(RowOperation::subtract, inverse,
                       algebra.apply(RowOperation::multiply, zero, algebra.number(1 - otherwise)));
}

Written written_powers(RowAlgebra& algebra, Written x, double degree) {
  std::vector<Written> parts{x};
  while (int(parts.size()) < int(degree))
    parts.push_back(algebra.apply(RowOperation::multiply, parts.back(), x));
  return algebra.join(parts);
}

Written written_append_norm(RowAlgebra& algebra, Written x, double) {
  const Written parts[] = {x, written_norm2(algebra, x)};
  return algebra.join(parts);
}

Written written_unit(RowAlgebra& algebra, Written x, double) {
  return algebra.apply(RowOperation::multiply, x, written_inverse_norm(algebra, x, 1));
}

Written written_exp_norm(RowAlgebra& algebra, Written x, double sigma) {
  const double by[] = {-1 / (2 * sigma * sigma)};
  return algebra.apply(Function::exp, algebra.scale(written_norm2(algebra, x), by));
}

}  // namespace

Points with_scaled_columns(const Points& points, std::span<const double> by) {
  return std::visit([&](const auto& held) { return Points(scale_columns(held, by), points.names()); },
                    points.storage());
}

const std::vector<PointMapInfo>& point_maps() {
  static const std::vector<PointMapInfo> maps{
      {"squares", "(x₁², …, x_d²)", "", 0, false, squares, written_squares},
      {"powers", "(x, x², …, x^degree), coordinate by coordinate", "degree", 3, true, powers, written_powers},
      {"append_norm", "(x₁, …, x_d, ‖x‖²)", "", 0, false, append_norm, written_append_norm},
      {"unit", "x / ‖x‖", "", 0, false, unit, written_unit},
  };
  return maps;
}

const std::vector<PointMapInfo>& point_functions() {
  static const std::vector<PointMapInfo> functions{
      {"norm", "‖x‖", "", 0, false, [](Row x, double) { return std::vector{std::sqrt(squared_norm(x))}; },
       written_norm},
      {"inverse_norm", "1/‖x‖, 0 for the zero vector", "", 0, false,
       [](Row x, double) {
         const double norm = std::sqrt(squared_norm(x));
         return std::vector{norm > 0 ? 1 / norm : 0};
       },
       written_inverse_norm},
      {"exp_norm", "exp(−‖x‖²/(2·sigma²))", "sigma", 1, false,
       [](Row x, double sigma) { return std::vector{std::exp(-squared_norm(x) / (2 * sigma * sigma))}; },
       written_exp_norm},
  };
  return functions;
}

std::string Choice::text() const {
  const std::string by = "by=" + to_text(Argument(Word{name}));
  if (!info || info->parameter.empty()) return by;
  return fmt::format("{}, {}={}", by, info->parameter, to_text(parameter));
}

Choice choose(const std::vector<PointMapInfo>& known, const Combinator::Arguments& arguments) {
  Choice choice;
  for (const auto& [name, argument] : arguments) {
    if (name != "by") continue;
    if (const double* column = std::get_if<double>(&argument))
      choice.name = to_text(*column);
    else if (const Word* word = std::get_if<Word>(&argument))
      choice.name = word->text;
    else
      throw Error(ErrorCode::invalid_parameter, "by must be a name, not a list");
  }
  const auto found = std::ranges::find(known, choice.name, &PointMapInfo::name);
  if (found != known.end()) {
    choice.info = &*found;
    choice.parameter = found->default_value;
  }
  for (const auto& [name, argument] : arguments) {
    if (name == "by") continue;
    if (!choice.info || name != choice.info->parameter)
      throw Error(ErrorCode::invalid_kernel, fmt::format("by={} takes no parameter {}", choice.name, name));
    const double* number = std::get_if<double>(&argument);
    const bool fits =
        number && (choice.info->integer ? *number >= 1 && *number <= 1000 && *number == std::floor(*number)
                                        : *number > 0 && std::isfinite(*number));
    if (!fits)
      throw Error(
          ErrorCode::invalid_parameter,
          fmt::format("{} must be {}, not {}", name,
                      choice.info->integer ? "a whole number from 1 to 1000" : "> 0", to_text(argument)));
    choice.parameter = *number;
  }
  return choice;
}

Choice choose(const std::vector<PointMapInfo>& known, const std::string& name) {
  return choose(known, Combinator::Arguments{{"by", Word{name}}});
}

std::vector<std::size_t> find_columns(const Points& points, std::span<const std::string> columns) {
  std::vector<std::size_t> found;
  for (const std::string& column : columns) {
    const auto named = std::ranges::find(points.names(), column);
    if (named != points.names().end()) {
      found.push_back(std::size_t(named - points.names().begin()));
      continue;
    }
    const std::size_t before = found.size();  // a column of categories became one for each of them
    for (std::size_t j = 0; j < points.names().size(); ++j)
      if (points.names()[j].starts_with(column + "=")) found.push_back(j);
    if (found.size() > before) continue;
    std::size_t number = 0;
    const std::size_t letter = points.names().empty() && column.starts_with('x');  // x3
    const auto [end, error] = std::from_chars(column.data() + letter, column.data() + column.size(), number);
    if (error == std::errc{} && end == column.data() + column.size() && number >= 1 &&
        number <= points.cols()) {
      found.push_back(number - 1);
      continue;
    }
    std::vector<std::string> known = points.names();
    for (const Objects& objects : points.objects()) known.push_back(objects.name());
    const std::string near = nearest_word(column, known);
    throw Error(ErrorCode::invalid_kernel, fmt::format("no column '{}' in the data", column),
                {.hint = !near.empty() ? fmt::format("did you mean '{}'?", near)
                         : points.names().empty()
                             ? fmt::format("columns have no names: they are x1 to x{}", points.cols())
                             : fmt::format("columns are named, or numbered from 1 to {}", points.cols())});
  }
  return found;
}

Points columns_named(const Points& points, std::span<const std::string> columns) {
  std::vector<std::string> numbers;
  std::vector<Objects> objects;
  for (const std::string& column : columns) {
    const auto found = std::ranges::find(points.objects(), column, &Objects::name);
    if (found != points.objects().end())
      objects.push_back(*found);
    else
      numbers.push_back(column);
  }
  return points.select_columns(find_columns(points, numbers)).with_objects(std::move(objects));
}

}  // namespace mercer

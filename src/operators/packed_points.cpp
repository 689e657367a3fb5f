#include "operators/packed_points.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "operators/simd/evaluate.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

template <class T>
void refuse_entry(const std::string& kernel, EntryPlace place, double value, const OverflowFlag& noted) {
  if (noted) {
    *noted = true;
    return;
  }
  const bool undefined = std::isnan(value), single = sizeof(T) == 4;
  throw Error(ErrorCode::not_finite,
              fmt::format("{} of row {} and {}row {} is {} in {}", kernel, place.row + 1,
                          place.symmetric ? "" : "reference ", place.column + 1,
                          undefined ? "not a number" : "too large", single ? "float32" : "float64"),
              {.hint = undefined ? "a part of it is undefined there"
                       : single  ? "scale the data, shrink the kernel's factors or use float64"
                                 : "scale the data or shrink the kernel's factors"});
}
template void refuse_entry<float>(const std::string&, EntryPlace, double, const OverflowFlag&);
template void refuse_entry<double>(const std::string&, EntryPlace, double, const OverflowFlag&);

bool check_domain(const Points& points, const std::string& needs_non_negative, Precision precision,
                  std::span<const std::size_t> ids, const OverflowFlag& noted) {
  const double largest = precision == Precision::float32 ? std::numeric_limits<float>::max()
                                                         : std::numeric_limits<double>::max();
  const double smallest = needs_non_negative.empty() ? -largest : 0;
  const auto wrong = [&](double v) { return !(v >= smallest && v <= largest); };
  const auto refuse = [&](std::size_t row, std::size_t column, double v) {
    if (noted && std::isfinite(v) && std::abs(v) > largest) {
      *noted = true;
      return;
    }
    const std::string where =
        fmt::format("row {}, {}", (ids.empty() ? row : ids[row]) + 1, points.name(column));
    if (!std::isfinite(v))
      throw Error(ErrorCode::not_finite, fmt::format("{} is {}", where, v),
                  {.hint = "points must be finite numbers"});
    if (std::abs(v) > largest)
      throw Error(ErrorCode::not_finite, fmt::format("{} is {}, too large for float32", where, v),
                  {.hint = "scale the data or use float64"});
    throw Error(ErrorCode::invalid_data,
                fmt::format("{} is {}, but {} is defined for values ≥ 0 only", where, v, needs_non_negative),
                {.hint = "scale the data with minmax or choose another kernel"});
  };
  return std::visit(
      [&](const auto& storage) {
        for (std::size_t e = 0; e < storage.values.size(); ++e) {
          const double v = double(storage.values[e]);
          if (!wrong(v)) continue;
          if constexpr (requires { storage.indices; }) {
            std::size_t row = 0;
            while (storage.starts[row + 1] <= e) ++row;
            refuse(row, std::size_t(storage.indices[e]), v);
          } else {
            refuse(e / storage.cols, e % storage.cols, v);
          }
          return false;
        }
        return true;
      },
      points.storage());
}

std::vector<double> evaluate_points(const Formula& formula, std::span<const std::vector<double>> values,
                                    std::size_t n) {
  std::vector<const double*> columns;
  for (const auto& value : values) columns.push_back(value.data());
  std::vector<double> out(n);
  const simd::Bytecode<double> bytecode(formula);
  Buffer<double> registers(simd::block * std::size_t(bytecode.registers + 3));
  simd::evaluate(simd::functions(), bytecode, {.column_values = columns.data(), .out = out.data(), .n = n},
                 registers.data());
  return out;
}

namespace {

/// The numbers of a row that are stored: all others are 0.
std::vector<double> stored_numbers(const Points& points, std::size_t i) {
  return std::visit(
      [&](const auto& storage) -> std::vector<double> {
        if constexpr (requires { storage.indices; })
          return {storage.values.data() + storage.starts[i], storage.values.data() + storage.starts[i + 1]};
        else
          return {storage.row(i), storage.row(i) + storage.cols};
      },
      points.storage());
}

}  // namespace

template <class T>
PackedPoints<T>::PackedPoints(const CompiledKernel& program, std::span<const Layout> layouts,
                              std::vector<Points> seen, const PackedPoints* reference, int threads,
                              std::span<const std::size_t> ids, const OverflowFlag& noted)
    : rows(seen.front().rows()),
      views(std::move(seen)),
      plain(views.size()),
      centred(views.size()),
      is_reference(!reference || &views.front().storage() == &reference->views.front().storage()),
      ids_(ids.begin(), ids.end()) {
  using Kind = CompiledKernel::Statistic::Kind;
  for (std::size_t v = 0; v < views.size(); ++v)
    if (!check_domain(views[v], program.views[v].non_negative ? program.views[v].needed_by : "",
                      sizeof(T) == 4 ? Precision::float32 : Precision::float64, ids, noted))
      return;
  for (const auto& statistic : program.statistics) {
    const auto v = std::size_t(statistic.view);
    if (statistic.check_reference && is_reference) statistic.check_reference(views[v]);
    has_tiles_ = has_tiles_ || statistic.kind == Kind::tile;
    if (statistic.kind == Kind::tile) continue;
    const bool moved = statistic.kind == Kind::centred_dot && !layouts[v].centre.empty();
    PackedMatrix<T>& operand = moved ? centred[v] : plain[v];
    if (operand.rows == 0) operand = PackedMatrix<T>(views[v], layouts[v], moved, threads);
    operand.direct = layouts[v].direct;
    if (statistic.kind == Kind::centred_dot && !moved) centred[v] = plain[v];  // shares the numbers
  }
  for (const auto& value : program.values) add_value(program, value, reference);
}

template <class T>
void PackedPoints<T>::add_value(const CompiledKernel& program, const CompiledKernel::Value& value,
                                const PackedPoints* reference) {
  using Kind = CompiledKernel::Value::Kind;
  const PackedPoints& base = reference ? *reference : *this;
  const Points& view = views[std::size_t(value.view)];
  std::vector<double> numbers;
  switch (value.kind) {
    case Kind::self:
      numbers = self_values(program.statistics[std::size_t(value.statistic)]);
      break;
    case Kind::function:
      numbers = value.function.apply(view);
      break;
    case Kind::formula:
      numbers = evaluate_points(value.formula, values, rows);
      break;
    case Kind::mean: {
      const Points& others = base.views[std::size_t(value.view)];
      const std::vector<double> weights(others.rows(), 1 / double(others.rows()));
      numbers.resize(rows);
      KernelOperator<double>(value.inner.front(), view, others).multiply(weights, 1, numbers);
      break;
    }
    case Kind::all_mean: {
      const auto& means = base.values[std::size_t(value.statistic)];
      numbers.assign(rows, std::accumulate(means.begin(), means.end(), 0.0) / double(means.size()));
      break;
    }
  }
  rounded.emplace_back(numbers.begin(), numbers.end());
  values.push_back(std::move(numbers));
}

template <class T>
std::vector<double> PackedPoints<T>::self_values(const CompiledKernel::Statistic& statistic) const {
  using Kind = CompiledKernel::Statistic::Kind;
  const auto v = std::size_t(statistic.view);
  std::vector<double> numbers(rows);
  if (statistic.check_reference && !is_reference)
    return std::vector<double>(rows, std::numeric_limits<double>::quiet_NaN());
  if (statistic.kind == Kind::tile) {
    for (std::size_t i = 0; i < rows; ++i)
      statistic.tile(views[v], {i, i + 1}, views[v], {i, i + 1}, &numbers[i]);
    return numbers;
  }
  if (statistic.kind != Kind::coordinate_sum) {
    const PackedMatrix<T>& operand = statistic.kind == Kind::centred_dot ? centred[v] : plain[v];
    for (std::size_t i = 0; i < rows; ++i) numbers[i] = squared_norm(operand, i);
    return numbers;
  }
  const std::vector<std::vector<double>> zero{{0}, {0}};
  const double zero_term = evaluate_points(statistic.coordinate_pairs, zero, 1)[0];
  for (std::size_t i = 0; i < rows; ++i) {  // x with itself, coordinate by coordinate
    const std::vector<double> x = stored_numbers(views[v], i);
    const std::vector<std::vector<double>> both{x, x};
    const std::vector<double> terms = evaluate_points(statistic.coordinate_pairs, both, x.size());
    numbers[i] =
        std::accumulate(terms.begin(), terms.end(), 0.0) + zero_term * double(views[v].cols() - x.size());
  }
  return numbers;
}

template <class T>
PackedPoints<T> PackedPoints<T>::gather(std::span<const std::size_t> chosen) const {
  PackedPoints result;
  result.rows = chosen.size();
  result.is_reference = is_reference;
  for (const std::size_t i : chosen) result.ids_.push_back(row_id(i));
  result.has_tiles_ = has_tiles_;
  if (has_tiles_)
    for (const Points& view : views) result.views.push_back(view.select_rows(chosen));
  for (const auto& operand : plain)
    result.plain.push_back(operand.rows ? operand.gather(chosen) : PackedMatrix<T>());
  for (std::size_t v = 0; v < centred.size(); ++v)
    result.centred.push_back(!centred[v].rows                     ? PackedMatrix<T>()
                             : same_numbers(centred[v], plain[v]) ? result.plain[v]
                                                                  : centred[v].gather(chosen));
  const auto pick = [&](const auto& all, auto& picked) {
    for (const auto& one : all) {
      auto& target = picked.emplace_back();
      for (const std::size_t i : chosen) target.push_back(one[i]);
    }
  };
  pick(values, result.values);
  pick(rounded, result.rounded);
  return result;
}

template struct PackedPoints<float>;
template struct PackedPoints<double>;

}  // namespace mercer

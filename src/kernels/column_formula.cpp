#include "kernels/column_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/maps.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

ColumnFormulas ColumnFormulas::parse(std::string_view text) {
  ColumnFormulas formulas;
  formulas.formulas_ = Arithmetic::parse_list(text, formulas.columns_);
  return formulas;
}

ColumnFormulas ColumnFormulas::column(const std::string& name) { return parse("[" + word_text(name) + "]"); }

std::string ColumnFormulas::text() const { return "[" + list_text(formulas_, &Arithmetic::text) + "]"; }

std::vector<std::size_t> ColumnFormulas::places(const Points& points) const {
  std::vector<std::size_t> places;
  for (const std::string& column : columns_) {
    const auto object = std::ranges::find(points.objects(), column, &Objects::name);
    if (object != points.objects().end())
      throw Error(ErrorCode::invalid_kernel, fmt::format("column '{}' holds objects", column),
                  {.hint = "formulas are over columns of numbers"});
    const std::vector<std::size_t> found = find_columns(points, std::span(&column, 1));
    if (found.size() != 1)
      throw Error(ErrorCode::invalid_kernel, fmt::format("column '{}' holds categories", column),
                  {.hint = fmt::format("name one of them, such as \"{}\"", points.name(found.front()))});
    places.push_back(found.front());
  }
  return places;
}

namespace {

RowAlgebra::Id written(RowAlgebra& algebra, Arithmetic::Operation operation, RowAlgebra::Id a) {
  using From = Arithmetic::Operation;
  using To = RowAlgebra::Function;
  constexpr std::pair<From, To> functions[] = {
      {From::negate, To::negate}, {From::abs, To::abs}, {From::cos, To::cos},   {From::exp, To::exp},
      {From::log, To::log},       {From::sin, To::sin}, {From::sqrt, To::sqrt}, {From::tanh, To::tanh}};
  return algebra.apply(std::ranges::find(functions, operation, &std::pair<From, To>::first)->second, a);
}

RowAlgebra::Id written(RowAlgebra& algebra, Arithmetic::Operation operation, RowAlgebra::Id a,
                       RowAlgebra::Id b) {
  using From = Arithmetic::Operation;
  using To = RowAlgebra::Operation;
  constexpr std::pair<From, To> operations[] = {
      {From::add, To::add},       {From::subtract, To::subtract}, {From::multiply, To::multiply},
      {From::divide, To::divide}, {From::power, To::power},       {From::max, To::max},
      {From::min, To::min}};
  return algebra.apply(std::ranges::find(operations, operation, &std::pair<From, To>::first)->second, a, b);
}

}  // namespace

RowAlgebra::Id ColumnFormulas::write(RowAlgebra& algebra, RowAlgebra::Id x, const Points& like) const {
  const std::vector<std::size_t> columns = places(like);
  std::vector<RowAlgebra::Id> results;
  for (const Arithmetic& formula : formulas_)
    results.push_back(formula.run<RowAlgebra::Id>(
        [&](const Arithmetic::Step& step) {
          return step.operation == Arithmetic::Operation::variable
                     ? algebra.columns(x, std::span(&columns[step.variable], 1))
                     : algebra.number(step.number);
        },
        [&](Arithmetic::Operation operation, RowAlgebra::Id& a) { a = written(algebra, operation, a); },
        [&](Arithmetic::Operation operation, RowAlgebra::Id& a, RowAlgebra::Id b) {
          a = written(algebra, operation, a, b);
        }));
  return algebra.join(results);
}

std::vector<double> ColumnFormulas::values(const Points& points) const {
  const std::vector<std::size_t> places = this->places(points);
  constexpr std::size_t block = 256;
  using Block = std::array<double, block>;
  using Operation = Arithmetic::Operation;
  std::vector<Block> columns(places.size());
  std::vector<double> out(points.rows() * size());
  for (std::size_t begin = 0; begin < points.rows(); begin += block) {
    const std::size_t rows = std::min(block, points.rows() - begin);
    std::visit(
        [&](const auto& held) {
          for (std::size_t c = 0; c < places.size(); ++c)
            for (std::size_t i = 0; i < rows; ++i) columns[c][i] = double(held.at(begin + i, places[c]));
        },
        points.storage());
    for (std::size_t f = 0; f < size(); ++f) {
      const Block result = formulas_[f].run<Block>(
          [&](const Arithmetic::Step& step) {
            if (step.operation == Operation::variable) return columns[step.variable];
            Block same;
            same.fill(step.number);
            return same;
          },
          [&](Operation operation, Block& a) {
            for (std::size_t i = 0; i < rows; ++i) a[i] = applied(operation, a[i]);
          },
          [&](Operation operation, Block& a, const Block& b) {
            for (std::size_t i = 0; i < rows; ++i) a[i] = applied(operation, a[i], b[i]);
          });
      for (std::size_t i = 0; i < rows; ++i) out[(begin + i) * size() + f] = result[i];
    }
  }
  return out;
}

Points ColumnFormulas::apply(const Points& points) const {
  const std::vector<double> numbers = values(points);
  Dense<double> images{points.rows(), size(), Buffer<double>(numbers.size())};
  std::ranges::copy(numbers, images.values.begin());
  std::vector<std::string> names;
  for (const Arithmetic& formula : formulas_) names.push_back(formula.text);
  return Points(std::move(images), std::move(names));
}

}  // namespace mercer

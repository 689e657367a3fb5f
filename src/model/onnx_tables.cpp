#include "model/onnx_tables.hpp"

#include <algorithm>

namespace mercer::onnx {

RowAlgebra::Id Tables::put(Table table) {
  all_.push_back(std::move(table));
  return Id(all_.size()) - 1;
}

Table Tables::whole(Id table) const {
  const Table& t = (*this)[table];
  return t.has_rows ? t : Table{spread(g_, t.name, all_.front().name, t.width), t.width};
}

RowAlgebra::Id Tables::number(double value) { return put({g_.numbers({1, 1}, {&value, 1}), 1, false}); }

RowAlgebra::Id Tables::columns(Id table, std::span<const std::size_t> chosen) {
  const std::vector<std::int64_t> indices(chosen.begin(), chosen.end());
  const Table t = (*this)[table];
  return put({gather(g_, t.name, g_.integers(indices), 1), chosen.size(), t.has_rows});
}

RowAlgebra::Id Tables::join(std::span<const Id> tables) {
  Table joined{"", 0, std::ranges::any_of(tables, [&](Id t) { return (*this)[t].has_rows; })};
  std::vector<Name> parts;
  for (const Id t : tables) {
    parts.push_back(joined.has_rows ? whole(t).name : (*this)[t].name);
    joined.width += width(t);
  }
  joined.name = concat(g_, parts);
  return put(std::move(joined));
}

RowAlgebra::Id Tables::sum(Id table) {
  const Table t = (*this)[table];
  return put({onnx::sum(g_, t.name), 1, t.has_rows});
}

RowAlgebra::Id Tables::scale(Id table, std::span<const double> by) {
  const Table t = (*this)[table];
  return put({onnx::multiply(g_, t.name, g_.numbers({1, std::int64_t(by.size())}, by)), t.width, t.has_rows});
}

RowAlgebra::Id Tables::multiply(Id table, const std::vector<std::vector<double>>& rows) {
  const Table t = (*this)[table];
  std::vector<double> matrix;  // columns × rows
  for (std::size_t j = 0; j < t.width; ++j)
    for (const auto& row : rows) matrix.push_back(row[j]);
  return put({product(g_, t.name, g_.numbers({std::int64_t(t.width), std::int64_t(rows.size())}, matrix)),
              rows.size(), t.has_rows});
}

RowAlgebra::Id Tables::apply(Function function, Id table) {
  const Table t = (*this)[table];
  const auto node = [&](const char* type) { return put({g_.node(type, {t.name}), t.width, t.has_rows}); };
  switch (function) {
    case Function::negate:
      return node("Neg");
    case Function::abs:
      return node("Abs");
    case Function::cos:
      return node("Cos");
    case Function::exp:
      return node("Exp");
    case Function::log:
      return node("Log");
    case Function::round:
      return node("Round");
    case Function::sin:
      return node("Sin");
    case Function::sqrt:
      return node("Sqrt");
    case Function::tanh:
      return node("Tanh");
    case Function::is_zero:
      break;
  }
  return put({cast(g_, g_.node("Equal", {t.name, g_.number(0)}), Element::float64), t.width, t.has_rows});
}

RowAlgebra::Id Tables::apply(Operation operation, Id a, Id b) {
  constexpr const char* types[] = {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min"};
  const Table left = (*this)[a], right = (*this)[b];
  return put({g_.node(types[std::size_t(operation)], {left.name, right.name}),
              std::max(left.width, right.width), left.has_rows || right.has_rows});
}

Name row_count(Graph& g, const Name& x) { return gather(g, g.node("Shape", {x}), g.integers({0}), 0); }

Name spread(Graph& g, const Name& a, const Name& x, std::size_t width) {
  return g.node("Expand", {a, concat(g, {row_count(g, x), g.integers({std::int64_t(width)})}, 0)});
}

Name points(Graph& g, const Points& points) {
  const Points dense = points.to_dense().with_precision(Precision::float64);
  const auto& held = std::get<Dense<double>>(dense.storage());
  return g.numbers({std::int64_t(held.rows), std::int64_t(held.cols)}, held.values);
}

}  // namespace mercer::onnx

// Tables of the graph, one row for each row of the data: maps of rows (mercer/row_algebra.hpp) become nodes.
#pragma once

#include "mercer/points.hpp"
#include "mercer/row_algebra.hpp"
#include "model/onnx_graph.hpp"

namespace mercer::onnx {

struct Table {
  Name name;  // rows × width
  std::size_t width = 1;
  bool has_rows = true;  // else 1 × width: the same in every row
};

class Tables final : public RowAlgebra {
 public:
  /// `x`: table 0.
  Tables(Graph& g, Table x) : g_(g), all_{std::move(x)} {}
  std::size_t width(Id table) const override { return (*this)[table].width; }
  Id number(double value) override;
  Id columns(Id table, std::span<const std::size_t> chosen) override;
  Id join(std::span<const Id> tables) override;
  Id sum(Id table) override;
  Id scale(Id table, std::span<const double> by) override;
  Id multiply(Id table, const std::vector<std::vector<double>>& rows) override;
  Id apply(Function function, Id table) override;
  Id apply(Operation operation, Id a, Id b) override;

  const Table& operator[](Id table) const { return all_[std::size_t(table)]; }
  /// The table with all its rows.
  Table whole(Id table) const;

 private:
  Id put(Table table);
  Graph& g_;
  std::vector<Table> all_;
};

/// [rows of x], a list of one whole number.
Name row_count(Graph& g, const Name& x);
/// rows of x × width, from a tensor that lacks the rows or columns.
Name spread(Graph& g, const Name& a, const Name& x, std::size_t width);
/// The points as a constant, rows × columns; float64.
Name points(Graph& g, const Points& points);

}  // namespace mercer::onnx

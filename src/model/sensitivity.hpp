// What the columns of the data do to a score at a row. The model is asked again about rows that differ in one
// column: a number moved up and down by a little (the central difference is then the slope), a category
// replaced by each other one.
#pragma once

#include "mercer/explain.hpp"
#include "model/question.hpp"
#include "model/source_columns.hpp"

namespace mercer {

class Sensitivity {
 public:
  /// `points` say how the columns move.
  Sensitivity(const Model& model, const Points& points, int threads);

  /// Whether there is such a thing: a kernel of row numbers has no columns.
  bool defined() const noexcept { return defined_; }
  const std::vector<SourceColumn>& columns() const noexcept { return columns_; }
  /// Of each question about the row, the effect of each column probed, in the order of the columns.
  std::vector<std::vector<ColumnEffect>> effects(std::size_t row, std::span<const Question> questions) const;
  /// How many rows the model is asked about for one, on average.
  std::size_t probes_per_row() const noexcept;

 private:
  struct Probe {
    enum class Kind { value, category, zero } kind;  // zero: the column is taken out, of linear kernels
    std::size_t column;                              // of columns_
    std::size_t category = 0;                        // put in
    double value = 0;
  };
  std::vector<Probe> probes(std::span<const double> x) const;
  void apply(const Probe& probe, std::span<double> x) const;
  Points probe_rows(std::span<const double> x, std::span<const Probe> probes, Range range) const;
  std::vector<double> scores(std::size_t row, std::span<const double> x, std::span<const Probe> probes) const;
  ColumnEffect number_effect(std::size_t column, std::span<const Probe> probes, std::span<const double> f,
                             double now) const;
  ColumnEffect category_effect(std::size_t column, std::span<const Probe> probes, std::span<const double> f,
                               double now) const;

  const Model& model_;
  const Points& points_;
  int threads_;
  std::vector<SourceColumn> columns_;
  std::vector<double> means_, deviations_;  // of the points' columns
  bool defined_, linear_, non_negative_;
};

}  // namespace mercer

// What the columns of the data do to a score at a row. The model is asked again about rows that differ in one
// column: a number moved up and down by a little (the central difference is then the slope), a category
// replaced by each other one.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mercer/explain.hpp"
#include "mercer/model.hpp"

namespace mercer {

/// A column of the table that a model's points were made from: a number, or a category in several 0/1
/// columns.
struct SourceColumn {
  std::string name;
  std::size_t begin = 0;                     ///< its first column among the points
  std::vector<std::string> categories = {};  ///< one column each; empty: a number
  bool dates = false;                        ///< numbers that are days since 1970-01-01
  std::size_t count() const noexcept { return categories.empty() ? 1 : categories.size(); }
};

std::vector<SourceColumn> source_columns(const Model& model);

/// The number, the date or the category of a row that is not scaled.
std::string value_text(const SourceColumn& column, std::span<const double> row);

/// A row as it was before scaling.
std::vector<double> unscaled(const Scaling& scaling, std::vector<double> row);

/// Which of a model's scores an explanation is about: a score, or the difference of two (mercer/explain.hpp).
struct Question {
  std::string subject, against;
  std::vector<std::pair<std::size_t, double>> scores;  ///< f = Σ factor · (output − ρ)
  double sign = 1;                                     ///< of Predictions::scores, beside output − ρ

  double score(const double* row_scores) const;  ///< f, from a row of Predictions::scores
  double constant(const Model& model) const;     ///< −Σ factor · ρ
  /// The factors of the expansion's outputs: f = Σ factor · output + constant.
  std::vector<double> outputs(const Model& model) const;
};

/// What the scores of a model without classes are called: "inside", "coordinate 1", "log count", "height".
std::vector<std::string> score_names(const Model& model);

/// About a row of the predictions: one, or of several outputs one each.
std::vector<Question> questions(const Model& model, const Predictions& predictions, std::size_t row);

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
  /// `f`: at the probes of the column; `now`: at the row.
  ColumnEffect effect(std::size_t column, std::span<const Probe> probes, std::span<const double> f,
                      double now) const;

  const Model& model_;
  const Points& points_;
  int threads_;
  std::vector<SourceColumn> columns_;
  std::vector<double> means_, deviations_;  // of the points' columns
  bool defined_, linear_, non_negative_;
};

}  // namespace mercer

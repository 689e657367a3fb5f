// What the support vector methods share: the rows laid out part after part (a part is a class), one Gram operator and
// one store of rows of K for all the problems of a fit, the report, and the expansion that results.
//
// Equal rows of a part are one point of K, unless the kernel takes means over the rows. Methods need not know: their
// problems have variables for rows.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "mercer/error.hpp"
#include "mercer/fit.hpp"
#include "solvers/smo.hpp"

namespace mercer {

class Machine {
 public:
  /// `parts`: the rows of each part. Rows of weight 0 are left out. `rule` and `width`: of the expansion to come, whose
  /// blocks are the parts for pairs of classes. `problems`: how many solve() calls will follow.
  Machine(const Training& training, const std::vector<std::vector<std::size_t>>& parts, Rule rule, std::size_t width, std::size_t problems);

  std::size_t size() const noexcept { return rows_.size(); }
  Range part(std::size_t p) const noexcept { return {begins_[p], begins_[p + 1]}; }
  std::size_t row(std::size_t i) const noexcept { return rows_[i]; }  ///< of the data
  double weight(std::size_t i) const { return training_.weights.empty() ? 1.0 : training_.weights[rows_[i]]; }
  double tolerance() const noexcept { return training_.options.tolerance; }
  double largest_diagonal() const noexcept { return largest_diagonal_; }
  /// Where an earlier fit is gone on with: its coefficient of row i in a column of the expansion; 0 where it had none.
  bool resumes() const noexcept { return !before_.empty(); }
  double before(std::size_t i, std::size_t column) const noexcept { return before_[i * width_ + column]; }
  /// The largest ‖φ(x) − φ(x₁)‖²: how far apart the points are, wherever the origin is.
  double spread() const;

  /// Solves a problem whose "points" are rows 0 … size(), and adds to the report what holds for every problem: iterations,
  /// seconds, whether it was cut short.
  SmoResult solve(const BoxProblem& problem, double tolerance);
  /// What a method made of a solved problem.
  struct Outcome {
    double objective, level;
    double violation_scale = 1, gap_scale = 1;  ///< from the problem's units to those of the model
    double found = 0;                           ///< as in ProblemReport
  };
  void add(const BoxProblem& problem, const SmoResult& result, const Outcome& outcome);
  FitReport& report() noexcept { return report_; }

  /// The expansion of `coefficients` (size() × width, zero rows left out unless a part of the kernel takes a mean).
  Fitted finish(std::vector<double> coefficients, std::vector<double> levels);

 private:
  template <class T>
  struct Rows {
    Gram<T> gram;
    RowStore<T> store;
    Rows(const Machine& machine);
  };
  template <class T>
  SmoResult solve_with(std::unique_ptr<Rows<T>>& rows, const BoxProblem& problem, const SmoOptions& options);
  void find_points();
  void find_coefficients(const Expansion& earlier);
  SmoResult solve_narrow_or_wide(const BoxProblem& problem, const SmoOptions& options);
  [[noreturn]] void refuse_with_true_rows(const Error& error) const;
  bool go_on(double first, double now, double tolerance);

  const Training& training_;
  Rule rule_;
  std::size_t width_;
  bool keep_all_ = false;  // some part of the kernel takes a mean over the rows: all of them belong to the model
  std::vector<std::size_t> rows_, begins_;
  std::vector<std::size_t> part_points_;  // how many of points_ are in each part
  std::vector<std::int32_t> point_of_;    // of each of rows_
  std::vector<double> before_;            // size() × width_
  Points points_;
  std::optional<Gram<double>> exact_;
  std::unique_ptr<Rows<float>> narrow_;
  std::unique_ptr<Rows<double>> wide_;  // where float32 cannot hold the kernel's values
  double largest_diagonal_ = 0, done_ = 0;
  std::size_t problems_, solved_ = 0;
  std::vector<std::uint8_t> bounded_;  // per row
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  FitReport report_;
};

/// A solved problem's report as far as β alone tells it.
ProblemReport counted(const BoxProblem& problem, std::span<const double> beta);

/// All rows as one part.
std::vector<std::vector<std::size_t>> all_rows(const Training& training);
/// The rows of each class. Throws Error{data} unless there are two classes or more with weight.
std::vector<std::vector<std::size_t>> rows_by_class(const Training& training);

}  // namespace mercer

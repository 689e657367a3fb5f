// What the support vector methods share: the rows laid out part after part (a part is a class), one Gram
// operator for all the problems of a fit, stores of its rows, the report, and the expansion that results.
//
// Where features were planned, K = ΦΦᵀ is never made (solvers/feature_box.hpp).
//
// Equal rows of a part are one point of K, unless the kernel takes means over the rows. Methods need not
// know: their problems have variables for rows. Features that are computed again in each pass are those of
// all rows, in their order.
//
// Ranks (base/ranks.hpp) share the problems where these are many, and else the columns of each.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "base/pool.hpp"
#include "base/ranks.hpp"
#include "methods/watch.hpp"
#include "mercer/error.hpp"
#include "mercer/fit.hpp"
#include "operators/row_features.hpp"
#include "solvers/smo.hpp"

namespace mercer {

class SvmTrainer {
 public:
  /// `parts`: the rows of each part. Rows of weight 0 are left out. `rule` and `width`: of the expansion to
  /// come, whose blocks are the parts for pairs of classes. `problems`: how many solve() calls will follow.
  SvmTrainer(const Training& training, const std::vector<std::vector<std::size_t>>& parts, Rule rule,
             std::size_t width, std::size_t problems);

  std::size_t size() const noexcept { return rows_.size(); }
  Range part(std::size_t p) const noexcept { return {begins_[p], begins_[p + 1]}; }
  std::size_t row(std::size_t i) const noexcept { return rows_[i]; }  ///< of the data
  double weight(std::size_t i) const { return training_.weights.empty() ? 1.0 : training_.weights[rows_[i]]; }
  double tolerance() const noexcept { return training_.tolerance; }
  double largest_diagonal() const noexcept { return largest_diagonal_; }
  /// Where an earlier fit is gone on with: its coefficient of row i in a column of the expansion; 0 where it
  /// had none.
  bool resumes() const noexcept { return !before_.empty(); }
  double before(std::size_t i, std::size_t column) const noexcept { return before_[i * width_ + column]; }
  /// The largest ‖φ(x) − φ(x₁)‖²: how far apart the points are, wherever the origin is.
  double spread() const;
  /// Rows of the data, one of each part, that the kernel cannot tell apart: the first pair of equal rows,
  /// else the first pair of rows at no distance beyond rounding in feature space.
  std::optional<std::pair<std::size_t, std::size_t>> same_point(std::size_t p, std::size_t q) const;

  struct Answer;  // below
  /// task(p) for each of the problems: side by side, a thread each, where they are many; else one after the
  /// other, each with all threads. A problem's answer does not depend on the others, so both give the same
  /// bits.
  std::vector<Answer> for_each_problem(const std::function<Answer(std::size_t)>& task);
  /// Solves a problem whose "points" are rows 0 … size(); f of the result is per row. May be called from
  /// several threads.
  SmoResult solve(const BoxQp& problem, double tolerance);
  /// By the time budget or by the caller. Ranks have agreed on it.
  bool cut_short() const noexcept { return ranks_of_problem() ? stopped_ : watch_.cut_short(); }

  /// What a method made of a solved problem.
  struct Outcome {
    double objective, rho;
    double violation_scale = 1, gap_scale = 1;  ///< from the problem's units to those of the model
    double found = 0;                           ///< as in ProblemReport
  };
  struct Solved {
    ProblemReport report = {};
    double violation = 0, gap = 0;
    double norm = 0;               // ‖f‖²
    double loss = 0, penalty = 0;  // Σ C·loss over the rows, and Σ C
    bool converged = false;
    std::vector<std::int32_t> bounded = {};  ///< rows with a variable at its bound
  };
  static Solved summary(const BoxQp& problem, const SmoResult& result, const Outcome& outcome);
  /// What a method made of one of several problems: β of its rows, its rho, and how it was found.
  struct Answer {
    std::vector<double> beta = {};
    double rho = 0;
    Solved solved = {};
  };
  /// Puts it into the report of the fit.
  void add(const Solved& solved);

  /// The expansion of `coefficients` (size() × width, zero rows left out unless a part of the kernel takes a
  /// mean).
  Fitted finish(std::vector<double> coefficients, std::vector<double> rho);

 private:
  void find_points();
  void find_coefficients(const Fitted& start);
  void make_operators();
  template <class T>
  KernelOperator<T> operator_of(const OperatorOptions& options) const;
  std::size_t point_count() const noexcept { return selected_.empty() ? points_.rows() : selected_.size(); }
  SmoResult solve_over_weights(const BoxQp& problem, const Progress& progress, double tolerance);
  void check_features();
  void keep_feature_weights(std::span<const double> coefficients, Fitted& fitted) const;
  bool streams() const { return features_ && features_->landmarks(); }
  /// One thread's: memory for rows of K, and rows over all points, where problems share them.
  struct Workplace {
    std::shared_ptr<RowMemory<float>> memory = std::make_shared<RowMemory<float>>();
    std::unique_ptr<RowStore<float>> rows = {};
  };
  /// K of the points of a problem; `narrow` is null where float32 cannot hold them.
  struct Entries {
    const KernelOperator<float>* narrow;
    const KernelOperator<double>& exact;
    std::vector<Range> segments;
  };
  SmoResult solve_over_kernel(const BoxQp& problem, const Progress& progress, double tolerance);
  SmoResult solve_from_kept(const BoxQp& problem, const Progress& progress, double tolerance);
  KeptSolutions* solutions() const { return ranks_of_problem() ? ranks_->solutions() : nullptr; }
  SmoResult solve_narrow_or_wide(const BoxQp& problem, const Entries& K, Workplace& place,
                                 const SmoOptions& options);
  void share_problems(const std::function<Answer(std::size_t)>& task, std::vector<Answer>& answers);
  /// The ranks that work on the same problem; null where each has its own.
  const Ranks* ranks_of_problem() const noexcept { return own_problems_ ? nullptr : ranks_; }
  bool go_on(std::string_view what, double fraction) {
    return watch_.go_on(what, (double(solved_) + fraction) / double(std::max<std::size_t>(problems_, 1)));
  }

  const Training& training_;
  Rule rule_;
  std::size_t width_;
  // Some part of the kernel takes a mean over the rows: all of them belong to the model.
  bool keep_all_ = false;
  std::vector<std::size_t> rows_, begins_;
  std::vector<std::size_t> part_points_;  // how many of points_ are in each part
  std::vector<std::int32_t> point_of_;    // of each of rows_
  std::vector<double> before_;            // size() × width_
  Points points_;
  std::vector<std::size_t> selected_;  // of points_, where these are all rows of the data
  std::vector<std::size_t> row_ids_;   // the data's numbers of points_, where these are not all in order
  std::optional<RowFeatures>
      features_;  // of the points; where there are any, the operators below are not made
  std::optional<KernelOperator<double>> exact_;
  std::optional<KernelOperator<float>> narrow_;  // none where float32 cannot hold the points
  int workers_ = 1;                              // problems solved at a time
  const Ranks* const ranks_ = SharedWork::ranks();
  bool own_problems_ = false;            // ranks solve problems of their own, not one together
  std::atomic<bool> cancelled_ = false;  // this rank was told to stop and to keep nothing
  bool stopped_ = false;                 // some rank was told to stop
  std::size_t calls_ = 0;                // of solve(), where solutions are kept
  Watch watch_;
  Pool<Workplace> workplaces_;
  double largest_diagonal_ = 0;
  std::size_t problems_;
  std::atomic<std::size_t> solved_ = 0, iterations_ = 0, evaluations_ = 0;
  std::vector<std::uint8_t> bounded_;  // per row
  double loss_ = 0, penalty_ = 0;
  FitReport report_;
};

/// A solved problem's report as far as β alone tells it.
ProblemReport counted(const BoxQp& problem, std::span<const double> beta);

/// All rows as one part.
std::vector<std::vector<std::size_t>> all_rows(const Training& training);
/// The rows of each class. Throws Error{data} unless there are two classes or more with weight.
std::vector<std::vector<std::size_t>> rows_by_class(const Training& training);

}  // namespace mercer

// Rows that arrive one after the other, and the points that are kept of them: what methods that learn online
// share. A row is compared with the points kept at that moment and with no others; values of k are computed
// for some rows at a time, and their bits are those of the two points alone (OperatorOptions::pairs_alone),
// so that it makes no difference in which parts the rows come.
#pragma once

#include <functional>
#include <optional>

#include "mercer/fit.hpp"
#include "mercer/kernel_operator.hpp"
#include "methods/watch.hpp"

namespace mercer {

class OnlineRows {
 public:
  /// The points that training.start kept come first. Throws Error{usage} for kernels that look at all rows at
  /// once.
  explicit OnlineRows(const Training& training);

  /// How many points are kept.
  std::size_t kept() const noexcept { return places_.size(); }
  /// The next row, counted among those of the training.
  void arrive(std::size_t row);
  /// k of the row with each point kept, in the order of keeping.
  const std::vector<double>& similarities() const noexcept { return similarities_; }
  double self() const noexcept { return self_; }  ///< k of the row with itself
  void keep();                                    ///< the row, behind the others
  void forget_oldest();
  /// k of the oldest point with each that is kept.
  const std::vector<double>& similarities_of_oldest();

  /// The points kept as an expansion with these coefficients, kept() × rho.size(); rows are known where the
  /// training had no start.
  Fitted expand(std::vector<double> coefficients, std::vector<double> rho, Rule rule) const;
  std::size_t evaluations() const noexcept { return evaluations_; }

 private:
  void open_window(std::size_t row);

  const Training& training_;
  std::size_t before_;  // points that were kept before
  Points all_;          // they, then the rows
  KernelOperator<double> K_;
  std::vector<std::size_t> places_;  // in all_, of the points kept
  // The window: points kept when it was opened and some rows behind them, compared with each other.
  std::optional<KernelOperator<double>> window_;
  std::vector<std::size_t> in_window_;  // of the points kept
  std::size_t first_ = 0, last_ = 0;    // rows of the window
  std::size_t behind_ = 0;              // points of the window before its rows
  std::vector<double> tile_;            // k of its rows with all its points
  std::size_t now_ = 0;                 // the row that arrived
  std::vector<double> similarities_, of_oldest_, scratch_;
  double self_ = 0;
  std::size_t evaluations_ = 0;
};

/// Calls visit(row) for every row of weight above 0, in order, `epochs` times. False where the watch stopped
/// it.
bool for_each_arrival(const Training& training, int epochs, Watch& watch,
                      const std::function<void(std::size_t)>& visit);

/// One function for each class, or one for two. Throws Error{data} where there are fewer than two classes; a
/// class may have no row yet.
std::size_t class_functions(const Target& target);

/// Σ coefficients[p, c]·k[p] of each column c.
void sum_at(std::span<const double> coefficients, std::span<const double> k, std::span<double> f);

/// What such a fit reports at its end.
void finish(Fitted& fitted, double rows_seen, Watch& watch);

/// The weight of a row: 1 where there are none.
inline double weight_of(const Training& training, std::size_t row) {
  return training.weights.empty() ? 1 : training.weights[row];
}

}  // namespace mercer

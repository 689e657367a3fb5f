// What linear_svm and linear_svr share: the columns that the kernel sees, with one more, the same for all
// rows, for the intercept; the problems with ½‖w‖² over them; and the model that weights of columns make.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "operators/row_features.hpp"
#include "solvers/linear_coordinate.hpp"

namespace mercer {

class LinearMachine {
 public:
  struct Settings {
    std::string_view method;
    double constant;        ///< the value of the column of the intercept; 0: there is none
    int epochs;             ///< passes or Newton steps at most
    std::size_t functions;  ///< that the model has
    std::size_t problems;   ///< solved side by side
  };
  /// Throws Error{unsupported} where the kernel is not one of columns, Error{not_finite} where squared norms
  /// overflow.
  LinearMachine(const Training& training, const Settings& settings);

  const Rows& rows() const noexcept { return rows_; }
  const Points& table() const noexcept { return *table_; }  ///< the columns, without the constant
  double constant() const noexcept { return settings_.constant; }
  std::size_t epochs() const noexcept { return std::size_t(settings_.epochs); }
  /// Of the work of all problems.
  Progress progress() { return watch_.keeping(0, 1); }

  /// A problem that was solved.
  struct Solved {
    std::vector<double> w = {};  ///< of the columns, then the constant's
    std::string solver = {};
    CertificateKind certificate = CertificateKind::kkt_violation;
    double objective = 0, violation = 0, gap = 0;
    double loss = 0, penalty = 0;  ///< Σ C·loss over the rows, and Σ C
    std::size_t iterations = 0, variables = 0;
    bool converged = false;
    std::vector<std::uint8_t> supports = {};  ///< of each row: whether its loss or coefficient is not 0
  };
  /// min ½‖w‖² + Σ Cᵢ L: of classes y = ±1, or of numbers where ε is given; the loss as it is, or squared.
  Solved solve(std::span<const double> y, std::span<const double> C, std::optional<double> epsilon,
               bool squared);

  /// task(p) for each problem, side by side.
  void for_each_problem(const std::function<void(std::size_t)>& task) const;
  /// Functions × weights of `solved`, one problem for each function or one for all.
  Fitted finish(const std::vector<Solved>& solved, Rule rule);

 private:
  Solved by_descent(std::span<const double> y, std::span<const double> C, std::optional<double> epsilon,
                    bool squared);
  /// The dual variables of a loss with a kink, by Newton's method on losses that come close to it.
  std::vector<double> by_rounded_corners(std::span<const double> y, std::span<const double> C,
                                         std::optional<double> epsilon, double tolerance,
                                         const LinearSolution& reached);
  void finish_by_interior_point(const BoxQp& problem, double tolerance, LinearSolution& found);
  Solved by_newton(std::span<const double> y, std::span<const double> C, std::optional<double> epsilon);

  const Training& training_;
  Settings settings_;
  Watch watch_;
  Rows rows_;
  std::optional<RowFeatures> columns_;  // without the constant
  std::optional<Points> table_;
  std::unique_ptr<const FeatureOperator> extended_;  // with it
};

/// 1 for classes as numerous as each other, less the fewer the rows of the smaller one are: LIBLINEAR's unit
/// of tolerances over weights.
double smaller_share(std::span<const double> y);

}  // namespace mercer

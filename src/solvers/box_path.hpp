// The box problem of solvers/box_qp.hpp over a held K, for bounds that grow: l = C·l₁, u = C·u₁. For
// candidates that are compared with each other on points left out: f comes from float32 entries, and there is
// no certificate.
//
// From one C to the next, unless few variables are at a bound, β is stretched along its ray, as far as the
// new bounds and the exact minimum along it allow: f = Kβ stretches with it and costs nothing. Then, round
// after round, all variables that are not settled at a bound (or the worst violators, where these are too
// many) are solved together, their block of K gathered once for many steps.
#pragma once

#include "mercer/kernel_operator.hpp"
#include "mercer/progress.hpp"
#include "solvers/box_qp.hpp"
#include "solvers/working_set.hpp"

namespace mercer {

class BoxPath {
 public:
  /// Memory to work in: the block of all variables of a small problem, and that of some.
  struct Room {
    WorkingSet<float> all = {}, some = {};
  };
  /// `K`: held and symmetric. What is in the room does not matter.
  BoxPath(const KernelOperator<float>& K, Room& room) : K_(K), f_(K.rows(), 0), room_(room) {}

  /// `problem`: one group, Σβ = 0, bounds for C = 1; a variable with bounds of 0 stays at 0. `others`: points
  /// that f is wanted for too. Problems over the same points one after the other share their block of K.
  void begin(BoxQp problem, std::span<const std::size_t> others);
  /// C does not fall from call to call after begin(). Error{cancelled} where the caller wants to stop.
  void solve(double C, double tolerance, const Progress& progress);

  double f(std::size_t point) const { return f_[point]; }
  double rho() const;         ///< ρ
  bool any_at_bound() const;  ///< else no larger C changes anything
  std::size_t steps() const noexcept { return steps_; }
  const std::vector<double>& beta() const noexcept { return beta_; }

 private:
  double gradient(std::size_t v) const { return f_[std::size_t(problem_.points[v])] + problem_.linear[v]; }
  double lower(std::size_t v) const { return C_ * problem_.lower[v]; }
  double upper(std::size_t v) const { return C_ * problem_.upper[v]; }
  bool at_bound(std::size_t v) const {
    return beta_[v] != 0 && (beta_[v] == lower(v) || beta_[v] == upper(v));
  }
  void stretch(double C);
  double find_violation();
  std::vector<std::int32_t> active_variables() const;
  bool worth_gathering(std::size_t fewer, std::size_t than) const;
  void gather_block();
  void take_all();
  void load(std::vector<std::int32_t> chosen);
  void add_changes();

  const KernelOperator<float>& K_;
  BoxQp problem_;
  double C_ = 0;
  std::vector<Range> runs_;   // of points that f is kept for
  std::vector<double> beta_;  // per variable
  std::vector<double> f_;     // per point
  double top_ = 0, bottom_ = 0;
  std::vector<std::int32_t> chosen_;  // the variables that the block holds, ascending
  Room& room_;
  WorkingSet<float>* set_ = &room_.some;  // the one that holds chosen_
  bool all_gathered_ = false;             // room_.all holds the block of the problem
  std::size_t last_steps_ = 0;            // of the last round
  std::size_t steps_ = 0;
};

}  // namespace mercer

// The state of two-level SMO (solvers/smo.hpp): smo.cpp has its rounds, smo_block.cpp K of a working set
// and what ranks tell each other.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "solvers/simd/smo_steps.hpp"
#include "solvers/smo.hpp"
#include "solvers/working_set.hpp"

namespace mercer {

// Rows over all of a small problem are held, and there are no rounds; of a larger one, where a step over all
// of it takes long, only if so many of the variables are support vectors that most rows are needed.
inline constexpr std::size_t held_from_the_start = 2048;

inline constexpr auto no_variable = std::size_t(-1);

template <class T>
class Smo {
 public:
  Smo(const BoxQp& problem, RowStore<T>& store, const KernelOperator<double>& exact,
      const SmoOptions& options);
  Smo(const Smo&) = delete;
  ~Smo() { store_.give_back(std::move(held_)); }
  SmoResult run();

 private:
  // −G_v towards larger and towards smaller β.
  double rise_wish(std::size_t v) const {
    return -(result_.f[problem_.points[v]] + problem_.rising(v, result_.beta[v]));
  }
  double fall_wish(std::size_t v) const {
    return -(result_.f[problem_.points[v]] + problem_.falling(v, result_.beta[v]));
  }
  bool free(std::size_t v) const { return rises(v) && falls(v) && !problem_.at_kink(v, result_.beta[v]); }
  bool rises(std::size_t v) const { return result_.beta[v] < problem_.upper[v]; }
  bool falls(std::size_t v) const { return result_.beta[v] > problem_.lower[v]; }

  /// Where a point stands in a row over the segments.
  std::size_t column_of(std::int32_t point) const {
    return column_[std::size_t(segment_of_[point])] + std::size_t(offset_[point]);
  }

  /// Waking other threads takes as long as half a million simple operations.
  int threads_for(std::size_t operations) const {
    return operations < (std::size_t(1) << 19) ? 1 : store_.threads();
  }
  bool whole() const { return capacity_ >= problem_.size(); }  // the working set is the problem

  /// Rows of K over the whole problem are held, and are what the working set works on.
  bool holds() const { return whole() && problem_.size() <= options_.largest_held; }

  // --- Ranks ---
  void find_own_segments();
  /// Whether this rank works on the round's set: where rows are held, rank 0 alone.
  bool works() const { return !ranks_ || !holds() || ranks_->first(); }
  bool shares_columns() const { return ranks_ && !holds(); }
  const std::vector<std::int32_t>& own_segments() const { return shares_columns() ? own_ : segments_; }
  bool finite() const;
  void agree_on_round(std::size_t& steps);
  void join_columns();
  void join_f();

  double find_violation();
  void choose_working_set();
  void add_violators(std::size_t room);
  void load_working_set();
  void fill_block();
  void hold_if_worth(double support_share);
  void hold_rows(std::size_t first_group, std::size_t second_group);
  void provide(std::span<const std::size_t> places, std::span<const T*> rows);
  void compute_block();
  void look_up_block();
  template <class Where>
  void copy_block(const std::vector<const T*>& rows, std::size_t segments, const Where& where);
  void add_changes();
  void add_held_rows(std::span<const std::size_t> moved, std::span<const double> t);
  void descend_on_sample();
  std::vector<std::size_t> nearest_variables(double violation) const;
  void add_change(std::span<const double> before);
  void descend();
  void descend_on(std::span<const std::size_t> active);
  void adapt(std::size_t round);
  void add_exact_products(std::span<const double> change);
  template <class Number>
  void add_products(const KernelOperator<Number>& K, std::span<const std::size_t> points,
                    std::span<const double> t);

  const BoxQp& problem_;
  RowStore<T>& store_;
  const KernelOperator<double>& exact_;
  SmoOptions options_;
  const Ranks* ranks_;
  const simd::Steps<T>& steps_ = simd::steps<T>();
  std::vector<std::int32_t> segments_;             // those that hold points of the problem
  std::vector<std::int32_t> own_;                  // of these the rank's, where they are shared
  std::vector<std::size_t> begins_;                // where the columns of each rank begin
  std::size_t most_own_ = 0;                       // segments of a rank at most
  std::vector<std::size_t> column_;                // where each of them begins in a row of the problem
  std::vector<std::int32_t> segment_of_, offset_;  // of each point: its place in segments_, its column there
  std::vector<double> diagonal_;                   // per point
  std::size_t columns_ = 0;                        // points in segments_
  std::size_t capacity_ = 0, most_capacity_ = 0;   // of the working set, now and at most
  std::size_t stride_ = 1;                         // among the violators, from one taken to the next
  std::size_t kept_ = 0, changed_ = 0;  // of chosen_: those of the round before; of the others, those changed
  std::size_t entered_ = 0;             // variables taken into working sets since the last certificate
  std::size_t long_rounds_ = 0;         // in a row
  std::size_t shrinks_ = 0;
  bool informed_ = false;  // f tells which variables matter
  bool outermost_ = true;  // the problem is all of what was asked for
  double before_nearest_ =
      std::numeric_limits<double>::infinity();  // the violation when it was last made smaller

  double top_[2], bottom_[2];            // of each group, over all variables
  std::vector<std::int32_t> chosen_;     // the working set, the variables kept from the round before first
  std::vector<std::uint8_t> is_chosen_;  // per variable
  std::vector<std::int32_t> fetched_;    // the points of the working set, each once
  std::vector<std::int32_t> row_of_;     // of each point: its place in fetched_
  std::vector<std::size_t> place_of_;    // of each variable that is chosen, in set_
  std::vector<double> solved_;           // β of each chosen variable, after the round
  std::vector<const T*> rows_;           // fetched_ × segments_
  Buffer<T> held_;                       // rows of K over the places of set_, where they are held
  std::vector<const T*> held_row_of_;    // of each point; null: not computed yet
  std::size_t held_count_ = 0;
  std::vector<std::size_t> variable_at_;  // of each place; no_variable: of none
  bool held_in_order_ = false;            // place p is that of the p-th of the segments' points
  Buffer<T> over_points_;                 // rows over those points, where it is not
  WorkingSet<T> set_;
  SmoResult result_;
};

}  // namespace mercer

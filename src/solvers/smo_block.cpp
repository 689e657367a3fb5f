#include <algorithm>

#include "base/parallel.hpp"
#include "solvers/smo_state.hpp"

namespace mercer {

namespace {

constexpr std::size_t second_level_cache = std::size_t(1) << 20;

}  // namespace

// K of the working set with itself.
template <class T>
void Smo<T>::fill_block() {
  if (shares_columns() ||
      (options_.cheap_entries && fetched_.size() * columns_ * sizeof(T) > second_level_cache))
    compute_block();
  else
    look_up_block();
}

// Rows over all variables, computed when a step first needs them, as most never are. They follow each other
// in the order of their first use, so that no more memory is touched than they take.
template <class T>
void Smo<T>::hold_rows(std::size_t first_group, std::size_t second_group) {
  set_.resize(
      first_group, second_group, problem_.size() > held_from_the_start,
      [this](std::span<const std::size_t> places, std::span<const T*> rows) { provide(places, rows); });
  if (!held_row_of_.empty()) return;
  held_in_order_ = problem_.groups.empty() && problem_.size() == columns_;
  for (std::size_t v = 0; v < problem_.size(); ++v)
    held_in_order_ = held_in_order_ && column_of(problem_.points[v]) == v;
  held_row_of_.assign(result_.f.size(), nullptr);
  held_ = store_.take_room(fetched_.size() * set_.stride());
}

template <class T>
void Smo<T>::provide(std::span<const std::size_t> places, std::span<const T*> rows) {
  const std::size_t stride = set_.stride();
  std::vector<std::size_t> missing;
  for (const std::size_t place : places) {
    const auto point = std::size_t(problem_.points[variable_at_[place]]);
    if (held_row_of_[point]) continue;
    held_row_of_[point] = held_.data() + held_count_++ * stride;
    missing.push_back(point);
  }
  T* const first = held_.data() + (held_count_ - missing.size()) * stride;
  if (!held_in_order_ && over_points_.size() < missing.size() * columns_)
    over_points_ = Buffer<T>(missing.size() * columns_);
  T* const out = held_in_order_ ? first : over_points_.data();
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    const Range range = store_.segments()[segments_[s]];
    if (missing.size() == 1)
      store_.gram().tile({missing[0], missing[0] + 1}, range, {out + column_[s], range.size()});
    else
      store_.gram().block(missing, range,
                          row_pointers(out + column_[s], missing.size(), held_in_order_ ? stride : columns_));
  }
  result_.evaluations += missing.size() * columns_;
  for (std::size_t r = 0; r < missing.size(); ++r) {
    T* const row = first + r * stride;
    std::fill(row + (held_in_order_ ? columns_ : 0), row + stride, T(0));
    if (held_in_order_) continue;
    for (std::size_t v = 0; v < problem_.size(); ++v)
      row[place_of_[v]] = out[r * columns_ + column_of(problem_.points[v])];
  }
  for (const std::size_t place : places)
    rows[place] = held_row_of_[std::size_t(problem_.points[variable_at_[place]])];
}

// A cheap entry is computed faster than looked up in rows that have left the caches.
template <class T>
void Smo<T>::compute_block() {
  const std::vector<std::size_t> points(fetched_.begin(), fetched_.end());
  const std::size_t p = points.size();
  Buffer<T> square = store_.take_room(p * p);
  store_.gram().square(points, std::span(square).first(p * p));
  std::vector<const T*> rows;
  for (std::size_t r = 0; r < p; ++r) rows.push_back(square.data() + r * p);
  copy_block(rows, 1, [&](std::int32_t point) { return std::pair(std::int32_t(0), row_of_[point]); });
  store_.give_back(std::move(square));
}

template <class T>
void Smo<T>::look_up_block() {
  copy_block(rows_, segments_.size(),
             [&](std::int32_t point) { return std::pair(segment_of_[point], offset_[point]); });
}

// From rows of `segments` pieces each, one of every point fetched; where(point) is the piece and the column
// in it. Those of neighbouring places are neighbours, or follow each other.
template <class T>
template <class Where>
void Smo<T>::copy_block(const std::vector<const T*>& rows, std::size_t segments, const Where& where) {
  struct Run {  // of places from `first` on
    std::size_t first, segment;
    std::vector<std::int32_t> columns;
    bool together() const { return std::size_t(columns.back() - columns.front()) == columns.size() - 1; }
  };
  std::vector<Run> runs;
  for (std::size_t place = 0; place < variable_at_.size(); ++place) {
    if (variable_at_[place] == no_variable) continue;
    const auto [segment, column] = where(problem_.points[variable_at_[place]]);
    if (runs.empty() || runs.back().segment != std::size_t(segment) ||
        runs.back().first + runs.back().columns.size() != place || runs.back().columns.back() >= column)
      runs.push_back({place, std::size_t(segment), {}});
    runs.back().columns.push_back(column);
  }
  parallel_for(variable_at_.size(), threads_for(chosen_.size() * chosen_.size()), [&](std::size_t place) {
    if (variable_at_[place] == no_variable) return;
    const T* const* row = rows.data() + row_of_[problem_.points[variable_at_[place]]] * segments;
    for (const Run& run : runs) {
      const T* const from = row[run.segment];
      T* const out = set_.row(place) + run.first;
      if (run.together()) {
        std::copy_n(from + run.columns.front(), run.columns.size(), out);
        continue;
      }
      for (std::size_t k = 0; k < run.columns.size(); ++k) out[k] = from[run.columns[k]];
    }
  });
}

// f += K·(change of β), over every segment of the problem.
template <class T>
void Smo<T>::add_changes() {
  std::vector<double> change(works() ? fetched_.size() : 0, 0);
  changed_ = 0;
  for (std::size_t c = 0; c < chosen_.size(); ++c) {
    const std::int32_t v = chosen_[c];
    changed_ += c >= kept_ && solved_[c] != result_.beta[v];
    if (works()) change[row_of_[problem_.points[v]]] += solved_[c] - result_.beta[v];
    result_.beta[v] = solved_[c];
  }
  if (!works()) return join_f();
  for (const std::int32_t point : fetched_) row_of_[point] = -1;
  std::vector<std::size_t> moved;
  std::vector<double> t;
  for (std::size_t r = 0; r < change.size(); ++r)
    if (change[r] != 0) moved.push_back(r), t.push_back(change[r]);
  if (holds()) {
    add_held_rows(moved, t);
    return join_f();
  }
  const std::vector<std::int32_t>& segments = own_segments();
  parallel_for(segments.size(), threads_for(moved.size() * columns_), [&](std::size_t s) {
    std::vector<const T*> rows(moved.size());
    const Range range = store_.segments()[segments[s]];
    for (std::size_t r = 0; r < moved.size(); ++r) rows[r] = rows_[moved[r] * segments.size() + s];
    steps_.accumulate(result_.f.data() + range.begin, rows.data(), t.data(), t.size(), range.size());
  });
  join_f();
}

template <class T>
void Smo<T>::add_held_rows(std::span<const std::size_t> moved, std::span<const double> t) {
  std::vector<const T*> rows;
  for (const std::size_t r : moved) rows.push_back(held_row_of_[std::size_t(fetched_[r])]);
  std::vector<double> sums(set_.stride(), 0);
  steps_.accumulate(sums.data(), rows.data(), t.data(), t.size(), sums.size());
  std::vector<std::uint8_t> added(result_.f.size(), 0);
  for (std::size_t v = 0; v < problem_.size(); ++v) {
    const auto i = std::size_t(problem_.points[v]);
    if (!added[i]) result_.f[i] += sums[place_of_[v]];
    added[i] = 1;
  }
}

// --- Ranks

std::vector<std::size_t> column_shares(std::size_t points, const Ranks* ranks) {
  if (!ranks) return {points};
  const std::vector<std::size_t> begins = ranks->shares(points);
  std::vector<std::size_t> lengths;
  for (std::size_t r = 0; r + 1 < begins.size(); ++r) lengths.push_back(begins[r + 1] - begins[r]);
  return lengths;
}

void take_first(const Ranks& ranks, SmoResult& result) {
  Certificate& c = result.certificate;
  std::vector<double> told{
      double(result.steps), double(result.converged), c.objective, c.violation, c.gap, c.rho[0], c.rho[1]};
  const auto head = std::ptrdiff_t(told.size()), variables = std::ptrdiff_t(result.beta.size());
  told.insert(told.end(), result.beta.begin(), result.beta.end());
  told.insert(told.end(), result.f.begin(), result.f.end());
  ranks.take_first(told);
  result.steps = std::size_t(told[0]);
  result.converged = told[1] != 0;
  c = {.objective = told[2], .violation = told[3], .gap = told[4], .rho = {told[5], told[6]}};
  std::copy_n(told.begin() + head, variables, result.beta.begin());
  std::copy(told.begin() + head + variables, told.end(), result.f.begin());
  result.stopped = ranks.any(result.stopped);
}

template <class T>
void Smo<T>::find_own_segments() {
  most_own_ = segments_.size();
  if (!ranks_) return;
  begins_ = ranks_->shares(exact_.rows());
  std::vector<std::size_t> counts(static_cast<std::size_t>(ranks_->size()), 0);
  for (const std::int32_t s : segments_) {
    const std::size_t begin = store_.segments()[std::size_t(s)].begin;
    const auto owner = std::size_t(std::ranges::upper_bound(begins_, begin) - begins_.begin()) - 1;
    ++counts[owner];
    if (int(owner) == ranks_->rank()) own_.push_back(s);
  }
  most_own_ = std::ranges::max(counts);
}

// Entries that a rank computes may be too large for T where those of others are not.
template <class T>
bool Smo<T>::finite() const {
  const bool here = store_.gram().finite();
  return ranks_ ? !ranks_->any(!here) : here;
}

template <class T>
void Smo<T>::agree_on_round(std::size_t& steps) {
  solved_.resize(chosen_.size());
  if (works())
    for (std::size_t c = 0; c < chosen_.size(); ++c) solved_[c] = set_.beta(place_of_[chosen_[c]]);
  if (!ranks_) return;
  solved_.push_back(double(steps));
  ranks_->take_first(solved_);
  steps = std::size_t(solved_.back());
  solved_.pop_back();
}

// f of all points on all ranks, each having computed that of its own.
template <class T>
void Smo<T>::join_columns() {
  if (ranks_) ranks_->join(result_.f, begins_);
}

// After a round.
template <class T>
void Smo<T>::join_f() {
  if (ranks_ && holds())
    ranks_->take_first(result_.f);
  else
    join_columns();
}

template class Smo<float>;
template class Smo<double>;

}  // namespace mercer

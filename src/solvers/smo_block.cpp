#include <algorithm>

#include "base/parallel.hpp"
#include "solvers/smo_state.hpp"

namespace mercer {

namespace {

constexpr std::size_t second_level_cache = std::size_t(1) << 20;
constexpr double held_support_share = 0.2;

}  // namespace

// K of the working set with itself.
template <class T>
void Smo<T>::fill_block() {
  if (options_.cheap_entries && fetched_.size() * columns_ * sizeof(T) > second_level_cache)
    compute_block();
  else
    look_up_block();
}

// K of the whole problem, computed once; half of it, and mirrored.
template <class T>
void Smo<T>::hold() {
  const std::size_t n = problem_.size();
  if (held_.empty()) {
    if (2 * n * n * sizeof(T) > store_.memory()) store_.forget();
    held_ = store_.room(n * n + simd::step_padding);
    const std::vector<std::size_t> points(problem_.points.begin(), problem_.points.end());
    store_.gram().square(points, held_.first(n * n));
    std::ranges::fill(held_.last(simd::step_padding), T(0));
    result_.evaluations += n * (n + 1) / 2;
  }
  set_.resize_over(held_.data(), n);
}

// Rows over all points serve once in every round; where most of them are needed in the end, and K is not
// large, it is better to have all of it and no rounds.
template <class T>
void Smo<T>::hold_if_worth(double support_share) {
  const std::size_t n = problem_.size();
  if (!outermost_ || !in_order_ || n > options_.largest_held || support_share < held_support_share ||
      n * n * sizeof(T) > store_.memory())
    return;
  capacity_ = most_capacity_ = n;
}

// A cheap entry is computed faster than looked up in rows that have left the caches.
template <class T>
void Smo<T>::compute_block() {
  const std::vector<std::size_t> points(fetched_.begin(), fetched_.end());
  const std::size_t p = points.size();
  const std::span<T> square = store_.room(p * p);
  store_.gram().square(points, square);
  std::vector<std::int32_t> row;
  for (const std::int32_t v : chosen_) row.push_back(row_of_[problem_.points[v]]);
  parallel_for(chosen_.size(), threads_for(chosen_.size() * chosen_.size()), [&](std::size_t a) {
    const T* from = square.data() + std::size_t(row[a]) * p;
    T* out = set_.row(places_[a]);
    for (std::size_t b = 0; b < row.size(); ++b) out[places_[b]] = from[row[b]];
  });
}

// By symmetry half of the entries are looked up.
template <class T>
void Smo<T>::look_up_block() {
  const std::size_t S = segments_.size(), q = chosen_.size();
  parallel_for(q, threads_for(q * q), [&](std::size_t a) {
    const T* const* row = rows_.data() + row_of_[problem_.points[chosen_[a]]] * S;
    T* out = set_.row(places_[a]);
    for (std::size_t b = 0; b <= a; ++b) {
      const std::int32_t point = problem_.points[chosen_[b]];
      out[places_[b]] = row[segment_of_[point]][offset_[point]];
    }
  });
  constexpr std::size_t patch = 32;  // mirrored in patches that fit the first-level cache
  for (std::size_t a0 = 0; a0 < q; a0 += patch)
    for (std::size_t b0 = 0; b0 <= a0; b0 += patch)
      for (std::size_t a = a0; a < std::min(a0 + patch, q); ++a)
        for (std::size_t b = b0; b < std::min(b0 + patch, a); ++b)
          set_.row(places_[b])[places_[a]] = set_.row(places_[a])[places_[b]];
}

// f += K·(change of β), over every segment of the problem.
template <class T>
void Smo<T>::add_changes() {
  std::vector<double> change(fetched_.size(), 0);
  changed_ = 0;
  for (std::size_t c = 0; c < chosen_.size(); ++c) {
    const std::int32_t v = chosen_[c];
    changed_ += c >= kept_ && set_.beta(places_[c]) != result_.beta[v];
    change[row_of_[problem_.points[v]]] += set_.beta(places_[c]) - result_.beta[v];
    result_.beta[v] = set_.beta(places_[c]);
  }
  for (const std::int32_t point : fetched_) row_of_[point] = -1;
  std::vector<std::size_t> moved;
  std::vector<double> t;
  for (std::size_t r = 0; r < change.size(); ++r)
    if (change[r] != 0) moved.push_back(r), t.push_back(change[r]);
  parallel_for(segments_.size(), threads_for(moved.size() * columns_), [&](std::size_t s) {
    std::vector<const T*> rows(moved.size());
    const Range range = store_.segments()[segments_[s]];
    for (std::size_t r = 0; r < moved.size(); ++r)
      rows[r] = holds() ? held_.data() + moved[r] * problem_.size() + column_[s]
                        : rows_[moved[r] * segments_.size() + s];
    steps_.accumulate(result_.f.data() + range.begin, rows.data(), t.data(), t.size(), range.size());
  });
}

template class Smo<float>;
template class Smo<double>;

}  // namespace mercer

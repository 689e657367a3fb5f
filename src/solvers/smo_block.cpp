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
  if (holds())
    copy_held();
  else if (whole() && in_order_)
    copy_block();
  else if (options_.cheap_entries && fetched_.size() * columns_ * sizeof(T) > second_level_cache)
    compute_block();
  else
    look_up_block();
}

// A small problem whose points are mostly support vectors is held whole in float64, for rows and certificate.
template <class T>
void Smo<T>::hold() {
  if (!held_.empty()) return;
  const std::vector<std::size_t> points(problem_.points.begin(), problem_.points.end());
  held_ = Buffer<double>(points.size() * points.size());
  exact_.square(points, held_);
}

template <class T>
void Smo<T>::copy_held() {
  const std::size_t n = problem_.size();
  for (std::size_t a = 0; a < n; ++a) std::copy_n(held_.data() + a * n, n, set_.row(places_[a]));
}

// f += Σ t_v · (row v of what is held).
template <class T>
void Smo<T>::add_held(std::span<const std::size_t> variables, std::span<const double> t) {
  std::vector<const double*> rows;
  for (const std::size_t v : variables) rows.push_back(held_.data() + v * problem_.size());
  for (const std::int32_t s : segments_) {
    const Range range = store_.segments()[s];
    exact_steps_.accumulate(result_.f.data() + range.begin, rows.data(), t.data(), t.size(), range.size());
    for (const double*& row : rows) row += range.size();
  }
}

template <class T>
void Smo<T>::copy_block() {
  const std::size_t S = segments_.size();
  parallel_for(chosen_.size(), threads_for(chosen_.size() * problem_.size()), [&](std::size_t a) {
    T* out = set_.row(places_[a]);
    for (std::size_t s = 0; s < S; ++s)
      out = std::copy_n(rows_[a * S + s], store_.segments()[segments_[s]].size(), out);
  });
}

// A cheap entry is computed faster than looked up in rows that have left the caches.
template <class T>
void Smo<T>::compute_block() {
  const std::vector<std::size_t> points(fetched_.begin(), fetched_.end());
  const std::size_t p = points.size();
  if (square_.size() < p * p) square_ = Buffer<T>(p * p);
  store_.gram().square(points, std::span(square_.data(), p * p));
  std::vector<std::int32_t> row;
  for (const std::int32_t v : chosen_) row.push_back(row_of_[problem_.points[v]]);
  parallel_for(chosen_.size(), threads_for(chosen_.size() * chosen_.size()), [&](std::size_t a) {
    const T* from = square_.data() + std::size_t(row[a]) * p;
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
  if (holds()) return add_held(moved, t);
  parallel_for(segments_.size(), threads_for(moved.size() * columns_), [&](std::size_t s) {
    std::vector<const T*> rows(moved.size());
    for (std::size_t r = 0; r < moved.size(); ++r) rows[r] = rows_[moved[r] * segments_.size() + s];
    const Range range = store_.segments()[segments_[s]];
    steps_.accumulate(result_.f.data() + range.begin, rows.data(), t.data(), t.size(), range.size());
  });
}

template class Smo<float>;
template class Smo<double>;

}  // namespace mercer

#include "solvers/working_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace mercer {

namespace {

std::size_t padded(std::size_t n) {
  return (n + simd::step_padding - 1) / simd::step_padding * simd::step_padding;
}

// What rounding alone keeps from the bound is at the bound: where sums are whole numbers, as with ν, many
// variables would otherwise seem free that are not.
double moved(double from, double by, double bound) {
  const double to = from + by;
  return std::abs(to - bound) <= 1e-15 * std::max(std::abs(from), std::abs(bound)) ? bound : to;
}

}  // namespace

template <class T>
void WorkingSet<T>::set_sizes(std::size_t first_group, std::size_t second_group) {
  begins_[1] = padded(first_group);
  begins_[2] = begins_[1] + padded(second_group);
  const std::size_t size = begins_[2];
  for (auto* values : {&beta_, &lower_, &upper_}) values->assign(size, 0);
  kinks_.assign(size, {});
  const std::size_t apart = size + simd::step_padding;  // not a power of two, as rows of K
  if (numbers_.size() < 3 * apart) numbers_ = Buffer<T>(3 * apart);
  diagonal_ = numbers_.data();
  rise_ = diagonal_ + apart;
  fall_ = rise_ + apart;
  std::fill_n(diagonal_, size, T(1));
  std::fill_n(rise_, size, T(simd::cannot_rise));
  std::fill_n(fall_, size, T(simd::cannot_fall));
}

template <class T>
void WorkingSet<T>::resize(std::size_t first_group, std::size_t second_group) {
  set_sizes(first_group, second_group);
  const std::size_t size = begins_[2];
  stride_ = size + simd::step_padding;  // rows a power of two apart would fall into the same cache sets
  Buffer<T>& K = kept_ ? *kept_ : own_;
  if (K.size() < size * stride_) K = Buffer<T>(), K = Buffer<T>(size * stride_);
  own_rows_ = K.data();
  rows_.resize(size);
  for (std::size_t i = 0; i < size; ++i) rows_[i] = row(i);
  for (std::size_t i = 0; i < size; ++i)
    for (const auto& [begin, end] :
         {std::pair(first_group, begins_[1]), std::pair(begins_[1] + second_group, stride_)})
      std::fill_n(row(i) + begin, end - begin, T(0));
}

template <class T>
void WorkingSet<T>::resize(std::size_t first_group, std::size_t second_group, bool many, Provide provide) {
  set_sizes(first_group, second_group);
  stride_ = begins_[2];
  provide_ = std::move(provide);
  rows_.assign(begins_[2], nullptr);
  many_ = many;
  asked_for_ = 0;
  unknown_.resize(rows_.size());
  std::iota(unknown_.begin(), unknown_.end(), std::size_t(0));
}

// Rows cost less together, but of those that may never be needed none should be made. So they are asked for
// one by one until an eighth of them was; then, beside the one that is needed, come those of the variables
// that violate most.
template <class T>
void WorkingSet<T>::ask_for(std::size_t i) {
  asked_.assign(1, i);
  constexpr std::size_t at_once = 64;
  if (many_ || 8 * asked_for_ > rows_.size()) add_most_wanted(at_once - 1);
  asked_for_ += asked_.size();
  provide_(asked_, rows_);
}

// Of the variables whose rows are not known those that are farthest from where they want to be, in order.
template <class T>
void WorkingSet<T>::add_most_wanted(std::size_t count) {
  const std::size_t first = asked_[0];
  std::erase_if(unknown_, [&](std::size_t v) { return rows_[v] || v == first; });
  const auto more = [](const auto& a, const auto& b) { return a.first > b.first; };
  wishes_.clear();  // a heap, the least first
  for (const std::size_t v : unknown_) {
    const T wish = std::max(rise_[v], -fall_[v]);
    if (!(wish > (wishes_.size() < count ? T(0) : wishes_.front().first))) continue;
    if (wishes_.size() == count) std::ranges::pop_heap(wishes_, more), wishes_.pop_back();
    wishes_.emplace_back(wish, v);
    std::ranges::push_heap(wishes_, more);
  }
  for (const auto& [wish, v] : wishes_) asked_.push_back(v);
  std::sort(asked_.begin() + 1, asked_.end());
}

template <class T>
void WorkingSet<T>::place(std::size_t at, double beta, double gradient, double lower, double upper,
                          double diagonal, Kink kink) {
  beta_[at] = beta;
  kinks_[at] = kink;
  lower_[at] = lower;
  upper_[at] = upper;
  diagonal_[at] = T(diagonal);
  set_wishes(at, T(gradient));
}

template <class T>
void WorkingSet<T>::set_wishes(std::size_t i, T gradient) noexcept {
  rise_[i] = beta_[i] >= upper_[i] ? T(simd::cannot_rise) : less_rising(i) - gradient;
  fall_[i] = beta_[i] <= lower_[i] ? T(simd::cannot_fall) : less_falling(i) - gradient;
}

template <class T>
std::size_t WorkingSet<T>::solve(double tolerance, double reduction, std::size_t most) {
  constexpr simd::Extremes none{simd::cannot_rise, 0, simd::cannot_fall};
  simd::Extremes extremes[2] = {none, none};
  const auto move_all = [&](const T* a, const T* b, double t) {
    for (int g = 0; g < 2; ++g) {
      const std::size_t at = begins_[g];
      if (at == begins_[g + 1]) continue;
      extremes[g] = steps_.move(rise_ + at, fall_ + at, a + at, b + at, t, begins_[g + 1] - at);
    }
  };
  const T* const any = diagonal_;  // 0 times a finite number
  move_all(any, any, 0);
  constexpr double resolution = 8 * std::numeric_limits<T>::epsilon();
  double stop = tolerance;
  for (std::size_t count = 0; count < most; ++count) {
    const double gaps[2] = {extremes[0].top - extremes[0].bottom, extremes[1].top - extremes[1].bottom};
    const int g = gaps[1] > gaps[0];
    if (count == 0) stop = std::max(tolerance, reduction * gaps[g]);
    if (!(gaps[g] >
          std::max(stop, resolution * std::max(std::abs(extremes[g].top), std::abs(extremes[g].bottom)))))
      return count;
    const std::size_t at = begins_[g], i = at + extremes[g].at;
    const double top = extremes[g].top;
    const T* const K_i = provided(i);
    // Not i itself, which beside a kink may seem to gain by a rounding.
    const T own = std::exchange(fall_[i], T(simd::cannot_fall));
    const std::size_t j =
        at + steps_.partner(fall_ + at, K_i + at, diagonal_[i], diagonal_ + at, top, begins_[g + 1] - at);
    fall_[i] = own;
    if (j == begins_[g + 1]) return count;  // every decrease is too small, or too large, for T
    const double curvature =
        std::max(double(diagonal_[i]) + double(diagonal_[j]) - 2 * double(K_i[j]), simd::least_curvature);
    const double ceiling = beta_[i] < kinks_[i].at ? kinks_[i].at : upper_[i],
                 floor = beta_[j] > kinks_[j].at ? std::max(kinks_[j].at, lower_[j]) : lower_[j];
    const double room_i = ceiling - beta_[i], room_j = beta_[j] - floor;
    const double t = std::min({(top - double(fall_[j])) / curvature, room_i, room_j});
    const T G_i = less_rising(i) - rise_[i], G_j = less_falling(j) - fall_[j];
    beta_[i] = t == room_i ? ceiling : moved(beta_[i], t, ceiling);
    beta_[j] = t == room_j ? floor : moved(beta_[j], -t, floor);
    set_wishes(i, G_i);
    set_wishes(j, G_j);
    move_all(K_i, provided(j), t);
  }
  return most;
}

template class WorkingSet<float>;
template class WorkingSet<double>;

}  // namespace mercer

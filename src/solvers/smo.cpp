#include "solvers/smo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "solvers/simd/smo_steps.hpp"
#include "solvers/smo_state.hpp"

namespace mercer {

namespace {

constexpr double before_certificate = 0.95;  // of the work, roughly

// A problem with few support vectors is solved in a few rounds of a small working set, without a look at most
// rows; one with many gains from large ones. So the set starts small and doubles every few rounds, unless
// nearly all of the first became support vectors: then it goes to its full size at once.
constexpr std::size_t rounds_between_doublings = 4;
std::size_t first_capacity(std::size_t variables, bool cheap_entries) {
  return variables <= 2048 && cheap_entries ? 32 : 64;
}
constexpr double many_support_vectors = 0.85;

// The worst violators of many points that lie close together are neighbours, and one of them settles the
// others. Where few of those that came into a full-sized set were changed, every fourth of the worst is
// taken, then every 16th, and so on.
constexpr double few_changed = 0.15, many_changed = 0.5;
constexpr std::size_t longest_stride = 32;

// Most variables of a large problem stay at a bound from early on. Once the working sets have taken in three
// times as many variables as there are support vectors, rows are being computed for the sake of a few: the
// others are left out for a while (shrinking, Joachims 1999), as far as that halves the problem.
constexpr std::size_t smallest_to_shrink = 4096, entries_per_support_vector = 3, most_shrinks = 8;

constexpr double no_limit = std::numeric_limits<double>::infinity();

}  // namespace

template <class T>
Smo<T>::Smo(const BoxQp& problem, RowStore<T>& store, const KernelOperator<double>& exact,
            const SmoOptions& options)
    : problem_(problem), store_(store), exact_(exact), options_(options), is_chosen_(problem.size(), 0) {
  const std::size_t n = exact.rows();
  segment_of_.assign(n, -1);
  offset_.assign(n, 0);
  row_of_.assign(n, -1);
  std::vector<std::uint8_t> used(n, 0);
  for (const std::int32_t point : problem.points) used[point] = 1;
  for (std::size_t s = 0; s < store.segments().size(); ++s) {
    const Range range = store.segments()[s];
    if (std::find(used.begin() + range.begin, used.begin() + range.end, 1) == used.begin() + range.end)
      continue;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      segment_of_[i] = std::int32_t(segments_.size());
      offset_[i] = std::int32_t(i - range.begin);
    }
    segments_.push_back(std::int32_t(s));
  }
  std::size_t& points = columns_;
  in_order_ = problem.groups.empty();
  for (const std::int32_t s : segments_)
    for (std::size_t i = store.segments()[s].begin; i < store.segments()[s].end; ++i, ++points)
      in_order_ = in_order_ && points < problem.size() && problem.points[points] == std::int32_t(i);
  in_order_ = in_order_ && points == problem.size();
  diagonal_.resize(n);
  exact.diagonal(diagonal_);
  most_capacity_ = std::max<std::size_t>(
      2, std::min({options_.working_set, problem.size(), store.most_rows(segments_.size())}));
  capacity_ = std::min(first_capacity(problem.size(), options_.cheap_entries), most_capacity_);
  if (options_.most_steps == 0) options_.most_steps = std::max<std::size_t>(10'000'000, 100 * problem.size());
  result_.beta = problem.start.empty() ? std::vector<double>(problem.size(), 0.0) : problem.start;
  result_.f.assign(n, 0);
}

template <class T>
double Smo<T>::find_violation() {
  std::fill_n(top_, 2, -no_limit);
  std::fill_n(bottom_, 2, no_limit);
  for (std::size_t v = 0; v < problem_.size(); ++v) {
    const int g = problem_.group(v);
    const double minus_g = -gradient(v);
    if (rises(v)) top_[g] = std::max(top_[g], minus_g);
    if (falls(v)) bottom_[g] = std::min(bottom_[g], minus_g);
  }
  return std::max({0.0, top_[0] - bottom_[0], top_[1] - bottom_[1]});
}

// The variables kept are the last to have come; the worst violators fill the rest, half of them wanting to
// rise and half to fall. The pair that violates most is always there: both places that it may need are left
// to violators, and where two groups violate alike, those of the first come first.
template <class T>
void Smo<T>::choose_working_set() {
  if (whole()) {
    std::ranges::fill(is_chosen_, 1);
    chosen_.resize(problem_.size());
    std::iota(chosen_.begin(), chosen_.end(), 0);
    return;
  }
  kept_ = std::min({chosen_.size(), capacity_ / 2, capacity_ - 2});
  for (std::size_t c = 0; c < chosen_.size() - kept_; ++c) is_chosen_[chosen_[c]] = 0;
  chosen_.erase(chosen_.begin(), chosen_.end() - std::ptrdiff_t(kept_));
  add_violators(capacity_ - kept_);
  entered_ += chosen_.size() - kept_;
}

template <class T>
void Smo<T>::add_violators(std::size_t room) {
  using Candidate = std::pair<double, std::int32_t>;  // how far on the wrong side, variable
  std::vector<Candidate> up, down;
  for (std::size_t v = 0; v < problem_.size(); ++v) {
    if (is_chosen_[v]) continue;
    const int g = problem_.group(v);
    const double minus_g = -gradient(v);
    if (rises(v) && minus_g > bottom_[g]) up.emplace_back(minus_g - bottom_[g], std::int32_t(v));
    if (falls(v) && minus_g < top_[g]) down.emplace_back(top_[g] - minus_g, std::int32_t(v));
  }
  const auto take = [&](std::vector<Candidate>& from, std::size_t count) {
    const auto worse = [&](const Candidate& a, const Candidate& b) {
      if (a.first != b.first) return a.first > b.first;
      return std::pair(problem_.group(a.second), a.second) < std::pair(problem_.group(b.second), b.second);
    };
    count = std::min(count, from.size());
    const std::size_t stride = count > 0 ? std::min(stride_, from.size() / count) : 1;
    std::partial_sort(from.begin(), from.begin() + std::ptrdiff_t(count * stride), from.end(), worse);
    for (std::size_t c = 0; c < count; ++c) {
      const std::int32_t v = from[c * stride].second;
      if (is_chosen_[v] || chosen_.size() == capacity_) continue;  // a free variable may violate both ways
      is_chosen_[v] = 1;
      chosen_.push_back(v);
    }
  };
  const std::size_t half = std::max<std::size_t>(1, room / 2),
                    rising = std::max(half, room - std::min(room, down.size()));
  take(up, rising);
  take(down, capacity_ - chosen_.size());
}

template <class T>
void Smo<T>::load_working_set() {
  fetched_.clear();
  std::size_t counts[2] = {};
  for (const std::int32_t v : chosen_) {
    ++counts[problem_.group(v)];
    std::int32_t& row = row_of_[problem_.points[v]];
    if (row >= 0) continue;
    row = std::int32_t(fetched_.size());
    fetched_.push_back(problem_.points[v]);
  }
  if (holds())
    hold();
  else
    store_.fetch(fetched_, segments_, rows_);
  set_.resize(counts[0], counts[1]);
  places_.clear();
  counts[0] = counts[1] = 0;
  for (const std::int32_t v : chosen_) {
    const int g = problem_.group(v);
    places_.push_back(set_.place_of(g, counts[g]++));
    const double middle = (top_[g] + bottom_[g]) / 2;  // of −G; there is none where all are at the same bound
    set_.place(places_.back(), result_.beta[v], gradient(v) + (std::isfinite(middle) ? middle : 0),
               problem_.lower[v], problem_.upper[v], diagonal_[problem_.points[v]]);
  }
  fill_block();
}

template <class T>
void Smo<T>::adapt(std::size_t round) {
  if (capacity_ == most_capacity_ && !whole()) {
    const double yield = double(changed_) / double(std::max<std::size_t>(1, chosen_.size() - kept_));
    stride_ = yield < few_changed    ? std::min(4 * stride_, longest_stride)
              : yield > many_changed ? std::max<std::size_t>(stride_ / 2, 1)
                                     : stride_;
    return;
  }
  const auto support = std::ranges::count_if(chosen_, [&](std::int32_t v) { return result_.beta[v] != 0; });
  if (round == 1 && double(support) > many_support_vectors * double(chosen_.size()))
    capacity_ = most_capacity_;
  else if (round % rounds_between_doublings == 0)
    capacity_ = std::min(2 * capacity_, most_capacity_);
}

// Those that a round might choose, now or soon: not those at a bound with a gradient beyond all that violate.
template <class T>
std::vector<std::size_t> Smo<T>::active_variables() const {
  std::vector<std::size_t> active;
  for (std::size_t v = 0; v < problem_.size(); ++v) {
    const int g = problem_.group(v);
    const double minus_g = -gradient(v);
    const bool settled = (!falls(v) && minus_g < bottom_[g]) || (!rises(v) && minus_g > top_[g]);
    if (!settled) active.push_back(v);
  }
  return active;
}

// Whether a smaller problem was solved in place of the rest of this one; f is then out of date.
template <class T>
bool Smo<T>::shrink() {
  if (!options_.shrinking || problem_.size() < smallest_to_shrink || shrinks_ >= most_shrinks) return false;
  const auto support = std::size_t(std::ranges::count_if(result_.beta, [](double b) { return b != 0; }));
  if (entered_ < entries_per_support_vector * support) return false;
  const std::vector<std::size_t> active = active_variables();
  if (active.size() > problem_.size() / 2) return false;
  ++shrinks_;
  entered_ = 0;
  descend_on(active);
  return true;
}

// The problem in δ = β − (β now) of the active variables: their gradients now are its linear terms.
template <class T>
void Smo<T>::descend_on(std::span<const std::size_t> active) {
  BoxQp small;
  std::vector<std::size_t> points;
  std::vector<std::int32_t> number_of(result_.f.size(), -1);
  for (const std::size_t v : active) {
    std::int32_t& number = number_of[problem_.points[v]];
    if (number < 0) number = std::int32_t(points.size()), points.push_back(std::size_t(problem_.points[v]));
    small.add(std::size_t(number), gradient(v), problem_.lower[v] - result_.beta[v],
              problem_.upper[v] - result_.beta[v]);
    if (!problem_.groups.empty()) small.groups.push_back(problem_.groups[v]);
  }
  store_.forget();
  const KernelOperator<T> gram = store_.gram().select(points);
  const KernelOperator<double> exact = exact_.select(points);
  const std::size_t lengths[] = {points.size()};
  RowStore<T> store(gram, cut_segments(lengths), store_.memory(), store_.threads());
  Smo<T> smo(small, store, exact, options_);
  smo.shrinks_ = shrinks_;
  smo.capacity_ = std::min(capacity_, smo.most_capacity_);
  smo.result_.steps = result_.steps;
  smo.descend();
  for (std::size_t a = 0; a < active.size(); ++a) {
    const std::size_t v = active[a];
    const double delta = smo.result_.beta[a];
    result_.beta[v] = delta == small.upper[a]   ? problem_.upper[v]
                      : delta == small.lower[a] ? problem_.lower[v]
                                                : result_.beta[v] + delta;
  }
  result_.evaluations += store.computed() + smo.result_.evaluations;
  result_.steps = smo.result_.steps;
  result_.rounds += smo.result_.rounds;
  result_.stopped = smo.result_.stopped;
  shrinks_ = smo.shrinks_;
}

// Rounds until the violation, as f shows it, is at most the tolerance.
template <class T>
void Smo<T>::descend() {
  double first = 0;
  for (std::size_t round = 0;; ++round) {
    if (round > 0) adapt(round);
    const double violation = find_violation();
    if (round == 0) first = violation;
    if (options_.progress &&
        !options_.progress(fmt::format("violation {:.2g}", violation),
                           before_certificate * decades_done(first, violation, options_.tolerance)))
      result_.stopped = true;
    if (violation <= options_.tolerance || result_.stopped || result_.steps >= options_.most_steps ||
        shrink())
      return;
    choose_working_set();
    load_working_set();
    if (!store_.gram().finite()) return;  // beyond T: what was certified before stands
    // At most so many that somebody who wants to stop need not wait for more than half a second or so.
    constexpr std::size_t steps_at_once = std::size_t(1) << 19;
    const std::size_t most = std::min(options_.most_steps - result_.steps, steps_at_once);
    const std::size_t steps = set_.solve(options_.tolerance / 2, whole() ? 0 : 0.1, most);
    add_changes();
    result_.steps += steps;
    ++result_.rounds;
    if (steps == 0) return;
  }
}

// f += K·change from float64 kernel values.
template <class T>
void Smo<T>::add_exact_products(std::span<const double> change) {
  if (!held_.empty()) {
    std::vector<std::size_t> variables;
    std::vector<double> t;
    for (std::size_t v = 0; v < problem_.size(); ++v)
      if (const double by = change[problem_.points[v]]; by != 0) variables.push_back(v), t.push_back(by);
    return add_held(variables, t);
  }
  std::vector<std::size_t> points;
  std::vector<double> t;
  for (std::size_t i = 0; i < change.size(); ++i)
    if (change[i] != 0) points.push_back(i), t.push_back(change[i]);
  if (points.empty()) return;
  std::vector<Range> ranges;
  for (const std::int32_t s : segments_) ranges.push_back(store_.segments()[s]);
  mercer::add_exact_products(exact_, points, t, ranges, result_.f, threads_for(16 * points.size() * columns_),
                             options_.progress);
}

template <class T>
SmoResult Smo<T>::run() {
  const std::size_t computed = store_.computed();
  const auto per_point = [&] {
    std::vector<double> sums(result_.f.size(), 0);
    for (std::size_t v = 0; v < problem_.size(); ++v) sums[problem_.points[v]] += result_.beta[v];
    return sums;
  };
  std::vector<double> certified(result_.f.size(), 0), exact(result_.f.size(), 0);
  // A repair that does not even halve the violation shows that T cannot hold what tells the points apart;
  // after shrinking, violations of those left out are no surprise.
  std::size_t shrinks = 0;
  for (double violation = no_limit;; ++result_.repairs) {
    std::vector<double> change = per_point();
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= certified[i];
    certified = per_point();
    result_.f = exact;
    add_exact_products(change);
    exact = result_.f;
    result_.certificate = certify(problem_, result_.beta, result_.f);
    result_.converged = result_.certificate.violation <= options_.tolerance;
    const std::size_t rounds = result_.rounds;
    const bool left_some_out = shrinks != shrinks_;
    if (result_.converged || result_.stopped ||
        (!left_some_out && result_.certificate.violation > violation / 2))
      break;
    violation = result_.repairs > 0 && !left_some_out ? result_.certificate.violation : no_limit;
    shrinks = shrinks_;
    descend();
    if (result_.rounds == rounds) break;
  }
  result_.evaluations += store_.computed() - computed;
  result_.shrinks = shrinks_;
  return std::move(result_);
}

template <class T>
SmoResult smo(const BoxQp& problem, RowStore<T>& store, const KernelOperator<double>& exact,
              const SmoOptions& options) {
  return Smo<T>(problem, store, exact, options).run();
}

template SmoResult smo(const BoxQp&, RowStore<float>&, const KernelOperator<double>&, const SmoOptions&);
template SmoResult smo(const BoxQp&, RowStore<double>&, const KernelOperator<double>&, const SmoOptions&);

void add_exact_products(const KernelOperator<double>& K, std::span<const std::size_t> points,
                        std::span<const double> t, std::span<const Range> ranges, std::span<double> f,
                        int threads, const Progress& progress) {
  constexpr std::size_t most_rows = 128, most_columns = 512;  // a tile stays in the second-level cache
  const simd::Steps<double>& steps = simd::steps<double>();
  std::vector<Range> parts;
  for (const Range& range : ranges)
    for (std::size_t begin = range.begin; begin < range.end; begin += most_columns)
      parts.push_back({begin, std::min(begin + most_columns, range.end)});
  const Progress told = [&](std::string_view what, double) { return progress(what, 0.95), true; };
  parallel_for(parts.size(), threads, told, "certificate", [&](std::size_t p) {
    const Range part = parts[p];
    Buffer<double> tile(std::min(most_rows, points.size()) * part.size());
    const std::vector<double*> rows =
        row_pointers(tile.data(), std::min(most_rows, points.size()), part.size());
    const std::vector<const double*> filled(rows.begin(), rows.end());
    for (std::size_t begin = 0; begin < points.size(); begin += most_rows) {
      const std::size_t count = std::min(most_rows, points.size() - begin);
      K.block(points.subspan(begin, count), part, std::span(rows).first(count));
      steps.accumulate(f.data() + part.begin, filled.data(), t.data() + begin, count, part.size());
    }
  });
}

}  // namespace mercer

#include "solvers/smo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/folded_qp.hpp"
#include "solvers/kernel_products.hpp"
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

// Where round after round takes more steps than it has variables, they depend on each other beyond the set: a
// larger one needs fewer rounds.
constexpr std::size_t long_rounds_before_growth = 4, largest_grown = 4096;

// Rows over all of a problem that is not small are held where so many of its variables are support vectors.
constexpr double held_support_share = 0.2;

// The worst violators of many points that lie close together are neighbours, and one of them settles the
// others. Where few of those that came into a full-sized set were changed, every fourth of the worst is
// taken, then every 16th, and so on.
constexpr double few_changed = 0.15, many_changed = 0.5;
constexpr std::size_t longest_stride = 32;

// Most variables of a large problem stay at a bound, and a row over all points tells most of them what they
// know. So one point in four is solved first; then, wherever few variables violate, three times as many that
// are nearest to violating, at least an eighth of the problem. Each is a problem of its own, in which the
// same is done again (docs/decisions/0019). Passes over all points are in T until the violation has halved;
// after that f comes from the certificate.
constexpr std::size_t smallest_to_split = 4096, sampled = 4, fewest_nearest = 8, nearest_per_violator = 3;
// Where rows over the whole problem are held, f is known well before the first steps over some of it.
constexpr std::size_t smallest_held_to_split = 1024, nearest_per_held_violator = 2;
constexpr double nearly_done = 0.5;
// Rows over all points are worth having again once working sets took in so many times the support vectors.
constexpr std::size_t entries_per_support_vector = 3;
// What is left for the roundings of T, so that the certificate finds the tolerance reached.
constexpr double of_tolerance = 0.8;

constexpr std::size_t most_repairs_by_parts = 16;

constexpr double no_limit = std::numeric_limits<double>::infinity();

}  // namespace

template <class T>
Smo<T>::Smo(const BoxQp& problem, RowStore<T>& store, const KernelOperator<double>& exact,
            const SmoOptions& options)
    : problem_(problem),
      store_(store),
      exact_(exact),
      options_(options),
      ranks_(options.ranks),
      is_chosen_(problem.size(), 0),
      set_(store.kept()->block) {
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
  for (const std::int32_t s : segments_) {
    column_.push_back(points);
    points += store.segments()[s].size();
  }
  diagonal_.resize(n);
  exact.diagonal(diagonal_);
  find_own_segments();
  most_capacity_ =
      std::max<std::size_t>(2, std::min({options_.working_set, problem.size(), store.most_rows(most_own_)}));
  capacity_ = std::min(first_capacity(problem.size(), options_.cheap_entries), most_capacity_);
  if (problem.size() > columns_ || 2 * problem.size() * columns_ * sizeof(T) > store.memory())
    options_.largest_held = 0;
  if (problem.size() <= std::min(options_.largest_held, held_from_the_start))
    capacity_ = most_capacity_ = problem.size();
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
    if (rises(v)) top_[g] = std::max(top_[g], rise_wish(v));
    if (falls(v)) bottom_[g] = std::min(bottom_[g], fall_wish(v));
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
    const double up_by = rise_wish(v) - bottom_[g], down_by = top_[g] - fall_wish(v);
    if (rises(v) && up_by > 0) up.emplace_back(up_by, std::int32_t(v));
    if (falls(v) && down_by > 0) down.emplace_back(down_by, std::int32_t(v));
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

// Places follow the columns of the points, so that entries of a row are looked up in the order in which they
// lie there.
template <class T>
void Smo<T>::load_working_set() {
  std::vector<std::int32_t> order = chosen_;
  if (!holds())
    std::ranges::sort(order, {}, [&](std::int32_t v) {
      return std::tuple(problem_.group(v), column_of(problem_.points[v]), v);
    });
  fetched_.clear();
  std::size_t counts[2] = {};
  for (const std::int32_t v : order) {
    ++counts[problem_.group(v)];
    std::int32_t& row = row_of_[problem_.points[v]];
    if (row >= 0) continue;
    row = std::int32_t(fetched_.size());
    fetched_.push_back(problem_.points[v]);
  }
  if (holds()) {
    hold_rows(counts[0], counts[1]);
  } else {
    store_.fetch(fetched_, own_segments(), rows_);
    set_.resize(counts[0], counts[1]);
  }
  variable_at_.assign(set_.stride(), no_variable);
  place_of_.resize(problem_.size());
  counts[0] = counts[1] = 0;
  for (const std::int32_t v : order) {
    const int g = problem_.group(v);
    const std::size_t place = place_of_[v] = set_.place_of(g, counts[g]++);
    variable_at_[place] = std::size_t(v);
    const double middle = (top_[g] + bottom_[g]) / 2;  // of −G; there is none where all are at the same bound
    typename WorkingSet<T>::Kink kink;
    if (!problem_.kinks.empty()) kink = {problem_.kinks[v], problem_.linear[v] - problem_.below[v]};
    set_.place(place, result_.beta[v],
               result_.f[problem_.points[v]] + problem_.linear[v] + (std::isfinite(middle) ? middle : 0),
               problem_.lower[v], problem_.upper[v], diagonal_[problem_.points[v]], kink);
  }
  if (!holds()) fill_block();
}

template <class T>
void Smo<T>::adapt(std::size_t round) {
  if (capacity_ == most_capacity_ && !whole()) {
    const double yield = double(changed_) / double(std::max<std::size_t>(1, chosen_.size() - kept_));
    stride_ = yield < few_changed    ? std::min(4 * stride_, longest_stride)
              : yield > many_changed ? std::max<std::size_t>(stride_ / 2, 1)
                                     : stride_;
    const auto support = std::ranges::count_if(result_.beta, [](double b) { return b != 0; });
    hold_if_worth(double(support) / double(problem_.size()));
    if (long_rounds_ == long_rounds_before_growth && most_capacity_ < largest_grown) {
      long_rounds_ = 0;
      capacity_ = most_capacity_ = std::min({2 * capacity_, problem_.size(), store_.most_rows(most_own_)});
    }
    return;
  }
  const auto support = std::ranges::count_if(chosen_, [&](std::int32_t v) { return result_.beta[v] != 0; });
  if (round == 1 && double(support) > many_support_vectors * double(chosen_.size()))
    capacity_ = most_capacity_;
  else if (round % rounds_between_doublings == 0)
    capacity_ = std::min(2 * capacity_, most_capacity_);
}

// The variables of an eighth of the points. The others stay where they are, so that sums that are not 0 would
// have to be those of the sample: only a problem that starts from 0 has one.
template <class T>
void Smo<T>::descend_on_sample() {
  if (!options_.shrinking || problem_.size() < smallest_to_split || !problem_.start.empty()) return;
  Random random(1);
  std::vector<std::uint8_t> chosen(result_.f.size());
  for (std::uint8_t& point : chosen) point = random.below(sampled) == 0;
  std::vector<std::size_t> sample;
  for (std::size_t v = 0; v < problem_.size(); ++v)
    if (chosen[std::size_t(problem_.points[v])]) sample.push_back(v);
  if (sample.empty()) return;
  const std::vector<double> before = result_.beta;
  descend_on(sample);
  informed_ = true;
  add_change(before);
  const auto support = std::ranges::count_if(result_.beta, [](double b) { return b != 0; });
  hold_if_worth(double(support) / double(sample.size()));
}

template <class T>
void Smo<T>::hold_if_worth(double support_share) {
  if (outermost_ && problem_.size() <= options_.largest_held && support_share >= held_support_share)
    capacity_ = most_capacity_ = problem_.size();
}

// The variables by how far they are on the right side of their group's ρ, free ones and violators first, as
// many as leave room around those. None where that is most of the problem, where f does not tell yet, or
// where the last ones did not halve the violation.
template <class T>
std::vector<std::size_t> Smo<T>::nearest_variables(double violation) const {
  if (!options_.shrinking || problem_.size() < (whole() ? smallest_held_to_split : smallest_to_split) ||
      violation > before_nearest_ / 2)
    return {};
  const auto support = std::size_t(std::ranges::count_if(result_.beta, [](double b) { return b != 0; }));
  if (!informed_ && entered_ < std::max<std::size_t>(1, entries_per_support_vector * support)) return {};
  double sums[2] = {}, levels[2];
  std::size_t free[2] = {}, near = 0;
  for (std::size_t v = 0; v < problem_.size(); ++v)
    if (this->free(v)) sums[problem_.group(v)] += rise_wish(v), ++free[problem_.group(v)];
  for (int g = 0; g < 2; ++g)
    levels[g] = free[g] > 0 ? sums[g] / double(free[g]) : (top_[g] + bottom_[g]) / 2;
  std::vector<std::pair<double, std::size_t>> distances;
  for (std::size_t v = 0; v < problem_.size(); ++v) {
    const double level = levels[problem_.group(v)];
    if (!std::isfinite(level)) return {};  // all of a group are at the same bound
    const double from_rising = rises(v) ? level - rise_wish(v) : no_limit,
                 from_falling = falls(v) ? fall_wish(v) - level : no_limit;
    distances.emplace_back(this->free(v) ? -no_limit : std::min(from_rising, from_falling), v);
    near += distances.back().first <= 0;
  }
  const std::size_t count = std::max(problem_.size() / fewest_nearest,
                                     (whole() ? nearest_per_held_violator : nearest_per_violator) * near);
  if (count > problem_.size() / 2) return {};
  std::ranges::nth_element(distances, distances.begin() + std::ptrdiff_t(count));
  std::vector<std::size_t> nearest(count);
  for (std::size_t k = 0; k < count; ++k) nearest[k] = distances[k].second;
  std::ranges::sort(nearest);
  return nearest;
}

// f += K·(β − before).
template <class T>
void Smo<T>::add_change(std::span<const double> before) {
  std::vector<double> sums(result_.f.size(), 0);
  for (std::size_t v = 0; v < problem_.size(); ++v)
    sums[std::size_t(problem_.points[v])] += result_.beta[v] - before[v];
  std::vector<std::size_t> points;
  std::vector<double> t;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i] != 0) points.push_back(i), t.push_back(sums[i]);
  add_products(store_.gram(), points, t);
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
    const double f = result_.f[problem_.points[v]], beta = result_.beta[v];
    small.add(std::size_t(number), f + problem_.linear[v], problem_.lower[v] - beta,
              problem_.upper[v] - beta);
    if (!problem_.kinks.empty()) {
      small.kinks.push_back(problem_.kinks[v] - beta);
      small.below.push_back(f + problem_.below[v]);
    }
    if (!problem_.groups.empty()) small.groups.push_back(problem_.groups[v]);
  }
  store_.forget();
  const KernelOperator<T> gram = store_.gram().select(points);
  const KernelOperator<double> exact = exact_.select(points);
  RowStore<T> store(gram, cut_segments(column_shares(points.size(), ranks_)), store_.memory(),
                    store_.threads(), store_.kept());
  const auto moved = [&](std::size_t a, double delta) {
    const std::size_t v = active[a];
    return delta == small.upper[a]   ? problem_.upper[v]
           : delta == small.lower[a] ? problem_.lower[v]
           : small.at_kink(a, delta) ? problem_.kinks[v]
                                     : result_.beta[v] + delta;
  };
  SmoOptions options = options_;
  if (options_.keep)
    options.keep = [&](std::span<const double> deltas) {
      std::vector<double> beta = result_.beta;
      for (std::size_t a = 0; a < active.size(); ++a) beta[active[a]] = moved(a, deltas[a]);
      options_.keep(beta);
    };
  Smo<T> smo(small, store, exact, options);
  smo.shrinks_ = shrinks_;
  smo.outermost_ = false;
  smo.informed_ = informed_;
  if (!smo.holds()) smo.capacity_ = std::min(capacity_, smo.most_capacity_);
  smo.result_.steps = result_.steps;
  if (!informed_) smo.descend_on_sample();
  smo.descend();
  for (std::size_t a = 0; a < active.size(); ++a) result_.beta[active[a]] = moved(a, smo.result_.beta[a]);
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
  const double tolerance = problem_.size() < smallest_to_split && outermost_
                               ? options_.tolerance
                               : of_tolerance * options_.tolerance;
  for (std::size_t round = 0;; ++round) {
    if (round > 0) adapt(round);
    const double violation = find_violation();
    if (round == 0) first = violation;
    if (options_.progress &&
        !options_.progress(fmt::format("violation {:.2g}", violation),
                           before_certificate * decades_done(first, violation, options_.tolerance)))
      result_.stopped = true;
    if (ranks_) result_.stopped = ranks_->any(result_.stopped);
    if (options_.keep && options_.due()) options_.keep(result_.beta);
    if (violation <= tolerance || result_.stopped || result_.steps >= options_.most_steps) return;
    if (const std::vector<std::size_t> nearest = nearest_variables(violation); !nearest.empty()) {
      const std::vector<double> before = result_.beta;
      descend_on(nearest);
      before_nearest_ = violation;
      informed_ = true;
      ++shrinks_;
      entered_ = 0;
      if (outermost_ && violation < nearly_done * first) return;  // the certificate finds f
      add_change(before);
      continue;
    }
    choose_working_set();
    if (works()) load_working_set();
    if (!finite()) return;  // beyond T: what was certified before stands
    // At most so many that somebody who wants to stop need not wait for more than half a second or so.
    constexpr std::size_t operations_at_once = std::size_t(1) << 29;
    const std::size_t most =
        std::min(options_.most_steps - result_.steps, operations_at_once / chosen_.size());
    const double reduction = whole() && problem_.size() < smallest_held_to_split ? 0.01 : 0.1;
    std::size_t steps = works() ? set_.solve(tolerance / 2, reduction, most) : 0;
    if (!finite()) return;
    agree_on_round(steps);
    add_changes();
    result_.steps += steps;
    long_rounds_ = steps > chosen_.size() ? long_rounds_ + 1 : 0;
    ++result_.rounds;
    informed_ = informed_ || whole();
    if (steps == 0) return;
  }
}

// f += K·change from float64 kernel values.
template <class T>
void Smo<T>::add_exact_products(std::span<const double> change) {
  std::vector<std::size_t> points;
  std::vector<double> t;
  for (std::size_t i = 0; i < change.size(); ++i)
    if (change[i] != 0) points.push_back(i), t.push_back(change[i]);
  if (!points.empty()) add_products(exact_, points, t);
}

// f += Σₚ t[p]·K[points[p], ·], over every segment of the problem.
template <class T>
template <class Number>
void Smo<T>::add_products(const KernelOperator<Number>& K, std::span<const std::size_t> points,
                          std::span<const double> t) {
  std::vector<Range> ranges;
  for (const std::int32_t s : ranks_ ? own_ : segments_) ranges.push_back(store_.segments()[s]);
  mercer::add_products(K, points, t, ranges, std::span(result_.f), threads_for(16 * points.size() * columns_),
                       options_.progress);
  if constexpr (!std::is_same_v<Number, double> || std::is_same_v<T, double>)
    for (const Range& range : ranges) result_.evaluations += points.size() * range.size();
  join_columns();
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
  descend_on_sample();
  if (informed_) descend();
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
    if (result_.repairs == most_repairs_by_parts) options_.shrinking = false;
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
  const std::optional<FoldedQp> folded = FoldedQp::of(problem);
  if (!folded) return Smo<T>(problem, store, exact, options).run();
  SmoOptions own = options;
  if (options.keep) own.keep = [&](std::span<const double> beta) { options.keep(folded->unfold(beta)); };
  SmoResult result = Smo<T>(folded->problem(), store, exact, own).run();
  result.beta = folded->unfold(result.beta);
  return result;
}

template SmoResult smo(const BoxQp&, RowStore<float>&, const KernelOperator<double>&, const SmoOptions&);
template SmoResult smo(const BoxQp&, RowStore<double>&, const KernelOperator<double>&, const SmoOptions&);

}  // namespace mercer

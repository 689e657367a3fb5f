#include "solvers/box_path.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace mercer {

namespace {

constexpr std::size_t most_active = 4096;    // variables solved together
constexpr std::size_t small_problem = 2304;  // all of its variables are solved together at first
constexpr std::size_t steps_between_polls = 200'000, most_steps = 10'000'000;
// Where a small problem takes so many steps K is badly conditioned, and more of them change no prediction.
std::size_t path_steps(std::size_t variables) {
  return std::min(most_steps, std::max<std::size_t>(50'000, 100 * variables * variables));
}
// Of the violation, before the settled variables are looked for again.
constexpr double round_reduction = 0.1;
constexpr double few_bounded = 0.15;  // of the variables that are not 0
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void BoxPath::begin(BoxQp problem, std::span<const std::size_t> others) {
  all_gathered_ = all_gathered_ && problem.points == problem_.points;
  chosen_.clear();
  problem_ = std::move(problem);
  beta_.assign(problem_.size(), 0);
  std::ranges::fill(f_, 0);
  C_ = 0;
  steps_ = last_steps_ = 0;
  std::vector<std::uint8_t> used(K_.rows(), 0);
  for (const std::int32_t point : problem_.points) used[std::size_t(point)] = 1;
  for (const std::size_t point : others) used[point] = 1;
  runs_.clear();
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    if (runs_.empty() || runs_.back().end != i) runs_.push_back({i, i});
    ++runs_.back().end;
  }
}

// ½r²βᵀKβ + r·sᵀβ is least at r = −sᵀβ / βᵀKβ; the new bounds allow up to the ratio of the Cs. Where few
// variables are at a bound β stays as it is: the others are where they belong, the few take a step or two.
void BoxPath::stretch(double C) {
  double along = 0, curvature = 0;
  std::size_t bounded = 0, moved = 0;
  for (std::size_t v = 0; v < beta_.size(); ++v) {
    along -= problem_.linear[v] * beta_[v];
    curvature += f_[std::size_t(problem_.points[v])] * beta_[v];
    moved += beta_[v] != 0;
    bounded += at_bound(v);
  }
  const double room = C_ > 0 ? C / C_ : 1, best = curvature > 0 ? along / curvature : 1;
  const double r = double(bounded) > few_bounded * double(moved) ? std::clamp(best, 1.0, room) : 1;
  for (std::size_t v = 0; v < beta_.size(); ++v) {
    const double bound = beta_[v] > 0 ? problem_.upper[v] : problem_.lower[v];
    const bool exactly = r == room && at_bound(v);  // not up to rounding
    beta_[v] = exactly ? C * bound : std::clamp(r * beta_[v], C * problem_.lower[v], C * problem_.upper[v]);
  }
  for (const Range run : runs_)
    for (std::size_t i = run.begin; i < run.end; ++i) f_[i] *= r;
  C_ = C;
}

double BoxPath::find_violation() {
  top_ = -infinity;
  bottom_ = infinity;
  for (std::size_t v = 0; v < beta_.size(); ++v) {
    const double minus_g = -gradient(v);
    if (beta_[v] < upper(v)) top_ = std::max(top_, minus_g);
    if (beta_[v] > lower(v)) bottom_ = std::min(bottom_, minus_g);
  }
  return std::max(0.0, top_ - bottom_);
}

// Those not settled at a bound; of too many the worst violators, half to rise and half to fall.
std::vector<std::int32_t> BoxPath::active_variables() const {
  std::vector<std::pair<double, std::int32_t>> up, down;  // how far on the wrong side, variable
  std::vector<std::int32_t> chosen;
  for (std::size_t v = 0; v < beta_.size(); ++v) {
    const double minus_g = -gradient(v);
    const bool rises = beta_[v]<upper(v), falls = beta_[v]> lower(v);
    if ((!falls && (!rises || minus_g < bottom_)) || (!rises && minus_g > top_)) continue;
    chosen.push_back(std::int32_t(v));
    if (rises && minus_g > bottom_) up.emplace_back(minus_g - bottom_, v);
    if (falls && minus_g < top_) down.emplace_back(top_ - minus_g, v);
  }
  if (chosen.size() <= most_active) return chosen;
  chosen.clear();
  const auto worse = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  for (auto* side : {&up, &down}) {
    const std::size_t count = std::min(side->size(), most_active / 2);
    std::ranges::nth_element(*side, side->begin() + std::ptrdiff_t(count), worse);
    for (std::size_t c = 0; c < count; ++c) chosen.push_back((*side)[c].second);
  }
  std::ranges::sort(chosen);
  chosen.erase(std::ranges::unique(chosen).begin(), chosen.end());
  return chosen;
}

// A step passes over the whole block, and an entry takes about as long there as it does to be gathered: a
// smaller block is worth it where a round of as many steps as the last would save more than it costs.
bool BoxPath::worth_gathering(std::size_t fewer, std::size_t than) const {
  return last_steps_ * (than - fewer) > fewer * fewer;
}

// Most of the points of a problem follow each other: long runs are copied, short ones gathered one by one.
void BoxPath::gather_block() {
  std::vector<std::int32_t> points;
  std::vector<Range> runs;  // of places in the block
  for (const std::int32_t v : chosen_) {
    const std::int32_t point = problem_.points[std::size_t(v)];
    if (points.empty() || point != points.back() + 1) runs.push_back({points.size(), points.size()});
    points.push_back(point);
    runs.back().end = points.size();
  }
  const bool copied = runs.size() * 16 <= points.size();
  set_->resize(points.size(), 0);
  for (std::size_t a = 0; a < points.size(); ++a) {
    const float* row = K_.held() + std::size_t(points[a]) * K_.cols();
    float* out = set_->row(a);
    if (copied)
      for (const Range run : runs) std::copy_n(row + points[run.begin], run.size(), out + run.begin);
    else
      for (std::size_t b = 0; b < points.size(); ++b) out[b] = row[points[b]];
  }
}

void BoxPath::take_all() {
  chosen_.resize(problem_.size());
  std::iota(chosen_.begin(), chosen_.end(), 0);
  set_ = &room_.all;
  if (!all_gathered_)
    gather_block();
  else
    set_->resize(chosen_.size(), 0);
  all_gathered_ = true;
}

void BoxPath::load(std::vector<std::int32_t> chosen) {
  const bool held = std::ranges::includes(chosen_, chosen), small = problem_.size() <= small_problem;
  const std::size_t otherwise = held ? chosen_.size() : problem_.size();
  if ((held || small) && !worth_gathering(chosen.size(), otherwise)) {
    if (!held) take_all();
  } else {
    chosen_ = std::move(chosen);
    set_ = &room_.some;
    gather_block();
  }
  const double middle = (top_ + bottom_) / 2;  // of −G
  for (std::size_t a = 0; a < chosen_.size(); ++a) {
    const auto v = std::size_t(chosen_[a]), point = std::size_t(problem_.points[v]);
    set_->place(a, beta_[v], gradient(v) + middle, lower(v), upper(v), K_.held()[point * (K_.cols() + 1)]);
  }
}

void BoxPath::add_changes() {
  std::vector<const float*> rows;
  std::vector<double> changes;
  for (std::size_t a = 0; a < chosen_.size(); ++a) {
    const auto v = std::size_t(chosen_[a]);
    if (set_->beta(a) == beta_[v]) continue;
    rows.push_back(K_.held() + std::size_t(problem_.points[v]) * K_.cols());
    changes.push_back(set_->beta(a) - beta_[v]);
    beta_[v] = set_->beta(a);
  }
  std::vector<const float*> parts(rows.size());
  for (const Range run : runs_) {
    for (std::size_t r = 0; r < rows.size(); ++r) parts[r] = rows[r] + run.begin;
    simd::steps<float>().accumulate(f_.data() + run.begin, parts.data(), changes.data(), changes.size(),
                                    run.size());
  }
}

void BoxPath::solve(double C, double tolerance, const Progress& progress) {
  stretch(C);
  const std::size_t before = steps_;
  while (find_violation() > tolerance && steps_ - before < path_steps(beta_.size())) {
    progress.check("rows left out", 0);
    load(active_variables());
    const std::size_t steps = set_->solve(0.9 * tolerance, round_reduction,
                                          std::min(steps_between_polls, path_steps(beta_.size())));
    add_changes();
    steps_ += last_steps_ = steps;
    if (steps == 0) break;
  }
}

double BoxPath::rho() const {
  BoxQp scaled = problem_;
  for (std::size_t v = 0; v < beta_.size(); ++v) scaled.lower[v] = lower(v), scaled.upper[v] = upper(v);
  return certify(scaled, beta_, f_).rho[0];
}

bool BoxPath::any_at_bound() const {
  for (std::size_t v = 0; v < beta_.size(); ++v)
    if (at_bound(v)) return true;
  return false;
}

}  // namespace mercer

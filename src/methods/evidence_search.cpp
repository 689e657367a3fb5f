#include "methods/evidence_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "base/random.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// Coordinates whose curvature is measured; beyond, it costs more than it saves.
constexpr std::size_t most_measured = 20;
// Points of the box that are looked at on few rows, the best to go on from, and the evaluations each may
// take: a hill that is higher than all others shows by then, and is climbed to its top later.
constexpr std::size_t looks = 40, climbed = 4, looked_at = 60;
constexpr std::size_t few_rows = 100;
constexpr double worth_a_jump = 0.01;  // of evidence
constexpr int most_jumps = 3;

// Rows of the sample mean what they mean among all rows, unless their kernel values were given by number.
bool may_be_sampled(const Kernel& kernel) { return !kernel.uses_precomputed(); }

std::unique_ptr<LogEvidence> sample(const LogEvidence& all, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> rows(all.rows());
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  for (std::size_t i = 0; i < count; ++i) std::swap(rows[i], rows[i + random.below(rows.size() - i)]);
  rows.resize(count);
  std::ranges::sort(rows);
  return all.of_rows(rows);
}

// Log-uniform within a factor of 30 around the start, and within the box.
std::vector<double> another_start(const EvidenceSearch& how, const KernelCoordinates& coordinates,
                                  Random& random) {
  std::vector<double> t = how.start;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (i == coordinates.size() || coordinates.logarithmic(i)) t[i] += random.uniform(-1, 1) * std::log(30.0);
    t[i] = std::clamp(t[i], how.box.low[i], how.box.high[i]);
  }
  return t;
}

// Points that fill the box around the start (a Latin hypercube: each coordinate takes every one of its strata
// once), for a first look: within a factor of e⁵ of the numbers of the kernel, factors also around the
// target's variance, and noise from 10⁻⁵ of that to all of it.
std::vector<std::vector<double>> spread_points(const EvidenceSearch& how,
                                               const KernelCoordinates& coordinates, Random& random) {
  std::vector<std::vector<double>> points(looks, how.start);
  for (std::size_t i = 0; i < how.start.size(); ++i) {
    const bool noise = i == coordinates.size();
    if (!noise && !coordinates.logarithmic(i)) continue;
    const bool factor = !noise && coordinates.parameters()[i].name.starts_with("factor");
    const double other = factor ? how.target_scale : how.start[i];
    const double low = std::max(how.box.low[i],
                                noise ? how.target_scale - std::log(1e5) : std::min(how.start[i], other) - 5);
    const double high =
        std::min(how.box.high[i], noise ? how.target_scale : std::max(how.start[i], other) + 5);
    std::vector<std::size_t> strata(looks);
    std::iota(strata.begin(), strata.end(), std::size_t(0));
    for (std::size_t p = 0; p < looks; ++p) {
      std::swap(strata[p], strata[p + random.below(looks - p)]);
      const double at = low + (high - low) * (double(strata[p]) + random.uniform()) / double(looks);
      points[p][i] = std::clamp(at, how.box.low[i], how.box.high[i]);
    }
  }
  return points;
}

bool is_near(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > 1) return false;
  return true;
}

// The different maxima that are reached from a few of the best points of the box, on few rows, beside those
// of the same function that are known.
std::vector<Maximum> look_around(const SmoothFunction& on_few, const EvidenceSearch& how,
                                 const KernelCoordinates& coordinates, std::vector<Maximum> known,
                                 Random& random, const Progress& progress) {
  std::vector<std::pair<double, std::vector<double>>> seen;
  for (std::vector<double>& point : spread_points(how, coordinates, random)) {
    if (!progress("evidence", 0)) return {};
    const auto value = on_few(point, {});
    if (value && std::isfinite(*value)) seen.emplace_back(*value, std::move(point));
  }
  std::ranges::sort(seen, std::greater<>());
  std::vector<Maximum> maxima;
  for (std::size_t p = 0; p < std::min(climbed, seen.size()); ++p) {
    const Maximum maximum =
        search(on_few, how.box, seen[p].second,
               {.gain = how.rough, .most_evaluations = looked_at, .known = known, .progress = progress});
    if (maximum.at.empty()) continue;
    if (maximum.found) known.push_back(maximum);
    const bool same =
        std::ranges::any_of(maxima, [&](const Maximum& other) { return is_near(other.at, maximum.at); });
    if (!same) maxima.push_back(maximum);
  }
  return maxima;
}

// Where a term of the kernel is much smaller than the others the evidence is flat in all its numbers, and no
// slope leads out. So each number is moved alone, far: the best of these points, where one is above the
// maximum.
std::vector<double> jump_from(const SmoothFunction& f, const Box& box, const Maximum& maximum,
                              const Progress& progress) {
  std::vector<double> found;
  double best = maximum.value + worth_a_jump;
  for (std::size_t i = 0; i < maximum.at.size(); ++i)
    for (const double jump : {-6.0, -2.5, 2.5, 6.0}) {
      std::vector<double> t = maximum.at;
      t[i] = std::clamp(t[i] + jump, box.low[i], box.high[i]);
      if (std::abs(t[i] - maximum.at[i]) < 1 || !progress("evidence", 0)) continue;
      if (const auto value = f(t, {}); value && *value > best) best = *value, found = t;
    }
  return found;
}

}  // namespace

Kernel with_free_scale(Kernel kernel, bool ard, std::size_t columns, double factor,
                       const FitOptions& options) {
  if (ard) kernel = scaled(kernel, std::vector<double>(columns, 1.0));
  const auto has_factor = [](const KernelParameter& p) { return p.name.starts_with("factor"); };
  const bool leave =
      std::ranges::any_of(numeric_parameters(kernel), has_factor) || bounds_of(options, "factor");
  return leave ? kernel : factor * kernel;
}

void check_bounds(const Kernel& kernel, bool noise, const FitOptions& options) {
  std::vector<std::string> known;
  for (const KernelParameter& p : numeric_parameters(kernel)) known.push_back(p.name);
  if (std::ranges::find(known, "factor") == known.end()) known.emplace_back("factor");
  if (noise) known.emplace_back("noise");
  for (const SearchBounds& bounds : options.bounds) {
    if (std::ranges::find(known, bounds.parameter) == known.end())
      throw Error(ErrorCode::unsupported,
                  fmt::format("bounds are given for {}, which the kernel does not have", bounds.parameter),
                  {.hint = fmt::format("it has {}", fmt::join(known, ", "))});
    if (!(bounds.low <= bounds.high) || !std::isfinite(bounds.low) || !std::isfinite(bounds.high))
      throw Error(ErrorCode::invalid_parameter,
                  fmt::format("the bounds of {} must be finite numbers, low ≤ high, not {:g} and {:g}",
                              bounds.parameter, bounds.low, bounds.high));
  }
}

double add_range(Box& box, const SearchBounds* bounds, double start, double low, double high, double least,
                 double most, bool logarithmic) {
  if (bounds) {
    const auto at = [&](double value) {
      return std::clamp(logarithmic ? std::log(value) : value, least, most);
    };
    low = at(bounds->low), high = at(bounds->high);
    if (logarithmic && std::exp(start) == bounds->low)
      low = start;  // a number that stays is the same to the bit
    if (logarithmic && std::exp(start) == bounds->high) high = start;
  }
  box.low.push_back(low);
  box.high.push_back(high);
  return std::clamp(start, low, high);
}

EvidenceSearch search_of(const LogEvidence& evidence, double target_scale, int restarts,
                         const FitOptions& options) {
  const KernelCoordinates& coordinates = evidence.coordinates();
  EvidenceSearch how{.start = coordinates.start(),
                     .box = {},
                     .target_scale = target_scale,
                     .restarts = std::size_t(restarts),
                     .seed = options.seed};
  how.sample = std::clamp<std::size_t>(evidence.rows() / 3, 300, 1000);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    how.start[i] = add_range(how.box, bounds_of(options, coordinates.parameters()[i].name), how.start[i],
                             coordinates.low(i), coordinates.high(i), coordinates.least(i),
                             coordinates.most(i), coordinates.logarithmic(i));
  return how;
}

EvidenceSearch search_with_noise(const LogEvidence& evidence, double noise, double variance, int restarts,
                                 const FitOptions& options) {
  EvidenceSearch how = search_of(evidence, std::log(variance), restarts, options);
  const SearchBounds* of_noise = bounds_of(options, "noise");
  const double begin = of_noise ? std::clamp(noise, of_noise->low, of_noise->high)
                                : std::clamp(noise, 1e-3 * variance, variance);
  constexpr double none = -700;  // exp of it is as good as 0
  how.start.push_back(add_range(how.box, of_noise, std::max(none, std::log(begin)), std::log(1e-8 * variance),
                                std::log(1e2 * variance), none, -none, true));
  return how;
}

std::vector<double> subtract_means(std::vector<double>& targets, const std::vector<double>& weights) {
  const std::size_t outputs = targets.size() / weights.size();
  std::vector<double> means(outputs, 0);
  double total = 0;
  for (const double weight : weights) total += weight;
  for (std::size_t e = 0; e < targets.size(); ++e)
    means[e % outputs] += weights[e / outputs] * targets[e] / total;
  for (std::size_t e = 0; e < targets.size(); ++e) targets[e] -= means[e % outputs];
  return means;
}

double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value / double(values.size());
  return sum;
}

const SearchBounds* bounds_of(const FitOptions& options, std::string_view parameter) {
  const auto found = std::ranges::find(options.bounds, parameter, &SearchBounds::parameter);
  return found == options.bounds.end() ? nullptr : &*found;
}

FoundEvidence maximise_evidence(LogEvidence& evidence, const EvidenceSearch& how, Watch& watch) {
  const KernelCoordinates& coordinates = evidence.coordinates();
  const std::size_t n = evidence.rows(), k = how.start.size();
  const std::size_t m = may_be_sampled(coordinates.at(how.start)) ? std::min(n, how.sample) : n;
  const std::unique_ptr<LogEvidence> sampled = m < n ? sample(evidence, m, how.seed) : nullptr;
  LogEvidence& first = sampled ? *sampled : evidence;
  std::unique_ptr<LogEvidence> few;  // rows for a first look
  if (may_be_sampled(coordinates.at(how.start)) && m > few_rows) few = sample(first, few_rows, how.seed);
  FoundEvidence found{.sampled_rows = m};
  std::vector<double> last;  // where all rows were evaluated
  const auto function_of = [&](LogEvidence& of) {
    return [&](std::span<const double> t, std::span<double> gradient) -> std::optional<double> {
      if (&of == &evidence) last.assign(t.begin(), t.end());
      if (!few || &of != &*few) ++(&of == &evidence ? found.evaluations : found.sampled_evaluations);
      std::optional<double> value;
      try {
        value = of.value(t, gradient);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::not_finite) throw;  // else: an entry of K overflows there
      }
      // More noise than the box allows was needed to factor K: this is the evidence of another process.
      if (of.jitter() > 0 && std::exp(t[k - 1]) + of.jitter() > std::exp(how.box.high[k - 1])) value.reset();
      return value;
    };
  };
  const SmoothFunction on_few = function_of(few ? *few : first), on_first = function_of(first),
                       on_all = function_of(evidence);
  const Progress go_on = [&](std::string_view, double) {
    return watch.go_on("evidence",
                       0.9 * (1 - 1 / (1 + double(found.evaluations + found.sampled_evaluations) / 20)));
  };

  Maximum best;
  std::vector<Maximum> known;  // on these rows
  const auto try_from = [&](const std::vector<double>& start) {
    Maximum maximum = search(on_first, how.box, start,
                             {.gain = sampled ? how.rough : how.fine, .known = known, .progress = go_on});
    if (maximum.found) known.push_back(maximum);
    if (best.at.empty() || (!maximum.at.empty() && maximum.value > best.value)) best = std::move(maximum);
  };
  Random random(how.seed);
  try_from(how.start);
  for (const Maximum& other :
       look_around(on_few, how, coordinates, few ? std::vector<Maximum>() : known, random, go_on))
    if (best.at.empty() || !(few ? is_near(other.at, best.at) : other.value <= best.value))
      try_from(other.at);
  for (int round = 0; round < most_jumps && best.found && k <= most_measured; ++round) {
    const std::vector<double> other = jump_from(on_first, how.box, best, go_on);
    if (other.empty()) break;
    try_from(other);
  }
  // Last, so that more of them begin where fewer would have, and never end lower.
  for (std::size_t s = 0; s < how.restarts; ++s) try_from(another_start(how, coordinates, random));
  found.complete = best.found;
  found.at = best.at.empty() ? how.start : best.at;
  if (found.complete && (k <= most_measured || sampled)) {
    const MaximiseOptions options{.gain = how.fine, .progress = go_on};
    Maximum last_steps;
    if (k <= most_measured) {
      std::vector<double> curvature = curvature_at(on_first, how.box, best);
      for (double& entry : curvature) entry *= double(n) / double(m);
      last_steps = climb(on_all, how.box, found.at, std::move(curvature), options);
    } else {
      last_steps = search(on_all, how.box, found.at, options);
    }
    found.complete = last_steps.found;
    if (!last_steps.at.empty()) best = std::move(last_steps);
    found.at = best.at;
  }
  found.value = !best.at.empty() && last == found.at ? best.value : evidence(found.at, {});
  return found;
}

}  // namespace mercer

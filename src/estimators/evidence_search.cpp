#include "estimators/evidence_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/random.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_measured = 20;  // coordinates whose curvature is measured; beyond, it costs more than it saves
constexpr double rough = 1e-3, fine = 1e-5;  // gains of evidence not worth a step on a sample, and on all rows

// Rows of the sample mean what they mean among all rows, unless their kernel values were given by number.
bool may_be_sampled(const Kernel& kernel) {
  const Leaf* leaf = kernel.node().leaf();
  return !(leaf && leaf->name() == "precomputed") && std::ranges::all_of(kernel.parts(), may_be_sampled);
}

Evidence::Data sample(const Evidence::Data& all, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> rows(all.points.rows());
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  for (std::size_t i = 0; i < count; ++i) std::swap(rows[i], rows[i + random.below(rows.size() - i)]);
  rows.resize(count);
  std::ranges::sort(rows);
  Evidence::Data part{all.points.select_rows(rows), {}, all.outputs, {}};
  for (const std::size_t i : rows) {
    part.targets.insert(part.targets.end(), all.targets.begin() + std::ptrdiff_t(i * all.outputs), all.targets.begin() + std::ptrdiff_t((i + 1) * all.outputs));
    part.noise_factors.push_back(all.noise_factors[i]);
  }
  return part;
}

// Logarithms are drawn within a factor of 30 around the start.
std::vector<double> another_start(const EvidenceSearch& how, const KernelCoordinates& coordinates, Random& random) {
  std::vector<double> t = how.start;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (i == coordinates.size() || coordinates.logarithmic(i)) t[i] += random.uniform(-1, 1) * std::log(30.0);
  return t;
}

}  // namespace

FoundEvidence maximise_evidence(Evidence& evidence, const EvidenceSearch& how, int threads, const Poll& poll, Watch& watch) {
  const KernelCoordinates& coordinates = evidence.coordinates();
  const std::size_t n = evidence.rows(), k = how.start.size();
  const std::size_t m = may_be_sampled(coordinates.at(how.start)) ? std::min(n, how.sample) : n;
  std::optional<Evidence> sampled;
  if (m < n) sampled.emplace(sample(evidence.data(), m, how.seed), coordinates, threads, poll);
  Evidence& first = sampled ? *sampled : evidence;
  FoundEvidence found{.sampled_rows = m};
  std::vector<double> last;  // where all rows were evaluated
  const auto function_of = [&](Evidence& of) {
    return [&](std::span<const double> t, std::span<double> gradient) {
      if (&of == &evidence) last.assign(t.begin(), t.end());
      ++(&of == &evidence ? found.evaluations : found.sampled_evaluations);
      return of(t, gradient);
    };
  };
  const SmoothFunction on_first = function_of(first), on_all = function_of(evidence);
  const auto go_on = [&] {
    return watch.go_on("evidence", 0.9 * (1 - 1 / (1 + double(found.evaluations + found.sampled_evaluations) / 20)));
  };

  Maximum best;
  Random random(how.seed);
  for (std::size_t s = 0; s <= how.restarts; ++s) {
    const std::vector<double> start = s == 0 ? how.start : another_start(how, coordinates, random);
    Maximum maximum = search(on_first, how.box, start, {.gain = sampled ? rough : fine, .go_on = go_on});
    if (s == 0 || (!maximum.at.empty() && maximum.value > best.value)) best = std::move(maximum);
  }
  found.complete = best.found;
  found.at = best.at.empty() ? how.start : best.at;
  if (found.complete && (k <= most_measured || sampled)) {
    const MaximiseOptions options{.gain = fine, .go_on = go_on};
    if (k <= most_measured) {
      std::vector<double> curvature = curvature_at(on_first, how.box, best);
      for (double& entry : curvature) entry *= double(n) / double(m);
      best = climb(on_all, how.box, found.at, std::move(curvature), options);
    } else {
      best = search(on_all, how.box, found.at, options);
    }
    found.complete = best.found;
    if (!best.at.empty()) found.at = best.at;
  }
  found.value = last == found.at ? best.value : on_all(found.at, {});
  return found;
}

}  // namespace mercer

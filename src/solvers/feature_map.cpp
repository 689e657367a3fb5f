#include "mercer/feature_map.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "mercer/error.hpp"
#include "base/sample.hpp"
#include "mercer/kernel_operator.hpp"
#include "operators/exact_maps.hpp"
#include "operators/simd/evaluate.hpp"
#include "solvers/fourier.hpp"
#include "solvers/map_name.hpp"
#include "solvers/nystrom.hpp"
#include "solvers/tensor_sketch.hpp"

namespace mercer {

class FeatureMap::Implementation {
 public:
  Implementation(State s, Kernel k, std::shared_ptr<const DenseMap> m)
      : state(std::move(s)), kernel(std::move(k)), map(std::move(m)) {}
  State state;
  Kernel kernel;
  std::shared_ptr<const DenseMap> map;
};

namespace {

using State = FeatureMap::State;
using Kind = MapName::Kind;

// At most `most` rows, evenly spaced.
Points sample_of(const Points& points, std::size_t most) {
  if (points.rows() <= most) return points;
  std::vector<std::size_t> rows(most);
  for (std::size_t i = 0; i < most; ++i) rows[i] = i * points.rows() / most;
  return points.select_rows(rows);
}

std::vector<double> self_similarities(const Kernel& kernel, const Points& points, int threads) {
  std::vector<double> values(points.rows());
  if (!values.empty()) KernelOperator<double>(kernel, points, {.threads = threads}).diagonal(values);
  return values;
}

// k(x, x) − ‖φ(x)‖², before what rounding and sketches put below 0 is cut off.
std::vector<double> differences(const DenseMap& map, const Kernel& kernel, const Points& points,
                                int threads) {
  std::vector<double> left = self_similarities(kernel, points, threads);
  const std::size_t F = map.features();
  Buffer<double> features(points.rows() * F);
  map.apply(points, threads, features.data());
  for (std::size_t i = 0; i < left.size(); ++i)
    left[i] -= std::inner_product(features.data() + i * F, features.data() + (i + 1) * F,
                                  features.data() + i * F, 0.0);
  return left;
}

double share_left(const DenseMap& map, const Kernel& kernel, const Points& sample, int threads) {
  double left = 0;
  for (const double value : differences(map, kernel, sample, threads)) left += std::max(0.0, value);
  const std::vector<double> all = self_similarities(kernel, sample, threads);
  const double total = std::accumulate(all.begin(), all.end(), 0.0);
  return total > 0 ? left / total : 0;
}

void check_memory(const MapName& name, double bytes, std::size_t memory,
                  const char* advice = "take a smaller count or raise the memory") {
  if (bytes <= double(memory)) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("the feature map {} takes {:.3g} GB but {:.3g} GB are allowed", name.text(),
                          bytes / 1e9, double(memory) / 1e9),
              {.hint = fmt::format("{}", advice)});
}

DotPower dot_power_of(const Kernel& kernel) {
  const auto power = kernel.node().dot_power();
  if (!power)
    throw Error(
        ErrorCode::unsupported,
        fmt::format(
            "{} has no tensor sketch: linear and poly, and their positive multiples and powers, have one",
            kernel.text()),
        {.hint = "nystrom takes any kernel"});
  return *power;
}

// Everything but a Nyström map follows from the state alone.
std::unique_ptr<const DenseMap> make_map(const MapName& name, const Kernel& kernel, const State& state,
                                         std::size_t memory) {
  const double columns = double(state.columns), count = double(name.count);
  switch (name.kind) {
    case Kind::fourier:
      check_memory(name, columns * count / 2 * 8 + std::min(columns, count / 2) * columns * 8, memory);
      return fourier_map(
          draw_frequencies(kernel.node().spectrum(), state.columns, name.count / 2, state.seed));
    case Kind::sketch: {
      const DotPower power = dot_power_of(kernel);
      check_memory(name, 16 * double(power.degree) * (columns + 1) + 64 * count, memory);
      return tensor_sketch(power, state.columns, name.count, state.seed);
    }
    case Kind::explicit_map:
      return explicit_map(kernel, state.columns, state.names, memory);
    case Kind::nystrom:
      break;
  }
  return nystrom_map(kernel, state.landmarks, state.matrix);
}

void choose_nystrom(const MapName& name, const Kernel& kernel, const Points& points,
                    const FeatureMapOptions& options, State& state) {
  check_for_landmarks(kernel);
  if (points.rows() == 0)
    throw Error(ErrorCode::invalid_data,
                fmt::format("{} chooses landmarks among the rows, and there are none", state.text));
  const std::size_t count = std::min(name.count, points.rows());
  const double m = double(count), squares = 8 * 4 * m * m;
  check_memory(name, squares, options.memory);
  if (name.rule == LandmarkRule::pivoted) {
    // It holds a factor of the rows that it chooses among: of as many as fit. More than ten for each landmark
    // hardly make the choice better (a trace left of 0.339 instead of 0.337 for 100 of 1,797 digits).
    const double fit = (double(options.memory) - squares) / (8 * m),
                 most = std::min(fit, std::max(1000.0, 10 * m));
    if (most < double(points.rows())) {
      check_memory(name, squares + 8 * std::min(4 * m, double(points.rows())) * m, options.memory,
                   "take a smaller count, raise the memory, or choose the landmarks by uniform or kmeans++, "
                   "which take less");
      const std::vector<std::size_t> some = sampled_rows(points.rows(), std::size_t(most), options.seed);
      choose_nystrom(name, kernel, points.select_rows(some), options, state);
      for (std::size_t& row : state.rows) row = some[row];
      return;
    }
  }
  const KernelOperator<double> K(kernel, points, {.threads = options.threads});
  Landmarks chosen = choose_landmarks(name.rule, K, {count, options.seed, options.threads, options.progress});
  state.landmarks = points.select_rows(chosen.rows);
  state.matrix = nystrom_matrix(kernel, state.landmarks, options.threads);
  state.trace_left = chosen.trace_left;
  state.rows = std::move(chosen.rows);
}

void check_columns(const Points& points, std::size_t columns) {
  if (points.cols() == columns) return;
  throw Error(ErrorCode::invalid_data,
              fmt::format("the points have {} columns but the feature map is of points with {}",
                          points.cols(), columns));
}

[[noreturn]] void contradiction(const State& state, const std::string& what) {
  throw Error(ErrorCode::invalid_data,
              fmt::format("the feature map {} contradicts itself: {}", state.text, what));
}

void check_landmarks(const State& state) {
  const std::size_t m = state.landmarks.rows();
  if (m == 0) contradiction(state, "it has no landmarks");
  if (state.landmarks.cols() != state.columns)
    contradiction(state, fmt::format("it is of {} columns but its landmarks have {}", state.columns,
                                     state.landmarks.cols()));
  if (state.matrix.empty() || state.matrix.size() % m != 0 || state.matrix.size() / m > m)
    contradiction(state, fmt::format("{} numbers are no matrix over {} landmarks", state.matrix.size(), m));
  for (const double value : state.matrix)
    if (!std::isfinite(value)) contradiction(state, "its matrix has a number that is not finite");
}

}  // namespace

FeatureMap::FeatureMap(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}
const Kernel& FeatureMap::kernel() const noexcept { return implementation_->kernel; }
bool FeatureMap::exact() const noexcept { return text() == "explicit"; }
std::shared_ptr<const RowMap> FeatureMap::row_map() const { return implementation_->map; }
std::size_t FeatureMap::features() const noexcept { return implementation_->map->features(); }
const FeatureMap::State& FeatureMap::state() const noexcept { return implementation_->state; }

FeatureMap FeatureMap::make(std::string_view text, const Kernel& kernel, const Points& points,
                            const FeatureMapOptions& options) {
  const MapName name = MapName::parse(text);
  const Kernel resolved = kernel.resolve(points);
  State state{.text = name.text(),
              .seed = options.seed,
              .columns = points.cols(),
              .names = points.names(),
              .trace_left = -1};
  if (name.kind == Kind::nystrom) choose_nystrom(name, resolved, points, options, state);
  auto map = make_map(name, resolved, state, options.memory);
  if (state.trace_left < 0)  // not found on the way
    state.trace_left = name.kind == Kind::explicit_map
                           ? 0
                           : share_left(*map, resolved, sample_of(points, 1000), options.threads);
  return FeatureMap(std::make_shared<Implementation>(std::move(state), resolved, std::move(map)));
}

FeatureMap FeatureMap::restore(State state, const Kernel& kernel, std::size_t memory) {
  if (!kernel.resolved())
    throw Error(ErrorCode::invalid_data,
                fmt::format("a feature map is of a kernel with numbers, not of {}", kernel.text()));
  try {
    const MapName name = MapName::parse(state.text);
    if (!state.names.empty() && state.names.size() != state.columns)
      contradiction(state,
                    fmt::format("it is of {} columns but names {}", state.columns, state.names.size()));
    if (name.kind == Kind::nystrom) check_landmarks(state);
    auto map = make_map(name, kernel, state, memory);
    return FeatureMap(std::make_shared<Implementation>(std::move(state), kernel, std::move(map)));
  } catch (const Error& error) {  // what would be wrong usage is a wrong file here
    throw error.in_file("");
  }
}

Points FeatureMap::apply(const Points& points, int threads) const {
  check_columns(points, columns());
  const std::size_t F = features();
  Dense<double> out{points.rows(), F, Buffer<double>(points.rows() * F)};
  implementation_->map->apply(points, threads, out.values.data());
  if (simd::finite(simd::functions(), out.values.data(), out.values.size())) return Points(std::move(out));
  for (std::size_t e = 0; e < out.values.size(); ++e)
    if (!std::isfinite(out.values[e]))
      throw Error(ErrorCode::not_finite,
                  fmt::format("feature {} of row {} under {} is not finite", e % F + 1, e / F + 1, text()),
                  {.hint = "scale the data or the kernel"});
  return Points(std::move(out));
}

std::vector<double> FeatureMap::left_out(const Points& points, int threads) const {
  check_columns(points, columns());
  constexpr std::size_t step = 4096;  // rows whose features are held at a time
  std::vector<double> all;
  for (std::size_t begin = 0; begin < points.rows(); begin += step) {
    const Points part = rows_between(points, {begin, std::min(points.rows(), begin + step)});
    for (const double value : differences(*implementation_->map, kernel(), part, threads))
      all.push_back(std::max(0.0, value));
  }
  return all;
}

}  // namespace mercer

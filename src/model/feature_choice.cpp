#include "model/feature_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/linear_form.hpp"
#include "mercer/error.hpp"
#include "mercer/features.hpp"

namespace mercer {

namespace {

constexpr std::size_t exact_range = 300'000;
constexpr std::size_t landmarks_beyond = 4000;

// How many explicit features the kernel has; none where there is no finite map, or far too many.
std::optional<std::size_t> explicit_count(const Kernel& kernel, const Points& points) {
  try {
    const FeatureCount count = count_features(kernel, points.cols(), {}, points.names());
    std::size_t number = 0;
    if (count.truncated || !count.exact || count.log10 > 6) return {};
    std::from_chars(count.exact->data(), count.exact->data() + count.exact->size(), number);
    return number;
  } catch (const Error&) {
    return {};  // no explicit map
  }
}

FeatureMap make(std::string_view text, const Kernel& kernel, const Points& points,
                const FitOptions& options) {
  return FeatureMap::make(text, kernel, points,
                          {.seed = options.seed,
                           .threads = options.threads,
                           .memory = options.memory,
                           .progress = options.progress});
}

// How many features of n rows the memory holds. Methods that solve in the primal keep them twice, by rows and
// by columns.
std::size_t most_features(std::size_t n, bool primal, const FitOptions& options) {
  return options.memory / (sizeof(double) * (primal ? 2 : 1) * std::max<std::size_t>(n, 1));
}

void check_memory(const FeatureMap& map, std::size_t n, bool primal, const FitOptions& options) {
  const std::size_t most = most_features(n, primal, options);
  if (map.features() <= most) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("{} features of {} rows are more than the memory of {:.1f} GB holds",
                          map.features(), n, double(options.memory) / 1e9),
              {.hint = fmt::format("at most {} fit", most)});
}

bool knows(const Method& method, std::string_view solver) {
  const auto all = method.traits().solvers;
  return std::ranges::find(all, solver) != all.end();
}

}  // namespace

FeatureChoice choose_features(const Method& method, const Kernel& kernel, const Points& points,
                              const FitOptions& options) {
  if (options.approx == "none") return {};
  const std::size_t n = points.rows(), d = points.cols();
  if (!options.approx.empty()) {
    if (options.resume)
      throw Error(ErrorCode::unsupported,
                  "a fit with a kernel approximation cannot be warm-started from a model",
                  {.hints = {{Remedy::start_anew}, {Remedy::no_approximation}}});
    FeatureMap map = make(options.approx, kernel, points, options);
    check_memory(map, n, knows(method, "primal"), options);
    std::string why = fmt::format("{} features of {} in place of the kernel, {:.2g} of the trace left over",
                                  map.features(), map.text(), map.trace_left());
    return {std::move(map), std::move(why)};
  }
  const bool primal = options.solver == "primal";
  if (options.resume || LinearForm::of(kernel) || !knows(method, "primal") ||
      !(primal || options.solver == "auto" || options.solver == "newton"))
    return {};
  const auto features = explicit_count(kernel, points);
  if (features && *features * n <= options.memory / 16 &&
      (primal || double(*features) * double(*features) < double(n) * double(d + 64)))
    return {make("explicit", kernel, points, options),
            fmt::format("primal: {} explicit features of {} cost less than {} rows of K", *features,
                        kernel.text(), n)};
  if (primal)
    throw features
        ? Error(ErrorCode::out_of_memory,
                fmt::format("{} has {} explicit features, more than the memory holds", kernel.text(),
                            *features),
                {.hints = {{Remedy::choose_solver}}})
        : Error(ErrorCode::unsupported, fmt::format("{} has no finite explicit features", kernel.text()),
                {.hints = {{Remedy::choose_solver}, {Remedy::approximate, "nystrom:2000"}}});
  if (n <= exact_range) return {};
  const std::size_t landmarks = std::min(landmarks_beyond, most_features(n, true, options) / 2);
  if (landmarks == 0)
    throw Error(
        ErrorCode::out_of_memory,
        fmt::format(
            "{} rows are beyond the exact range, and the memory of {:.1f} GB holds no features of them", n,
            double(options.memory) / 1e9));
  FeatureMap map = make(fmt::format("nystrom:{}", landmarks), kernel, points, options);
  std::string why = fmt::format(
      "{} rows are beyond the exact range ({}): a restricted (Nyström) solution over {} landmarks, {:.2g} of "
      "the trace left over",
      n, exact_range, landmarks, map.trace_left());
  return {std::move(map), std::move(why), true};
}

}  // namespace mercer

#include "mercer/prior_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "mercer/geometry.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/spectral_density.hpp"
#include "plot/chart.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

constexpr std::size_t prior_places = 301, most_functions = 100;

Points as_column(std::span<const double> places) {
  Dense<double> rows{places.size(), 1, Buffer<double>(places.size())};
  std::ranges::copy(places, rows.values.begin());
  return Points(std::move(rows), {"x"});
}

void check_prior(const Kernel& kernel, std::size_t samples) {
  if (samples < 1 || samples > most_functions)
    throw Error(ErrorCode::invalid_argument, fmt::format("there would be {} functions", samples),
                {.hint = fmt::format("from 1 to {} can be drawn", most_functions)});
  if (const Proof proof = kernel.prove(); !proof.psd)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} is no covariance, as it is not proved positive semidefinite: {}", kernel.text(),
                    proof.because),
        {.hint = kernel.properties().conditional_order == 1 ? fmt::format("center({}) is one", kernel.text())
                                                            : std::string()});
}

/// p on two logarithmic axes, as far down as a millionth of its top and from a thirtieth of the median
/// frequency on.
Chart density_chart(const SpectralDensity& found) {
  std::vector<double> frequencies, density, seen;
  const double top = *std::ranges::max_element(found.density), slowest = found.quantile(0.5) / 30;
  for (std::size_t i = 0; i < found.density.size(); ++i) {
    const bool shown = found.density[i] > 1e-6 * top && found.frequencies[i] > slowest;
    frequencies.push_back(found.frequencies[i]);
    density.push_back(shown ? found.density[i] : std::numeric_limits<double>::quiet_NaN());
    if (shown) seen.push_back(found.frequencies[i]);
  }
  Chart chart("Spectral density", axis_over("frequency ω (radians per unit of x)", seen, 0, true),
              axis_over("p(ω)", density, 0.04, true), 420, 400);
  chart.line(frequencies, density, {.colour = 1, .width = 2});
  chart.note(found.terms.empty() ? "measured by a Fourier transform of k" : "in closed form");
  return chart;
}

}  // namespace

// K = VΛVᵀ gives f = VΛ^½g with g standard normal: also where K is singular, as smooth kernels make it.
std::vector<std::vector<double>> draw_prior(const Kernel& kernel, std::span<const double> places,
                                            std::size_t samples, std::uint64_t seed) {
  check_prior(kernel, samples);
  const std::size_t n = places.size();
  if (n == 0) throw Error(ErrorCode::invalid_argument, "there are no places to draw functions at");
  const Points points = as_column(places);
  std::vector<double> K(n * n);
  KernelOperator<double>(kernel.resolve(points), points, {.threads = 1}).matrix(K);
  const Eigen eigen = symmetric_eigen(K, n, true);
  Random random(seed);
  std::vector<std::vector<double>> functions(samples, std::vector<double>(n, 0.0));
  for (std::vector<double>& f : functions)
    for (std::size_t e = n; e-- > 0;) {
      const double amount = std::sqrt(std::max(0.0, eigen.values[e])) * random.normal();
      for (std::size_t i = 0; i < n; ++i) f[i] += amount * eigen.vectors[i * n + e];
    }
  return functions;
}

std::string prior_picture(const Kernel& kernel, const PriorPicture& options) {
  if (!(options.low < options.high) || !std::isfinite(options.high - options.low))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the range is from {:g} to {:g}", options.low, options.high),
                {.hint = "it must have two finite ends, the lower one first"});
  std::vector<double> x;
  for (std::size_t i = 0; i < prior_places; ++i)
    x.push_back(options.low + (options.high - options.low) * double(i) / double(prior_places - 1));
  const auto functions = draw_prior(kernel, x, options.samples, options.seed);
  const Points points = as_column(x);
  const Kernel resolved = kernel.resolve(points);
  const std::vector<double> zero(x.size(), 0.0);
  std::vector<double> half = self_similarities(resolved, points, points), all;
  for (double& value : half) value = 1.96 * std::sqrt(std::max(0.0, value));
  for (const std::vector<double>& f : functions) all.insert(all.end(), f.begin(), f.end());
  for (const double value : half) all.push_back(value), all.push_back(-value);
  Chart chart(options.title.empty() ? resolved.text() : options.title,
              {.label = "x", .low = options.low, .high = options.high}, axis_over("f(x)", all, 0.04), 560,
              400);
  chart.band_around(x, zero, half, {.colour = muted, .label = "95 % of f(x)", .opacity = 0.2});
  for (std::size_t s = 0; s < functions.size(); ++s)
    chart.line(x, functions[s], {.colour = int(s % palette_size), .width = 1.8});
  chart.note(fmt::format("{} function{} drawn from the Gaussian process with this covariance",
                         functions.size(), functions.size() == 1 ? "" : "s"));
  std::vector<Chart> charts{chart};
  if (resolved.properties().translation_invariant) {
    try {
      if (const SpectralDensity found = spectral_density(resolved); !found.density.empty())
        charts.push_back(density_chart(found));
    } catch (const Error&) {  // such as delta, which is not continuous: it has functions, and no density
    }
  }
  return Chart::side_by_side(charts);
}

}  // namespace mercer

#include "mercer/spectral_density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

constexpr double pi = std::numbers::pi;
using Variance = Spectral::Variance;

/// A part of k along one column with a known distribution of its frequencies: weight·E cos(ωτ), ω =
/// scale·√t·g plus one of the shifts, each as probable as the others.
struct SpectralPart {
  double weight = 1, scale = 0;  // scale 0: the shifts alone
  Variance variance = Variance::one;
  double shape = 1;
  std::vector<double> shifts = {0};

  double density(double frequency) const {
    double sum = 0;
    for (const double shift : shifts) sum += around_zero((frequency - shift) / scale);
    return weight * sum / (scale * double(shifts.size()));
  }
  std::string text() const {
    const std::string family =
        variance == Variance::one ? fmt::format("normal with standard deviation {:.6g}", scale)
        : variance == Variance::gamma
            ? fmt::format("normal with a variance of {:.6g}² times a gamma number of shape {:.6g}, mean 1",
                          scale, shape)
        : shape == 0.5
            ? fmt::format("Cauchy with scale {:.6g}", scale)
            : fmt::format("Student's t with {:.6g} degrees of freedom and scale {:.6g}", 2 * shape, scale);
    const std::string around =
        shifts == std::vector<double>{0} ? "" : fmt::format(", around ±{:.6g}", std::abs(shifts.back()));
    return fmt::format("mass {:.6g}: {}{}", weight, family, around);
  }
  /// p falls like ω to the minus this; none: faster than any power.
  std::optional<double> decay() const {
    return variance == Variance::inverse_gamma ? std::optional(2 * shape + 1) : std::nullopt;
  }

 private:
  double around_zero(double u) const {
    const double a = shape;
    if (variance == Variance::one) return std::exp(-u * u / 2) / std::sqrt(2 * pi);
    if (variance == Variance::inverse_gamma)
      return std::exp(std::lgamma(a + 0.5) - std::lgamma(a)) / std::sqrt(2 * a * pi) *
             std::pow(1 + u * u / (2 * a), -a - 0.5);
    // The variance-gamma distribution: ∫ N(u; 0, t) a^a t^(a−1) e^(−at)/Γ(a) dt.
    const double distance = std::max(std::abs(u), 1e-8);
    const double bessel_at = std::sqrt(2 * a) * distance;
    if (bessel_at > 700) return 0;
    return std::exp(a * std::log(a) - std::lgamma(a)) * std::sqrt(2 / pi) *
           std::pow(distance * distance / (2 * a), (a - 0.5) / 2) *
           std::cyl_bessel_k(std::abs(a - 0.5), bessel_at);
  }
};

/// The frequencies of a term along the first column. None where it is a convolution without a closed form.
std::optional<SpectralPart> part_of(const SpectralTerm& term) {
  SpectralPart part{.weight = term.weight};
  double square = 0;
  bool heavy = false;  // a factor that is not normal: there can be one alone
  for (const auto& [spectral, by] : term.factors) {
    const double stretch = by.empty() ? 1 : by.front();
    if (!spectral.at.empty()) {
      const double at = std::abs(stretch * spectral.at.front());
      if (at == 0) continue;
      std::vector<double> shifted;
      for (const double shift : part.shifts) shifted.push_back(shift - at), shifted.push_back(shift + at);
      part.shifts = std::move(shifted);
      if (part.shifts.size() > 64) return std::nullopt;
      continue;
    }
    const double scale = std::abs(stretch) * spectral.scale;
    if (scale == 0) continue;
    if (heavy || (spectral.variance != Variance::one && square > 0)) return std::nullopt;
    heavy = spectral.variance != Variance::one;
    square += scale * scale;
    part.variance = spectral.variance;
    part.shape = spectral.shape;
  }
  part.scale = std::sqrt(square);
  return part;
}

std::optional<std::vector<SpectralTerm>> known_terms(const Kernel& kernel) {
  try {
    return kernel.node().spectrum();
  } catch (const Error&) {  // not known
    return std::nullopt;
  }
}

/// Columns that the kernel asks for: of scaled(k, by=[…]) and waves.
std::size_t columns_of(const Kernel& kernel) {
  if (const auto terms = known_terms(kernel))
    for (const SpectralTerm& term : *terms)
      for (const auto& [spectral, by] : term.factors)
        if (const std::size_t columns = std::max(by.size(), spectral.at.size())) return columns;
  std::size_t most = 1;
  for (const Kernel& part : kernel.parts()) most = std::max(most, columns_of(part));
  return most;
}

/// k(τ) for differences in the first column.
std::vector<double> along_first_column(const Kernel& kernel, const std::vector<double>& differences) {
  const std::size_t columns = columns_of(kernel), n = differences.size();
  Dense<double> rows{n, columns, Buffer<double>(n * columns)}, origin{1, columns, Buffer<double>(columns)};
  std::fill_n(rows.values.data(), n * columns, 0.0);
  std::fill_n(origin.values.data(), columns, 0.0);
  for (std::size_t i = 0; i < n; ++i) rows.values[i * columns] = differences[i];
  std::vector<double> values(n);
  KernelOperator<double>(kernel, Points(std::move(rows)), Points(std::move(origin)), {.threads = 1})
      .matrix(values);
  return values;
}

/// How far k falls, and where it is half way down.
struct Fall {
  double top = 0, foot = 0, length = 0;  // k(0), the least k, and the τ of the middle; 0: k does not fall
};

Fall fall_of(const Kernel& kernel) {
  constexpr int per_decade = 20, decades = 12;
  std::vector<double> differences{0};
  for (int i = -per_decade * decades; i <= per_decade * decades; ++i)
    differences.push_back(std::pow(10, double(i) / per_decade));
  const std::vector<double> k = along_first_column(kernel, differences);
  Fall fall{.top = k.front(), .foot = *std::ranges::min_element(k)};
  if (fall.top - fall.foot <= 1e-12 * std::abs(fall.top)) return fall;
  const auto half =
      std::ranges::find_if(k, [&](double value) { return value <= (fall.top + fall.foot) / 2; });
  if (half == k.begin() + 1)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} is not continuous at 0, so that no function of frequencies has it as its transform",
                    kernel.text()));
  fall.length = differences[std::size_t(half - k.begin())];
  return fall;
}

constexpr std::size_t grid_size = 241;

/// Frequencies around 1/length, by factors.
std::vector<double> frequency_grid(double length) {
  std::vector<double> grid;
  for (std::size_t i = 0; i < grid_size; ++i)
    grid.push_back(std::pow(10, -3 + 6 * double(i) / double(grid_size - 1)) / length);
  return grid;
}

/// Adds frequencies around those that waves are shifted to: their peaks may be narrower than the grid.
void add_around_shifts(const std::vector<SpectralPart>& parts, std::vector<double>& grid) {
  constexpr int reach = 24;  // quarters of a deviation
  for (const SpectralPart& part : parts)
    for (const double shift : part.shifts)
      for (int k = -reach; k <= reach && shift > 0; ++k)
        if (const double frequency = shift + 0.25 * k * part.scale; frequency > 0) grid.push_back(frequency);
  std::ranges::sort(grid);
  const auto repeated = std::ranges::unique(grid);
  grid.erase(repeated.begin(), repeated.end());
}

/// (1/π) ∫₀ᵀ k(τ) cos(ωτ) dτ by Simpson's rule over k at 0, h, 2h … T, the cosines by turning.
double transform(const std::vector<double>& k, double h, double frequency) {
  const std::complex<double> turn = std::polar(1.0, frequency * h);
  std::complex<double> wave = 1;
  double sum = 0;
  for (std::size_t i = 0; i < k.size(); ++i, wave *= turn)
    sum += (i == 0 || i + 1 == k.size() ? 1 : i % 2 == 1 ? 4 : 2) * k[i] * wave.real();
  return sum * h / (3 * pi);
}

/// Over lengths T that double until k has fallen to a constant, which is a line at 0. Where it never does, it
/// is tapered by Hann's window.
void measure(const Kernel& kernel, const Fall& fall, SpectralDensity& found) {
  constexpr std::size_t steps = 1 << 15;
  constexpr double shortest = 64, longest = 512;  // T, in lengths
  std::vector<double> differences(steps + 1), k;
  double reach = shortest, h = 0, rest = 0;
  bool falls = false;
  for (; !falls && reach <= longest; reach *= 2) {
    h = reach * fall.length / double(steps);
    for (std::size_t i = 0; i <= steps; ++i) differences[i] = h * double(i);
    k = along_first_column(kernel, differences);
    const auto [low, high] = std::ranges::minmax(std::span<const double>(k).last(steps / 4));
    falls = high - low <= 1e-9 * std::abs(fall.top);
    rest = falls && std::abs(high) > 1e-9 * fall.top ? high : 0;
  }
  const double T = h * double(steps);
  if (rest != 0) found.lines.push_back({0, rest});
  for (double& value : k) value -= rest;
  if (!falls) {
    found.resolution = 2 * pi / T;
    for (std::size_t i = 0; i <= steps; ++i) k[i] *= 0.5 * (1 + std::cos(pi * double(i) / double(steps)));
  }
  if (T > shortest * fall.length) {  // there are peaks much narrower than 1/length
    constexpr std::size_t most = 4096;
    const double step = pi / (2 * T);
    found.frequencies.clear();
    for (std::size_t i = 0; i < most && double(i) * step < 24 / fall.length; ++i)
      found.frequencies.push_back(double(i) * step);
  }
  std::erase_if(found.frequencies,
                [&](double frequency) { return frequency * h > 0.5; });  // what the rule resolves
  for (const double frequency : found.frequencies)
    found.density.push_back(std::max(0.0, transform(k, h, frequency)));
}

/// The power by which a measured p falls over the last octave that is clear of rounding.
std::optional<double> measured_decay(const SpectralDensity& found) {
  if (found.density.empty() || found.frequencies.front() == 0) return std::nullopt;  // peaks
  const double clear = 1e-7 * *std::ranges::max_element(found.density);
  const std::size_t octave = 12;  // of the grid's steps: a factor of 2
  std::size_t last = found.density.size() - 1;
  while (last > octave && found.density[last] < clear) --last;
  if (last <= octave) return std::nullopt;
  const double power = std::log(found.density[last - octave] / found.density[last]) /
                       std::log(found.frequencies[last] / found.frequencies[last - octave]);
  return power > 12 ? std::nullopt : std::optional(power);  // a power would have shown more of its tail
}

// --- What ‖f‖² is. ---

/// "0.5·∫f² + 2·∫f′² + …"
std::string derivative_sum(const std::vector<double>& coefficients, bool goes_on) {
  static constexpr const char* marks[] = {"f", "f′", "f″", "f‴"};
  std::string text;
  for (std::size_t m = 0; m < coefficients.size(); ++m)
    text += fmt::format("{}{:.4g}·∫({})²", m == 0 ? "" : " + ", coefficients[m],
                        m < 4 ? std::string(marks[m]) : fmt::format("f⁽{}⁾", m));
  return text + (goes_on ? " + …" : "");
}

std::string draws_text(double decay) {
  const double derivatives = std::max(0.0, std::ceil((decay - 1) / 2) - 1);
  return derivatives == 0 ? "draws from the prior are continuous without a derivative"
                          : fmt::format("draws from the prior have {:g} derivative{}", derivatives,
                                        derivatives == 1 ? "" : "s");
}

std::string penalty_of(const SpectralPart& part) {
  if (part.variance == Variance::one) {  // 1/p = √(2π)/σ̂ Σ ω²ᵐ/(2ᵐm! s²ᵐ), s the standard deviation
    std::vector<double> coefficients;
    double coefficient = part.scale / (std::sqrt(2 * pi) * part.weight);
    for (int m = 0; m < 4; ++m) {
      coefficients.push_back(coefficient);
      coefficient /= 2 * (m + 1) * part.scale * part.scale;
    }
    return fmt::format(
        "‖f‖² = {}: every derivative is penalised, the m-th with {:.4g}/(2ᵐ·m!·{:.4g}²ᵐ), so that f is "
        "smoother than any number of derivatives says (Yuille & Grzywacz 1988)",
        derivative_sum(coefficients, true), coefficients.front(), part.scale);
  }
  if (part.variance == Variance::gamma)
    return "‖f‖² penalises every derivative: 1/p(ω) grows exponentially, as of Gaussians of many widths";
  // 1/p = (a² + ω²)^m / C, m = ν + ½, a = √(2ν)·scale
  const double nu = part.shape, m = nu + 0.5, a2 = 2 * nu * part.scale * part.scale;
  const double C =
      part.weight * std::exp(std::lgamma(m) - std::lgamma(nu)) / std::sqrt(pi) * std::pow(a2, nu);
  if (m != std::floor(m) || m > 20)
    return fmt::format(
        "‖f‖² weighs |F(ω)|² by (ω² + {:.4g})^{:.4g}: a penalty on derivatives up to the fractional "
        "order {:.4g}; {}",
        a2, m, m, draws_text(2 * m));
  std::vector<double> coefficients;
  double binomial = 1;
  for (int j = 0; j <= int(m); ++j) {
    coefficients.push_back(binomial * std::pow(a2, m - j) / (2 * pi * C));
    binomial *= (m - j) / (j + 1);
  }
  return fmt::format("‖f‖² = {}: derivatives up to the {} are penalised, no higher ones; {}",
                     derivative_sum(coefficients, false),
                     m == 1   ? std::string("first")
                     : m == 2 ? std::string("second")
                     : m == 3 ? std::string("third")
                              : fmt::format("{:g}th", m),
                     draws_text(2 * m));
}

std::string penalty_of(const std::vector<SpectralPart>& parts, const SpectralDensity& found) {
  if (parts.size() == 1 && found.lines.empty() && parts[0].shifts.size() == 1) return penalty_of(parts[0]);
  if (found.density.empty())
    return "‖f‖² is finite only for sums of these waves, and counts their amplitudes";
  std::string text = "‖f‖² weighs |F(ω)|² by 1/p(ω)";
  if (parts.size() + found.lines.size() > 1)
    text +=
        ", the least total of the norms of the parts over all ways to write f as their sum (Aronszajn 1950)";
  if (found.terms.empty() && found.frequencies.front() == 0)
    return text + "; only the frequencies of the peaks are cheap";
  if (!found.decay)
    return text + "; p falls faster than any power that could be seen, so that every derivative is penalised";
  return fmt::format("{}; p falls like ω^−{:.3g}, so that f needs about {:.3g} derivative{}; {}", text,
                     *found.decay, *found.decay / 2, *found.decay == 2 ? "" : "s",
                     draws_text(std::round(*found.decay * 10) / 10));
}

void check_kernel_has_density(const Kernel& kernel) {
  const Properties p = kernel.properties();
  if (!p.translation_invariant)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} is not translation invariant, and so has no spectral density", kernel.text()),
        {.hint =
             "rbf, laplace, matern, rational_quadratic, manhattan, periodic, spectral_mixture and what sums "
             "and products make of them are"});
  if (!p.psd)
    throw Error(ErrorCode::unsupported,
                fmt::format("{} is not proved positive semidefinite, and so may have no spectral density: {}",
                            kernel.text(), kernel.prove().because));
  if (!kernel.resolved())
    throw Error(ErrorCode::invalid_kernel, fmt::format("{} has words in the place of numbers", kernel.text()),
                {.hint = "write numbers, as in rbf(gamma=0.5): they are frequencies too"});
}

}  // namespace

SpectralDensity spectral_density(const Kernel& kernel) {
  check_kernel_has_density(kernel);
  const std::vector<std::string> columns = kernel.node().columns();
  if (!columns.empty()) {  // k@column: of k, in that column
    SpectralDensity inside = spectral_density(kernel.parts().front());
    inside.column = columns.front();
    return inside;
  }
  const Fall fall = fall_of(kernel);
  SpectralDensity found{
      .column = "1", .variance = fall.top, .frequencies = {}, .density = {}, .terms = {}, .penalty = {}};
  if (fall.length > 0) found.frequencies = frequency_grid(fall.length);
  std::vector<SpectralPart> parts;
  const auto terms = known_terms(kernel);
  bool closed = terms.has_value();
  for (std::size_t t = 0; closed && t < terms->size(); ++t) {
    const auto part = part_of((*terms)[t]);
    closed = part.has_value();
    if (!part || part->weight == 0) continue;
    if (part->scale > 0) {
      parts.push_back(*part);
      continue;
    }
    for (const double shift : part->shifts)
      if (shift >= 0)
        found.lines.push_back({shift, part->weight / double(part->shifts.size()) * (shift > 0 ? 2 : 1)});
  }
  if (closed) {
    for (const SpectralPart& part : parts) {
      found.terms.push_back(part.text());
      const auto decay = part.decay();
      if (decay) found.decay = found.decay ? std::min(*found.decay, *decay) : *decay;
    }
    if (parts.empty()) found.frequencies.clear();
    add_around_shifts(parts, found.frequencies);
    for (const double frequency : found.frequencies)
      found.density.push_back(std::accumulate(
          parts.begin(), parts.end(), 0.0,
          [&](double sum, const SpectralPart& part) { return sum + part.density(frequency); }));
    for (const auto& line : found.lines)
      found.terms.push_back(fmt::format("mass {:.6g}: at {}{:.6g} alone", line.mass,
                                        line.frequency > 0 ? "±" : "", line.frequency));
  } else {
    found.lines.clear();
    parts.clear();
    measure(kernel, fall, found);
    found.decay = measured_decay(found);
  }
  found.penalty = penalty_of(parts, found);
  return found;
}

double SpectralDensity::quantile(double share) const {
  struct Step {
    double low, high, mass;
  };
  std::vector<Step> steps;
  for (const Line& line : lines) steps.push_back({line.frequency, line.frequency, line.mass});
  for (std::size_t i = 0; i < frequencies.size(); ++i) {  // both signs, by the trapezoidal rule
    const double low = i == 0 ? 0 : frequencies[i - 1], before = i == 0 ? density[0] : density[i - 1];
    steps.push_back({low, frequencies[i], (density[i] + before) * (frequencies[i] - low)});
  }
  std::ranges::stable_sort(steps, {}, &Step::high);
  double left = share * variance;
  for (const Step& step : steps) {
    if (step.mass >= left && step.mass > 0) return step.low + (step.high - step.low) * left / step.mass;
    left -= step.mass;
  }
  return steps.empty() ? 0 : steps.back().high;
}

}  // namespace mercer

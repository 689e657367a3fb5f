// mercer kernels EXPRESSION: the formulas that an expression is made of and its properties, whatever the
// data; with
// --spectrum the frequencies that it is made of.
#include "cli/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numbers>

#include "cli/terminal.hpp"
#include "mercer/catalogue.hpp"
#include "mercer/spectral_density.hpp"

namespace mercer::cli {

namespace {

using Map = ExpressionInfo::Map;
constexpr const char* map_words[] = {"none", "exact", "truncated"};  // of ExpressionInfo::Map

/// What a kernel that is valid only conditionally asks of the coefficients.
std::string side_condition(int order) {
  if (order == 1) return "Σ c = 0";
  return fmt::format("Σ c·p(x) = 0 for all polynomials p of degree below {}", order);
}

std::string validity_text(const ExpressionInfo& info) {
  if (info.proof.psd) return "yes: " + info.proof.because;
  const int order = info.properties.conditional_order;
  if (order == 0) return "not proved: " + info.proof.because;
  return fmt::format("conditionally, of order {}: cᵀKc ≥ 0 for all c with {}{}", order, side_condition(order),
                     order == 1 ? "; center(k) and exp(k) are PSD" : "");
}

std::string diagonal_text(const Properties& p) {
  return p.diagonal ? fmt::format("k(x,x) = {:g} for every x", *p.diagonal) : "k(x,x) differs from x to x";
}

std::string map_text(Map map) {
  if (map == Map::none) return "none known (--approx nystrom:N approximates any kernel)";
  return map == Map::exact ? "finite: mercer features writes it"
                           : "infinite; mercer features writes the first terms of its series";
}

constexpr double shares[] = {0.5, 0.9, 0.99};

/// "50 % below 0.95 (wavelengths above 6.6), …"
std::string frequency_text(const SpectralDensity& found) {
  std::string text;
  for (const double share : shares) {
    const double frequency = found.quantile(share);
    text += fmt::format("{}{:g} % of the mass below ω = {:.4g}", text.empty() ? "" : ", ", 100 * share,
                        frequency);
    if (frequency > 0) text += fmt::format(" (wavelengths above {:.4g})", 2 * std::numbers::pi / frequency);
  }
  return text;
}

/// Where p is higher than anywhere near; none where it falls from 0 on.
std::vector<std::size_t> peaks_of(const std::vector<double>& p) {
  constexpr std::size_t reach = 24;  // over the side lobes of a measured line
  const double low = 1e-4 * *std::ranges::max_element(p);
  std::vector<std::size_t> peaks;
  bool rises = false;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto from = p.begin() + std::ptrdiff_t(i - std::min(i, reach));
    const auto to = p.begin() + std::ptrdiff_t(std::min(i + reach + 1, p.size()));
    if (p[i] > low && std::max_element(from, to) - p.begin() == std::ptrdiff_t(i)) peaks.push_back(i);
    rises |= i > 0 && p[i] > low && p[i] > (1 + 1e-6) * p[i - 1];
  }
  return rises ? peaks : std::vector<std::size_t>();
}

/// A few of the frequencies with their densities: the peaks, or from the slow end to where hardly any mass is
/// left.
std::string density_text(const SpectralDensity& found) {
  constexpr std::size_t most = 8;
  const std::vector<double>&w = found.frequencies, &p = found.density;
  std::vector<std::size_t> shown = peaks_of(p);
  std::string text = shown.empty() ? "" : "peaks at ";
  const double end = 2 * found.quantile(0.99);
  for (std::size_t i = w.size() / 3; i < w.size() && text.empty(); i += w.size() / 12)
    if (w[i] <= end) shown.push_back(i);
  for (std::size_t s = 0; s < std::min(most, shown.size()); ++s)
    text += fmt::format("{}p({:.3g}) = {:.4g}", s == 0 ? "" : ", ", w[shown[s]], p[shown[s]]);
  return text;
}

std::string source_text(const SpectralDensity& found) {
  if (!found.terms.empty()) return "in closed form";
  if (found.resolution == 0) return "measured by a Fourier transform of k";
  return fmt::format(
      "measured by a Fourier transform of k, which does not fall to 0: a line appears {:.3g} wide",
      found.resolution);
}

Json spectrum_json(const SpectralDensity& found) {
  Json lines = Json::array(), quantiles = Json::object();
  for (const auto& line : found.lines) lines.push_back({{"frequency", line.frequency}, {"mass", line.mass}});
  for (const double share : shares) quantiles[fmt::format("{:g}", share)] = found.quantile(share);
  return {{"column", found.column},           {"variance", found.variance},     {"terms", found.terms},
          {"measured", found.terms.empty()},  {"resolution", found.resolution}, {"lines", lines},
          {"quantiles", quantiles},           {"decay", number(found.decay)},   {"penalty", found.penalty},
          {"frequencies", found.frequencies}, {"density", found.density}};
}

void print_spectrum(const SpectralDensity& found, const std::function<void(const char*, std::string)>& line) {
  line("density",
       fmt::format("k(τ) = ∫ p(ω) cos(ωτ) dω along column {}, {}", found.column, source_text(found)));
  for (const std::string& term : found.terms) line("", term);
  if (found.terms.empty())
    for (const auto& one : found.lines)
      line("", fmt::format("mass {:.6g} at {:.6g} alone", one.mass, one.frequency));
  line("frequencies", frequency_text(found));
  if (!found.density.empty()) line("values", density_text(found));
  line("penalty", found.penalty);
}

Json to_json(const Kernel& kernel, const ExpressionInfo& info) {
  const Properties& p = info.properties;
  Json named = Json::array();
  for (const KernelInfo& one : info.named) named.push_back({{"name", one.name}, {"formula", one.formula}});
  return {{"expression", kernel.text()},
          {"resolved", kernel.resolved()},
          {"formulas", named},
          {"properties",
           {{"psd", info.proof.psd},
            {"because", info.proof.because},
            {"conditional_order", p.conditional_order},
            {"translation_invariant", p.translation_invariant},
            {"radial", p.radial},
            {"bound", number(p.bound)},
            {"diagonal", number(p.diagonal)},
            {"explicit_map", map_words[int(info.map)]},
            {"spectral_density", info.spectral_density}}}};
}

}  // namespace

void explain_expression(const Session& session, const Kernel& kernel, bool spectrum) {
  std::optional<SpectralDensity> found;
  if (spectrum) found = spectral_density(kernel);
  const ExpressionInfo info = describe(kernel);
  const Properties& p = info.properties;
  const auto line = [&](const std::string& name, const std::string& text) {
    session.say(entry(name, text, 2, 16, text_width()));
  };
  session.say(heading("expression: " + kernel.text()));
  for (const KernelInfo& one : info.named) line(one.name, one.formula);
  session.say(heading("properties"));
  line("PSD", validity_text(info));
  line("invariance", p.radial                  ? "radial: a function of ‖x−z‖ alone"
                     : p.translation_invariant ? "translation invariant: a function of x−z"
                                               : "none: not a function of x−z alone");
  line("bound", p.bound < 1e300 ? fmt::format("|k(x,z)| ≤ {:g}", p.bound) : "none");
  line("diagonal", diagonal_text(p));
  line("explicit map", map_text(info.map));
  line("spectrum", info.spectral_density     ? "spectral density known: --approx fourier:N draws from it"
                   : p.translation_invariant ? "spectral density not known; --spectrum measures it"
                                             : "none: not translation invariant");
  Json json = to_json(kernel, info);
  if (found) {
    session.say(heading("spectral density"));
    print_spectrum(*found, line);
    json["spectrum"] = spectrum_json(*found);
  }
  session.answer(json);
}

}  // namespace mercer::cli

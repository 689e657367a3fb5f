#include "model/onnx_functions.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include "kernels/special_functions.hpp"

namespace mercer::onnx {

namespace {

constexpr std::size_t chebyshev_terms = 24;

/// Chebyshev polynomials of f on each of the intervals [ends[i], ends[i + 1]]: intervals × terms.
std::vector<double> chebyshev(const std::function<double(double)>& f, std::span<const double> ends) {
  const double n = double(chebyshev_terms);
  std::vector<double> all;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    std::vector<double> values(chebyshev_terms);
    for (std::size_t j = 0; j < chebyshev_terms; ++j) {
      const double x = std::cos(std::numbers::pi * (double(j) + 0.5) / n);
      values[j] = f(ends[i] + (x + 1) / 2 * (ends[i + 1] - ends[i]));
    }
    for (std::size_t k = 0; k < chebyshev_terms; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < chebyshev_terms; ++j)
        sum += values[j] * std::cos(std::numbers::pi * double(k) * (double(j) + 0.5) / n);
      all.push_back(sum * (k == 0 ? 1 : 2) / n);
    }
  }
  return all;
}

/// The polynomial of interval `index` at x in [−1, 1], by Clenshaw's recurrence (1955).
Name clenshaw(Graph& g, const std::vector<double>& coefficients, const Name& index, const Name& x) {
  const std::size_t intervals = coefficients.size() / chebyshev_terms;
  const auto coefficient = [&](std::size_t k) {
    std::vector<double> column;
    for (std::size_t i = 0; i < intervals; ++i) column.push_back(coefficients[i * chebyshev_terms + k]);
    return gather(g, g.numbers({std::int64_t(intervals)}, column), index, 0);
  };
  const Name twice = multiply(g, x, g.number(2));
  Name value = coefficient(chebyshev_terms - 1), above;
  for (std::size_t k = chebyshev_terms - 1; k-- > 1;) {
    Name next = add(g, multiply(g, twice, value), coefficient(k));
    if (!above.empty()) next = subtract(g, next, above);
    above = std::exchange(value, next);
  }
  return add(g, subtract(g, multiply(g, x, value), above), coefficient(0));
}

}  // namespace

// θ = 2 asin √((1 − |c|)/2), with a float32 asin and a step of Newton's method: asin is well conditioned up
// to √½, unlike acos near 1.
Name arc_cosine(Graph& g, const Name& cosine) {
  const Name one = g.number(1), half = g.number(0.5);
  const Name rounded = subtract(g, one, g.node("Abs", {cosine}));
  const Name rest =
      choose(g, g.node("Less", {rounded, g.number(angle_rounding<double>)}), g.number(0), rounded);
  const Name s2 = multiply(g, rest, half), s = g.node("Sqrt", {s2});
  const Name rough = cast(g, g.node("Asin", {cast(g, s, Element::float32)}), Element::float64);
  const Name slope = g.node("Sqrt", {subtract(g, one, s2)});
  const Name asin = subtract(g, rough, divide(g, subtract(g, g.node("Sin", {rough}), s), slope));
  const Name angle = multiply(g, asin, g.number(2));
  return choose(g, g.node("Less", {cosine, g.number(0)}), subtract(g, g.number(std::numbers::pi), angle),
                angle);
}

Name error_function(Graph& g, const Name& x) {
  constexpr double width = 0.5, end = 6;  // erf(6) = 1 − 2·10⁻¹⁷
  std::vector<double> ends;
  for (double at = 0; at <= end; at += width) ends.push_back(at);
  const Name size = g.node("Min", {g.node("Abs", {x}), g.number(end)});
  const Name place =
      g.node("Min", {g.node("Floor", {divide(g, size, g.number(width))}), g.number(double(ends.size()) - 2)});
  const Name local = subtract(
      g, multiply(g, subtract(g, divide(g, size, g.number(width)), place), g.number(2)), g.number(1));
  const auto erf = [](double t) { return std::erf(t); };
  const Name value = clenshaw(g, chebyshev(erf, ends), cast(g, place, Element::int64), local);
  return multiply(g, g.node("Sign", {x}), value);
}

// As MaternTable: eᵗM(t) between powers of 2. Below them M(t) is 1 − Γ(1−ν)/Γ(1+ν)·(t/2)^(2ν) where ν < 1,
// and 1 in float64 elsewhere; above them e⁻ᵗ is 0 beside M(0).
Name matern_function(Graph& g, double nu, const Name& t) {
  constexpr int lowest = -40, highest = 9;
  std::vector<double> ends, inverse;
  for (int e = lowest; e <= highest; ++e) {
    ends.push_back(std::ldexp(1, e));
    if (e < highest) inverse.push_back(std::ldexp(1, -e));
  }
  const Name clipped = g.node("Min", {g.node("Max", {t, g.number(ends.front())}), g.number(ends.back())});
  const Name log2 = divide(g, g.node("Log", {clipped}), g.number(std::numbers::ln2));
  const Name place =
      subtract(g, g.node("Min", {g.node("Floor", {log2}), g.number(highest - 1)}), g.number(lowest));
  const Name index = cast(g, g.node("Max", {place, g.number(0)}), Element::int64);
  const Name scaled =
      multiply(g, clipped, gather(g, g.numbers({std::int64_t(inverse.size())}, inverse), index, 0));
  const Name local = subtract(g, multiply(g, scaled, g.number(2)), g.number(3));
  const auto smooth = [&](double at) { return std::exp(at) * matern_value(nu, at); };
  const Name value = multiply(g, clenshaw(g, chebyshev(smooth, ends), index, local),
                              g.node("Exp", {g.node("Neg", {clipped})}));
  Name near = g.number(1);
  if (nu < 1) {
    const double factor = std::tgamma(1 - nu) / std::tgamma(1 + nu) * std::exp2(-2 * nu);
    near = subtract(
        g, near,
        multiply(g, g.node("Pow", {g.node("Max", {t, g.number(0)}), g.number(2 * nu)}), g.number(factor)));
  }
  return choose(g, g.node("Less", {t, g.number(ends.front())}), near, value);
}

Name exponential(Graph& g, const Name& x, bool flushed) {
  const Name value = g.node("Exp", {x});
  return flushed ? choose(g, g.node("Less", {x, g.number(-708.3965)}), g.number(0), value) : value;
}

std::vector<Name> repeat(
    Graph& g, std::int64_t count, std::vector<Name> states,
    const std::function<std::vector<Name>(Graph&, const Name& i, const std::vector<Name>&)>& body) {
  const auto inside = std::make_shared<Graph>(g);
  const Name i = inside->parameter(Element::int64, true), goes_on = inside->parameter(Element::boolean, true);
  std::vector<Name> before;
  for (std::size_t s = 0; s < states.size(); ++s) before.push_back(inside->parameter(Element::float64));
  const std::vector<Name> after = body(*inside, i, before);
  inside->result(inside->node("Identity", {goes_on}), Element::boolean);
  for (const Name& state : after) inside->result(state, Element::float64);
  std::vector<Name> inputs{g.integer(count), g.truth(true)};
  inputs.insert(inputs.end(), states.begin(), states.end());
  return g.nodes("Loop", inputs, states.size(), {{"body", std::shared_ptr<const Graph>(inside)}});
}

}  // namespace mercer::onnx

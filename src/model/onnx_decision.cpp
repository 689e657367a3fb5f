#include "model/onnx_decision.hpp"

#include <charconv>
#include <cmath>

#include "model/prediction.hpp"
#include "model/onnx_functions.hpp"
#include "model/onnx_tables.hpp"

namespace mercer::onnx {

namespace {

using Integers = std::vector<std::int64_t>;

/// rows × pairs: sums[i][j − 1] + sums[j][i].
Name pair_sums(Graph& g, const Name& outputs, std::size_t classes) {
  Integers first, second;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j) {
      first.push_back(std::int64_t(i * (classes - 1) + j - 1));
      second.push_back(std::int64_t(j * (classes - 1) + i));
    }
  return add(g, gather(g, outputs, g.integers(first), 1), gather(g, outputs, g.integers(second), 1));
}

Name largest(Graph& g, const Name& values) {
  return g.node("ArgMax", {values}, {{"axis", std::int64_t(1)}, {"keepdims", std::int64_t(0)}});
}

/// 0 where the one score is positive, else 1.
Name first_or_second(Graph& g, const Name& score) {
  const Name second = cast(g, g.node("LessOrEqual", {score, g.number(0)}), Element::int64);
  return g.node("Squeeze", {second, g.integers({1})});
}

Name most_votes(Graph& g, const Name& scores, std::size_t classes) {
  if (classes == 2) return first_or_second(g, scores);
  const std::size_t pairs = classes * (classes - 1) / 2;
  std::vector<double> first(pairs * classes), second(pairs * classes);
  for (std::size_t i = 0, pair = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++pair) {
      first[pair * classes + i] = 1;
      second[pair * classes + j] = 1;
    }
  const Name wins = cast(g, g.node("Greater", {scores, g.number(0)}), Element::float64);
  const auto count = [&](const Name& won, const std::vector<double>& whose) {
    return product(g, won, g.numbers({std::int64_t(pairs), std::int64_t(classes)}, whose));
  };
  return largest(g, add(g, count(wins, first), count(subtract(g, g.number(1), wins), second)));
}

Name logistic(Graph& g, const Name& z) {  // 1 / (1 + eᶻ)
  return divide(g, g.number(1), add(g, g.number(1), g.node("Exp", {z})));
}

Name softmax(Graph& g, const Name& scores, std::size_t classes, std::size_t width) {
  if (width == classes) return g.node("Softmax", {scores}, {{"axis", std::int64_t(1)}});
  const Name small = logistic(g, g.node("Abs", {scores}));  // of the class that is less likely
  const Name large = subtract(g, g.number(1), small), first = g.node("Greater", {scores, g.number(0)});
  return concat(g, {choose(g, first, large, small), choose(g, first, small, large)});
}

// A round of couple() (methods/calibration.cpp) changes the class probabilities p one after the other. A row
// that has converged stays as it is.
std::vector<Name> coupling_round(Graph& g, const Name& Q, const std::vector<Name>& states, std::int64_t k) {
  const Name p = states[0];  // rows × k
  const auto lengthwise = [](Graph& in, const Name& a) {
    return in.node("Unsqueeze", {a, in.integers({2})});
  };
  const Name Qp = g.node("Squeeze", {g.node("MatMul", {Q, lengthwise(g, p)}), g.integers({2})});
  const Name pQp = sum(g, multiply(g, p, Qp));
  const Name worst = reduce(g, "ReduceMax", g.node("Abs", {subtract(g, Qp, pQp)}));
  const Name done = g.node("Less", {worst, g.number(1e-9 / double(k))});
  Integers all;
  for (std::int64_t t = 0; t < k; ++t) all.push_back(t);
  const Name places = g.integers(all);
  const auto one_class = [&](Graph& in, const Name& t, const std::vector<Name>& now) {
    const auto column = [&](const Name& a) {
      return in.node("Unsqueeze", {gather(in, a, t, 1), in.integers({1})});
    };
    const Name Qt = gather(in, Q, t, 1), Qtt = column(Qt), Qp_t = column(now[1]);
    const Name change = divide(in, subtract(in, now[2], Qp_t), Qtt), rest = add(in, change, in.number(1));
    const Name own = cast(in, in.node("Equal", {places, t}), Element::float64);
    const Name curve = add(in, multiply(in, change, Qtt), multiply(in, Qp_t, in.number(2)));
    const Name value = divide(in, divide(in, add(in, now[2], multiply(in, change, curve)), rest), rest);
    return std::vector{divide(in, add(in, now[0], multiply(in, change, own)), rest),
                       divide(in, add(in, now[1], multiply(in, change, Qt)), rest), value};
  };
  const std::vector<Name> after = repeat(g, k, {p, Qp, pQp}, one_class);
  return {choose(g, done, p, after[0])};
}

Name coupled(Graph& g, const Name& pairs, std::size_t classes) {
  constexpr double least = 1e-7;
  const auto k = std::int64_t(classes);
  const std::size_t count = classes * (classes - 1) / 2;
  const Name r = g.node("Clip", {pairs, g.number(least), g.number(1 - least)});
  // rᵢⱼ of all i and j: those of pairs, 1 − those, and 0.
  const Name known =
      concat(g, {r, subtract(g, g.number(1), r), multiply(g, gather(g, r, g.integers({0}), 1), g.number(0))});
  Integers places(classes * classes, std::int64_t(2 * count));
  for (std::size_t i = 0, pair = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++pair) {
      places[i * classes + j] = std::int64_t(pair);
      places[j * classes + i] = std::int64_t(count + pair);
    }
  std::vector<double> identity(classes * classes, 0);
  for (std::size_t i = 0; i < classes; ++i) identity[i * classes + i] = 1;
  const Name R = g.node("Reshape", {gather(g, known, g.integers(places), 1), g.integers({0, k, k})});
  const Name T = g.node("Transpose", {R}, {{"perm", Integers{0, 2, 1}}});  // rⱼᵢ
  const Name diagonal = sum(g, multiply(g, T, T), 2);                      // Σⱼ rⱼᵢ²
  const Name Q = subtract(g, multiply(g, diagonal, g.numbers({k, k}, identity)), multiply(g, T, R));
  const Name start = add(g, multiply(g, sum(g, r), g.number(0)),
                         g.numbers({1, k}, std::vector<double>(classes, 1 / double(k))));
  return repeat(
             g, std::max<std::int64_t>(100, k), {start},
             [&](Graph& in, const Name&, const std::vector<Name>& p) { return coupling_round(in, Q, p, k); })
      .front();
}

Name calibrated(Graph& g, const Fitted& fitted, const Name& scores, std::size_t classes) {
  const auto width = std::int64_t(fitted.slopes.size());
  const Name z = add(g, multiply(g, scores, g.numbers({1, width}, fitted.slopes)),
                     g.numbers({1, width}, fitted.offsets));
  const Name pairs = logistic(g, z);
  return classes == 2 ? concat(g, {pairs, subtract(g, g.number(1), pairs)}) : coupled(g, pairs, classes);
}

Name inside_shares(Graph& g, const std::vector<double>& marks, const Name& score) {
  const double n = double(marks.size());
  const Name all = g.numbers({1, std::int64_t(marks.size())}, marks);
  const Name passed = sum(g, cast(g, g.node("GreaterOrEqual", {score, all}), Element::float64));
  const Name between = divide(g, g.node("Min", {passed, g.number(n - 1)}), g.number(n));
  const Name above = choose(g, g.node("Greater", {score, g.number(marks.back())}), g.number(0.999), between);
  const Name inside = choose(g, g.node("Less", {score, g.number(marks.front())}), g.number(0.001), above);
  return concat(g, {inside, subtract(g, g.number(1), inside)});
}

/// Labels that are whole numbers are numbers.
bool are_whole(const std::vector<std::string>& labels, Integers& numbers) {
  for (const std::string& label : labels) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
    if (error != std::errc{} || end != label.data() + label.size()) return false;
    numbers.push_back(number);
  }
  return true;
}

void label_output(Graph& g, const std::vector<std::string>& labels, const Name& codes) {
  Integers numbers;
  if (are_whole(labels, numbers))
    g.output("label", gather(g, g.integers(numbers), codes, 0), Element::int64, {"N"});
  else
    g.output("label", gather(g, g.strings(labels), codes, 0), Element::string, {"N"});
}

/// Numbers of the element that the graph has.
void number_output(Graph& g, const char* name, const Name& from, Element element, std::int64_t width) {
  g.output(name, element == Element::float64 ? from : cast(g, from, element), element, {"N", width});
}

void class_outputs(Graph& g, const Model& model, const Name& scores, Element element) {
  const Fitted& fitted = model.fitted;
  const std::size_t classes = model.labels.size(), width = fitted.rho.size();
  Name probabilities, codes;
  if (!fitted.slopes.empty())
    probabilities = calibrated(g, fitted, scores, classes);
  else if (fitted.rule == Rule::softmax)
    probabilities = softmax(g, scores, classes, width);
  else if (fitted.rule == Rule::shares)
    probabilities = scores;
  if (!fitted.slopes.empty())
    codes = largest(g, probabilities);
  else if (fitted.rule == Rule::one_vs_one)
    codes = most_votes(g, scores, classes);
  else
    codes = width < classes ? first_or_second(g, scores) : largest(g, scores);
  label_output(g, model.labels, codes);
  const Name shown = score_sign(classes, width) < 0 ? g.node("Neg", {scores}) : scores;
  number_output(g, "scores", shown, element, std::int64_t(width));
  if (!probabilities.empty())
    number_output(g, "probabilities", probabilities, element, std::int64_t(classes));
}

}  // namespace

void write_decision(Graph& g, const Model& model, const Name& outputs, Element element) {
  const Fitted& fitted = model.fitted;
  const auto width = std::int64_t(fitted.rho.size());
  const bool pairs = fitted.rule == Rule::one_vs_one;
  const Name sums = pairs ? pair_sums(g, outputs, model.labels.size()) : outputs;
  const Name scores = subtract(g, sums, g.numbers({1, width}, fitted.rho));
  if (!model.labels.empty()) return class_outputs(g, model, scores, element);
  switch (fitted.rule) {
    case Rule::novelty: {
      const Name inside = cast(g, g.node("Greater", {scores, g.number(0)}), Element::int64);
      const Name sign = g.node("Sub", {g.node("Mul", {inside, g.integer(2)}), g.integer(1)});
      g.output("label", g.node("Squeeze", {sign, g.integers({1})}), Element::int64, {"N"});
      if (!fitted.density_marks.empty())
        number_output(g, "probabilities", inside_shares(g, fitted.density_marks, scores), element, 2);
      return number_output(g, "scores", scores, element, width);
    }
    case Rule::rate:
      return number_output(g, "prediction", g.node("Exp", {scores}), element, width);
    case Rule::projection:
      return number_output(g, "components", scores, element, width);
    default:
      return number_output(g, "prediction", scores, element, width);
  }
}

}  // namespace mercer::onnx

#include "model/onnx_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "kernels/linear_form.hpp"
#include "mercer/error.hpp"
#include "mercer/methods/gp_classifier.hpp"
#include "mercer/methods/knn.hpp"
#include "mercer/methods/lwlr.hpp"
#include "mercer/methods/nadaraya_watson.hpp"
#include "methods/kept_rows.hpp"
#include "methods/linear_weights.hpp"
#include "model/onnx_features.hpp"
#include "model/onnx_functions.hpp"
#include "model/onnx_kernel.hpp"

namespace mercer::onnx {

namespace {

Name matrix(Graph& g, std::size_t rows, std::size_t columns, std::span<const double> values) {
  return g.numbers({std::int64_t(rows), std::int64_t(columns)}, values);
}

Name is_positive(Graph& g, const Name& a) { return g.node("Greater", {a, g.number(0)}); }

// K[:, begin:end] times the coefficients of each block.
Name block_sums(Graph& g, const Expansion& e, const Table& x) {
  const Name K = KernelGraph(g, e.kernel, e.points, x).matrix();
  std::vector<Name> sums;
  std::size_t begin = 0;
  for (const std::size_t rows : e.blocks) {
    const auto coefficients = std::span(e.coefficients).subspan(begin * e.width, rows * e.width);
    const Name part = rows == e.points.rows()
                          ? K
                          : g.node("Slice", {K, g.integers({std::int64_t(begin)}),
                                             g.integers({std::int64_t(begin + rows)}), g.integers({1})});
    sums.push_back(rows == 0 ? spread(g, g.number(0), x.name, e.width)
                             : product(g, part, matrix(g, rows, e.width, coefficients)));
    begin += rows;
  }
  return concat(g, sums);
}

// Shares of the classes, or means: Σ wᵢ yᵢ k(xᵢ, x) / Σ wᵢ k(xᵢ, x).
Name weighted_means(Graph& g, const Model& model, const Table& x) {
  const KeptRows rows(model.fitted, NadarayaWatson::name);
  const Name K = KernelGraph(g, rows.kernel, rows.points, x, true).matrix();
  std::vector<double> targets, weights;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    weights.push_back(rows.weight(i));
    for (std::size_t c = 0; c < rows.width; ++c)
      targets.push_back(rows.weight(i) * rows.targets[i * rows.width + c]);
  }
  const Name total = product(g, K, matrix(g, rows.size(), 1, weights));
  const Name found = product(g, K, matrix(g, rows.size(), rows.width, targets));
  const Name some = is_positive(g, total);
  return choose(g, some, divide(g, found, choose(g, some, total, g.number(1))),
                matrix(g, 1, rows.width, rows.mean));
}

// As knn.cpp: rows in the order of 2k(x, z) − k(z, z), each counting for its weight until they are enough.
Name nearest_means(Graph& g, const Model& model, const Table& x) {
  const KeptRows rows(model.fitted, Knn::name, true);
  const double wanted = std::get<double>(model.method->get("neighbours"));
  const bool by_distance = std::get<Word>(model.method->get("weighting")).text == "distance";
  KernelGraph kernel(g, rows.kernel, rows.points, x, true);
  const Name nearness =
      subtract(g, multiply(g, kernel.matrix(), g.number(2)), matrix(g, 1, rows.size(), rows.self));
  const auto count =
      std::int64_t(rows.weights.empty() ? std::min(wanted, double(rows.size())) : double(rows.size()));
  const std::vector<Name> sorted =
      g.nodes("TopK", {nearness, g.integers({count})}, 2, {{"axis", std::int64_t(1)}});
  Name weights;  // rows × count
  if (rows.weights.empty()) {
    weights = spread(g, g.number(1), x.name, std::size_t(count));
  } else {
    const Name own = gather(g, g.numbers({std::int64_t(rows.size())}, rows.weights), sorted[1], 0);
    const Name before = subtract(g, g.node("CumSum", {own, g.integer(1)}), own);
    const Name left = g.node("Max", {subtract(g, g.number(wanted), before), g.number(0)});
    weights = g.node("Min", {own, left});
  }
  if (by_distance) {
    const Name self = kernel.diagonal(), distance = subtract(g, self, sorted[0]);
    const Name kept = gather(g, g.numbers({std::int64_t(rows.size())}, rows.self), sorted[1], 0);
    const Name rounding = multiply(g, add(g, g.node("Abs", {self}), g.node("Abs", {kept})),
                                   g.number(16 * std::numeric_limits<double>::epsilon()));
    const Name counts = is_positive(g, weights);
    const Name zero =
        cast(g, g.node("And", {g.node("LessOrEqual", {distance, rounding}), counts}), Element::float64);
    const Name meets = is_positive(g, reduce(g, "ReduceMax", zero));
    const Name root = g.node(
        "Sqrt", {choose(g, is_positive(g, zero), g.number(1), g.node("Max", {distance, g.number(0)}))});
    const Name safe = choose(g, g.node("Equal", {root, g.number(0)}), g.number(1), root);
    weights = choose(g, meets, multiply(g, weights, zero), divide(g, weights, safe));
  }
  const Name targets = gather(g, matrix(g, rows.size(), rows.width, rows.targets), sorted[1], 0);
  const Name weighed = multiply(g, targets, g.node("Unsqueeze", {weights, g.integers({2})}));
  return divide(g, sum(g, weighed, 1, false), sum(g, weights));
}

// The mean of the logistic function over a normal distribution, as averaged_sigmoid() (solvers/laplace.hpp).
Name averaged(Graph& g, const Name& mean, const Name& variance) {
  constexpr double slopes[] = {0.41, 0.4, 0.37, 0.44, 0.39};
  constexpr double shares[] = {-1854.8214151, 3516.89893646, 221.29346712, 128.12323805, -2010.49422654};
  Name total;
  for (std::size_t t = 0; t < 5; ++t) {
    const Name spread_out =
        g.node("Sqrt", {add(g, multiply(g, variance, g.number(2 * slopes[t] * slopes[t])), g.number(1))});
    const Name erf = error_function(g, divide(g, multiply(g, mean, g.number(slopes[t])), spread_out));
    const Name term = multiply(g, add(g, erf, g.number(1)), g.number(0.5 * shares[t]));
    total = total.empty() ? term : add(g, total, term);
  }
  return g.node("Clip", {total, g.number(0), g.number(1)});
}

Name gaussian_process_shares(Graph& g, const Model& model, const Table& x) {
  const Expansion& e = model.fitted.expansion;
  const std::size_t m = e.points.rows(), functions = e.width == 2 ? 1 : e.width;
  if (model.fitted.precision.size() != functions * m * m)
    throw Error(ErrorCode::invalid_data, "the model of gp_classifier has no factors for its variances");
  KernelGraph kernel(g, e.kernel, e.points, x);
  const Name K = kernel.matrix(), self = kernel.diagonal();
  const Name means = product(g, K, matrix(g, m, e.width, e.coefficients));
  std::vector<Name> shares;
  for (std::size_t f = 0; f < functions; ++f) {
    std::vector<double> inverse(m * m, 0);  // T⁻ᵀ
    for (std::size_t i = 0; i < m; ++i) inverse[i * m + i] = 1;
    trsm<double>(CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, m, 1,
                 model.fitted.precision.data() + f * m * m, m, inverse.data(), m);
    const Name v = product(g, K, matrix(g, m, m, inverse));
    const Name variance = g.node("Max", {subtract(g, self, sum(g, multiply(g, v, v))), g.number(0)});
    const std::int64_t column = functions == 1 ? 1 : std::int64_t(f);
    shares.push_back(averaged(g, gather(g, means, g.integers({column}), 1), variance));
  }
  if (functions == 1) return concat(g, {subtract(g, g.number(1), shares[0]), shares[0]});
  const Name all = concat(g, shares), total = sum(g, all), some = is_positive(g, total);
  return choose(g, some, divide(g, all, choose(g, some, total, g.number(1))),
                g.number(1 / double(functions)));
}

/// A⁻¹B of a positive definite A by Gauss and Jordan's elimination; `system`: A and B side by side.
Name solved(Graph& g, const Name& system, std::size_t d, std::size_t columns) {
  std::vector<std::int64_t> all(d), last(columns);
  for (std::size_t j = 0; j < d; ++j) all[j] = std::int64_t(j);
  for (std::size_t c = 0; c < columns; ++c) last[c] = std::int64_t(d + c);
  const Name places = g.integers(all);
  const auto body = [&](Graph& inside, const Name& j, const std::vector<Name>& states) {
    const Name row = gather(inside, states[0], j, 0), column = gather(inside, states[0], j, 1);
    const Name pivot = divide(inside, row, gather(inside, row, j, 0));
    const Name own = cast(inside, inside.node("Equal", {places, j}), Element::float64);
    const Name factors = inside.node("Unsqueeze", {subtract(inside, column, own), inside.integers({1})});
    return std::vector{
        subtract(inside, states[0],
                 multiply(inside, factors, inside.node("Unsqueeze", {pivot, inside.integers({0})})))};
  };
  return gather(g, repeat(g, std::int64_t(d), {system}, body).front(), g.integers(last), 1);
}

// As lwlr.cpp, row after row: everything is centred at the weighted mean of the rows.
Name local_fits(Graph& g, const Model& model, const Table& x) {
  constexpr double smallest_ridge = 1e-12;
  const KeptRows rows(model.fitted, Lwlr::name);
  const double ridge = std::get<double>(model.method->get("ridge"));
  if (ridge < smallest_ridge)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("lwlr with ridge = {:g} takes the shortest of many solutions, for which ONNX has no "
                    "operator",
                    ridge),
        {.owner = "lwlr", .hint = "fit it with ridge=1e-8 or more"});
  const Kernel given = Kernel::parse(std::get<Word>(model.method->get("features")).text).resolve(rows.points);
  const bool plain = is_dot_product(given);
  const Table phi = plain ? x : features(g, given, rows.points, x);
  const Table kept_rows{points(g, rows.points), rows.points.cols()};
  const Name kept = plain ? kept_rows.name : features(g, given, rows.points, kept_rows).name;
  const std::size_t m = rows.size(), d = phi.width, p = rows.width;
  const Name K = KernelGraph(g, rows.kernel, rows.points, x, true).matrix();
  const Name both = concat(g, {kept, matrix(g, m, p, rows.targets)});  // m × (d + p)
  std::vector<double> ones(m, 1), identity(d * d, 0);
  for (std::size_t j = 0; j < d; ++j) identity[j * d + j] = 1;
  const Name row_weights =
      g.numbers({std::int64_t(m)}, rows.weights.empty() ? std::span<const double>(ones) : rows.weights);
  const Name eye = matrix(g, d, d, identity), mean_target = g.numbers({std::int64_t(p)}, rows.mean);
  const auto inside = std::make_shared<Graph>(g);
  Graph& b = *inside;
  const Name weights = b.parameter(Element::float64), at = b.parameter(Element::float64);
  const auto slice = [&](const Name& a, std::size_t begin, std::size_t end, std::int64_t axis) {
    return b.node(
        "Slice", {a, b.integers({std::int64_t(begin)}), b.integers({std::int64_t(end)}), b.integers({axis})});
  };
  const Name weighed = multiply(b, weights, row_weights), largest = reduce(b, "ReduceMax", weighed, 0);
  const Name some = is_positive(b, largest);
  const Name relative = divide(b, weighed, choose(b, some, largest, b.number(1)));
  const Name seen = choose(b, b.node("Greater", {relative, b.number(1e-40)}), relative, b.number(0));
  const Name total = sum(b, seen, 0), share = divide(b, seen, choose(b, some, total, b.number(1)));
  const Name mean = b.node("MatMul", {share, both});  // d + p
  const Name root = b.node("Unsqueeze", {b.node("Sqrt", {seen}), b.integers({1})});
  const Name panel = multiply(b, subtract(b, both, mean), root);
  const Name left = slice(panel, 0, d, 1);
  const Name moments =
      product(b, b.node("Transpose", {left}, {{"perm", std::vector<std::int64_t>{1, 0}}}), panel);
  const Name S = slice(moments, 0, d, 1), trace = sum(b, sum(b, multiply(b, S, eye), 0, false), 0);
  const Name spread_out = is_positive(b, trace);
  const Name penalty =
      choose(b, spread_out, multiply(b, trace, b.number(ridge)), b.number(1));  // else: S is 0
  const Name system = concat(b, {add(b, S, multiply(b, eye, penalty)), slice(moments, d, d + p, 1)});
  const Name slopes = solved(b, system, d, p);
  const Name mean_y = slice(mean, d, d + p, 0);
  const Name change = b.node("MatMul", {subtract(b, at, slice(mean, 0, d, 0)), slopes});
  const Name fitted = add(b, mean_y, choose(b, spread_out, change, b.number(0)));
  b.result(choose(b, some, fitted, mean_target), Element::float64, {std::int64_t(p)});
  return g.node("Scan", {K, phi.name},
                {{"body", std::shared_ptr<const Graph>(inside)}, {"num_scan_inputs", std::int64_t(2)}});
}

}  // namespace

Name expansion_sums(Graph& g, const Expansion& e, const Table& x) {
  check_kernel(e.kernel, e.points);
  Name sums;
  if (e.points.rows() == 0) {
    sums = spread(g, g.number(0), x.name, e.outputs());
  } else if (const auto linear = LinearWeights::of(e); linear && e.points.ids().empty()) {
    sums = add(g, product(g, x.name, matrix(g, linear->columns, linear->outputs, linear->W)),
               matrix(g, 1, linear->outputs, linear->constants));
  } else {
    sums = block_sums(g, e, x);
  }
  if (!e.trend.empty()) sums = add(g, sums, product(g, x.name, matrix(g, x.width, e.outputs(), e.trend)));
  if (e.self != 0)
    sums = add(g, sums, multiply(g, KernelGraph(g, e.kernel, e.points, x).diagonal(), g.number(e.self)));
  return sums;
}

Name method_outputs(Graph& g, const Model& model, const Table& x) {
  if (model.method->traits().expands) return expansion_sums(g, model.fitted.expansion, x);
  using Write = Name (*)(Graph&, const Model&, const Table&);
  constexpr std::pair<std::string_view, Write> own_ways[] = {{Knn::name, nearest_means},
                                                             {NadarayaWatson::name, weighted_means},
                                                             {Lwlr::name, local_fits},
                                                             {GpClassifier::name, gaussian_process_shares}};
  for (const auto& [name, write] : own_ways)
    if (model.method->name() == name) return write(g, model, x);
  throw Error(ErrorCode::unsupported, fmt::format("models of {} have no form in ONNX", model.method->name()),
              {.owner = std::string(model.method->name()), .hint = "predict with Mercer"});
}

}  // namespace mercer::onnx

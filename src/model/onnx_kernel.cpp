#include "model/onnx_kernel.hpp"

#include <fmt/format.h>

#include "mercer/error.hpp"
#include "mercer/kernels/precomputed.hpp"
#include "mercer/user_kernel.hpp"
#include "model/onnx_functions.hpp"
#include "operators/packed_points.hpp"

namespace mercer::onnx {

namespace {

using Code = Formula::Code;

std::vector<double> column_means(const Points& points) {
  std::vector<double> mean(points.cols()), row(points.cols());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    points.copy_row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) mean[j] += row[j] / double(points.rows());
  }
  return mean;
}

std::vector<std::vector<double>> values_of_points(const CompiledKernel& program,
                                                  const std::vector<Points>& seen,
                                                  const std::vector<std::vector<double>>& centres) {
  std::vector<Layout> layouts;
  for (std::size_t v = 0; v < seen.size(); ++v)
    layouts.push_back({.columns = seen[v].cols(), .centre = centres[v]});
  return PackedPoints<double>(program, layouts, seen, nullptr).values;
}

std::string tail(const std::string& key) {  // a map's key without the number of a function
  return key.substr(0, key.find(' '));
}

}  // namespace

void check_kernel(const Kernel& kernel, const Points& reference) {
  const std::vector<UserFunction> functions = user_functions(kernel);
  if (!functions.empty())
    throw Error(
        ErrorCode::unsupported,
        fmt::format("user:{} is a function of a program, which an ONNX graph cannot call",
                    functions.front().name()),
        {.value = kernel.text(),
         .hint = "write the kernel as an expression (maps and weights as formulas over columns, by=[x1, "
                 "x1^2]), or keep the model in its own program"});
  if (!reference.objects().empty())
    throw Error(
        ErrorCode::unsupported,
        fmt::format("the model compares objects (column '{}'), and ONNX has tensors of numbers alone",
                    reference.objects().front().name()),
        {.value = kernel.text(),
         .hint = "make features of the objects first and fit a model of these, or predict with Mercer"});
}

KernelGraph::KernelGraph(Graph& g, const Kernel& kernel, const Points& reference, Table x, bool flushed)
    : g_(g), text_(kernel.text()), flushed_(flushed), program_(kernel) {
  check_kernel(kernel, reference);
  seen_ = program_.views_of(reference.to_dense().with_precision(Precision::float64), nullptr, 1);
  for (const Points& points : seen_) centres_.push_back(column_means(points));
  views_.resize(seen_.size());
  views_.front() = std::move(x);
  for (auto* names : {&centred_, &constants_, &centred_constants_}) names->resize(seen_.size());
  statistics_.resize(program_.statistics.size());
  row_values_.resize(program_.values.size());
  column_values_.resize(program_.values.size());
}

const Table& KernelGraph::view(std::size_t number) {
  if (views_[number]) return *views_[number];
  const CompiledKernel::View& v = program_.views[number];
  if (!v.map->written)
    throw Error(ErrorCode::unsupported,
                fmt::format("the map '{}' in {} has no form in ONNX", tail(v.map->key), text_),
                {.value = v.map->key, .hint = "predict with Mercer"});
  Tables tables(g_, view(std::size_t(v.parent)));
  const RowAlgebra::Id image = v.map->written(tables, 0, seen_[std::size_t(v.parent)]);
  views_[number] = tables.whole(image);
  return *views_[number];
}

Name KernelGraph::constant_points(std::size_t view) {
  if (constants_[view].empty()) constants_[view] = points(g_, seen_[view]);
  return constants_[view];
}

Name KernelGraph::centred(std::size_t view) {
  if (!centred_[view].empty()) return centred_[view];
  const auto& c = centres_[view];
  centred_[view] = subtract(g_, this->view(view).name, g_.numbers({1, std::int64_t(c.size())}, c));
  return centred_[view];
}

Name KernelGraph::centred_points(std::size_t view) {
  if (!centred_constants_[view].empty()) return centred_constants_[view];
  const Points& seen = seen_[view];
  std::vector<double> moved(seen.rows() * seen.cols());
  for (std::size_t i = 0; i < seen.rows(); ++i) {
    const std::span row = std::span(moved).subspan(i * seen.cols(), seen.cols());
    seen.copy_row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] -= centres_[view][j];
  }
  centred_constants_[view] = g_.numbers({std::int64_t(seen.rows()), std::int64_t(seen.cols())}, moved);
  return centred_constants_[view];
}

Name KernelGraph::statistic(std::size_t number) {
  if (!statistics_[number].empty()) return statistics_[number];
  const Statistic& s = program_.statistics[number];
  const auto v = std::size_t(s.view);
  Name name;
  switch (s.kind) {
    case Statistic::Kind::dot:
      name = product(g_, view(v).name, constant_points(v), true);
      break;
    case Statistic::Kind::centred_dot:
      name = product(g_, centred(v), centred_points(v), true);
      break;
    case Statistic::Kind::coordinate_sum:
      name = coordinate_sums(s);
      break;
    case Statistic::Kind::tile: {
      const auto ids = seen_[v].ids();
      if (!s.check_reference || ids.size() != seen_[v].rows())
        throw Error(ErrorCode::unsupported,
                    fmt::format("{} compares rows pair by pair and has no form in ONNX", text_),
                    {.hint = "predict with Mercer"});
      const std::vector<std::int64_t> columns(ids.begin(), ids.end());  // of a kernel matrix that is given
      name = gather(g_, view(v).name, g_.integers(columns), 1);
      break;
    }
  }
  return statistics_[number] = name;
}

// Column by column, so that memory is that of K.
Name KernelGraph::coordinate_sums(const Statistic& s) {
  const auto v = std::size_t(s.view);
  const Name x = view(v).name, z = constant_points(v);
  const Name zero = spread(g_, g_.number(0), x, seen_[v].rows());
  const auto body = [&](Graph& g, const Name& k, const std::vector<Name>& so_far) {
    const Name row = g.node("Unsqueeze", {gather(g, x, k, 1), g.integers({1})}),
               column = g.node("Unsqueeze", {gather(g, z, k, 1), g.integers({0})});
    const Part term = run(g, s.coordinate, [&](const Formula::Operation& o) {
      return o.code == Code::row_value ? Part{row, true, false} : Part{column, false, true};
    });
    return std::vector{add(g, so_far.front(), term.name)};
  };
  return repeat(g_, std::int64_t(seen_[v].cols()), {zero}, body).front();
}

// ‖x‖² + ‖z‖² − 2xᵀz loses digits where x and z are near each other: there the differences are summed.
Name KernelGraph::squared_distances(std::size_t statistic, std::size_t norm) {
  constexpr double near = 0x1p-20;
  const auto v = std::size_t(program_.statistics[statistic].view);
  const Name norms = add(g_, row_value(norm), column_value(norm).name);
  const Name rough = subtract(g_, norms, multiply(g_, this->statistic(statistic), g_.number(2)));
  const Name lost = g_.node("LessOrEqual", {rough, multiply(g_, norms, g_.number(near))});
  const Name places = g_.node("NonZero", {lost});  // 2 × pairs
  const auto of = [&](const Name& table, std::int64_t side) {
    return gather(g_, table, gather(g_, places, g_.integer(side), 0), 0);
  };
  const Name gap = subtract(g_, of(centred(v), 0), of(centred_points(v), 1));
  const Name exact = sum(g_, multiply(g_, gap, gap), 1, false);
  const Name mended =
      g_.node("ScatterND",
              {rough, g_.node("Transpose", {places}, {{"perm", std::vector<std::int64_t>{1, 0}}}), exact});
  return g_.node("Max", {mended, g_.number(0)});
}

Name KernelGraph::self_value(const Statistic& s) {
  const auto v = std::size_t(s.view);
  if (s.kind == Statistic::Kind::tile)
    throw Error(ErrorCode::unsupported,
                fmt::format("the model needs k(x, x) of new rows, which {} does not give", text_),
                {.hint = "give the kernel as an expression"});
  if (s.kind == Statistic::Kind::coordinate_sum) {
    const Name x = view(v).name;
    const Part terms = run(g_, s.coordinate_pairs, [&](const Formula::Operation&) {
      return Part{x, true, true};
    });
    return sum(g_, terms.rows ? terms.name : spread(g_, terms.name, x, seen_[v].cols()));
  }
  const Name x = s.kind == Statistic::Kind::centred_dot ? centred(v) : view(v).name;
  return sum(g_, multiply(g_, x, x));
}

Name KernelGraph::row_value(std::size_t number) {
  if (!row_values_[number].empty()) return row_values_[number];
  const Value& value = program_.values[number];
  const auto v = std::size_t(value.view);
  Name name;
  switch (value.kind) {
    case Value::Kind::self:
      name = self_value(program_.statistics[std::size_t(value.statistic)]);
      break;
    case Value::Kind::function: {
      if (!value.function.written)
        throw Error(
            ErrorCode::unsupported,
            fmt::format("the function '{}' in {} has no form in ONNX", tail(value.function.key), text_),
            {.value = value.function.key, .hint = "predict with Mercer"});
      Tables tables(g_, view(v));
      name = tables.whole(value.function.written(tables, 0, seen_[v])).name;
      break;
    }
    case Value::Kind::formula: {
      const Part found = run(g_, value.formula, [&](const Formula::Operation& o) {
        return Part{row_value(std::size_t(o.a)), true, false};
      });
      name = found.rows ? found.name : spread(g_, found.name, view(v).name, 1);
      break;
    }
    case Value::Kind::mean:
      name = reduce(g_, "ReduceMean",
                    KernelGraph(g_, value.inner.front(), seen_[v], view(v), flushed_).matrix());
      break;
    case Value::Kind::all_mean:
      name = spread(g_, column_value(number).name, view(v).name, 1);
      break;
  }
  return row_values_[number] = name;
}

KernelGraph::Part KernelGraph::column_value(std::size_t number) {
  const bool same = program_.values[number].kind == Value::Kind::all_mean;
  if (column_values_[number].empty()) {
    if (values_.empty()) values_ = values_of_points(program_, seen_, centres_);
    const std::vector<double>& values = values_[number];
    const std::size_t count = same ? 1 : values.size();
    column_values_[number] = g_.numbers({1, std::int64_t(count)}, std::span(values).first(count));
  }
  return {column_values_[number], false, !same};
}

KernelGraph::Part KernelGraph::one(Graph& g, const Formula::Operation& o, const Part& a) const {
  const auto made = [&](Name name) { return Part{std::move(name), a.rows, a.columns}; };
  const auto affine = [&] {
    const Name times = o.p == 1 ? a.name : multiply(g, a.name, g.number(o.p));
    return o.q == 0 ? times : add(g, times, g.number(o.q));
  };
  switch (o.code) {
    case Code::affine:
      return made(affine());
    case Code::exp_affine:
      return made(exponential(g, affine(), flushed_));
    case Code::log:
      return made(g.node("Log", {a.name}));
    case Code::sqrt:
      return made(g.node("Sqrt", {a.name}));
    case Code::tanh:
      return made(g.node("Tanh", {a.name}));
    case Code::acos:
      return made(arc_cosine(g, a.name));
    case Code::bessel:
      return made(matern_function(g, o.p, a.name));
    default:  // is_zero
      return made(cast(g, g.node("Equal", {a.name, g.number(0)}), Element::float64));
  }
}

KernelGraph::Part KernelGraph::run(Graph& g, const Formula& formula,
                                   const std::function<Part(const Formula::Operation&)>& input) {
  constexpr const char* types[] = {"Add", "Sub", "Mul", "Div", "Min", "Max"};
  std::vector<Part> parts;
  for (const Formula::Operation& o : formula.operations()) {
    if (o.code == Code::constant)
      parts.push_back({g.number(o.p), false, false});
    else if (o.is_input())
      parts.push_back(input(o));
    else if (o.code == Code::squared_distance)
      parts.push_back(
          {squared_distances(std::size_t(formula.operations()[std::size_t(o.a)].a), std::size_t(o.b)), true,
           true});
    else if (o.has_second_operand()) {
      const Part &a = parts[std::size_t(o.a)], &b = parts[std::size_t(o.b)];
      parts.push_back({g.node(types[std::size_t(o.code) - std::size_t(Code::add)], {a.name, b.name}),
                       a.rows || b.rows, a.columns || b.columns});
    } else {
      parts.push_back(one(g, o, parts[std::size_t(o.a)]));
    }
  }
  return parts.back();
}

Name KernelGraph::matrix() {
  const Part k = run(g_, program_.formula, [&](const Formula::Operation& o) -> Part {
    const auto number = std::size_t(o.a);
    if (o.code == Code::statistic) return {statistic(number), true, true};
    if (o.code == Code::column_value) return column_value(number);
    return {row_value(number), true, false};
  });
  return k.rows && k.columns ? k.name : spread(g_, k.name, view(0).name, seen_.front().rows());
}

Name KernelGraph::diagonal() {
  const Part k = run(g_, program_.diagonal, [&](const Formula::Operation& o) -> Part {
    return {row_value(std::size_t(o.a)), true, false};
  });
  return k.rows ? k.name : spread(g_, k.name, view(0).name, 1);
}

}  // namespace mercer::onnx

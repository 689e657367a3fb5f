#include "model/onnx_features.hpp"

#include <cmath>
#include <numbers>

#include "mercer/error.hpp"
#include "model/onnx_functions.hpp"
#include "model/onnx_kernel.hpp"
#include "solvers/fourier.hpp"
#include "solvers/map_name.hpp"
#include "solvers/tensor_sketch.hpp"

namespace mercer::onnx {

namespace {

/// Writes explicit features down in the order of explicit_features().
class FeatureTables final : public FeatureAlgebra {
 public:
  FeatureTables(Graph& g, const Points& like, const Table& x) : g_(g), like_(like), rows_(x) {}
  int terms() const override { return 4; }  // not asked of kernels with finitely many

  Id coordinates() override { return put(rows_); }
  Id series(Id inner, const Series& series) override {
    const Table in = all_[std::size_t(inner)];
    std::vector<Name> parts;
    Table out{"", 0};
    for (std::size_t t = 0; t < series.coefficients.size(); ++t)
      if (series.coefficients[t] > 0) parts.push_back(monomials(in, t, series.coefficients[t], out.width));
    out.name = concat(g_, parts);
    if (series.gaussian > 0) {
      const Name norm = sum(g_, multiply(g_, in.name, in.name));
      out.name = multiply(g_, out.name, g_.node("Exp", {multiply(g_, norm, g_.number(-series.gaussian))}));
    }
    return put(out);
  }
  Id join(std::span<const Id> parts) override {
    Table out{"", 0};
    std::vector<Name> names;
    for (const Id part : parts) {
      names.push_back(all_[std::size_t(part)].name);
      out.width += all_[std::size_t(part)].width;
    }
    out.name = concat(g_, names);
    return put(out);
  }
  Id tensor(Id a, Id b) override {
    const Table left = all_[std::size_t(a)], right = all_[std::size_t(b)];
    std::vector<std::int64_t> first, second;
    for (std::size_t p = 0; p < left.width; ++p)
      for (std::size_t q = 0; q < right.width; ++q) {
        first.push_back(std::int64_t(p));
        second.push_back(std::int64_t(q));
      }
    return put({multiply(g_, gather(g_, left.name, g_.integers(first), 1),
                         gather(g_, right.name, g_.integers(second), 1)),
                left.width * right.width});
  }
  Id weigh(Id inner, const PointFunction& function) override {
    if (!function.written) refuse(function.key);
    Tables tables(g_, rows_);
    const Table weight = tables.whole(function.written(tables, 0, like_));
    const Table in = all_[std::size_t(inner)];
    return put({multiply(g_, in.name, weight.name), in.width});
  }
  Id normalize(Id inner) override {
    const Table in = all_[std::size_t(inner)];
    const Name norm = g_.node("Sqrt", {sum(g_, multiply(g_, in.name, in.name))});
    const Name zero = g_.node("Equal", {norm, g_.number(0)});
    const Name safe = choose(g_, zero, g_.number(1), norm);  // 0/1 = 0
    return put({divide(g_, in.name, safe), in.width});
  }
  Id mapped(const PointMap& map, const std::function<Id()>& inside) override {
    if (!map.written) refuse(map.key);
    Tables tables(g_, rows_);
    const Table image = tables.whole(map.written(tables, 0, like_));
    const Table outside = std::exchange(rows_, image);
    const Points points = std::exchange(like_, map.apply(like_, nullptr, 1));
    const Id result = inside();
    rows_ = outside;
    like_ = points;
    return result;
  }

  const Table& operator[](Id id) const { return all_[std::size_t(id)]; }

 private:
  [[noreturn]] static void refuse(const std::string& key) {
    throw Error(ErrorCode::unsupported, "a map or weight of the kernel has no form in ONNX",
                {.value = key, .hint = "predict with Mercer"});
  }
  Id put(Table table) {
    all_.push_back(std::move(table));
    return Id(all_.size()) - 1;
  }

  /// √c · √(multinomial) · Π uₖ^eₖ for all exponents of the degree: products of columns i₁ ≤ i₂ ≤ … in the
  /// order of the words i₁i₂…
  Name monomials(const Table& in, std::size_t degree, double c, std::size_t& width) {
    if (degree == 0) {
      ++width;
      return spread(g_, g_.number(std::sqrt(c)), in.name, 1);
    }
    std::vector<std::vector<std::int64_t>> places(degree);
    std::vector<double> weights;
    std::vector<std::int64_t> word(degree, 0);
    for (;;) {
      double multinomial = 1;
      for (std::size_t s = 0, run = 0; s < degree; ++s) {
        run = s > 0 && word[s] == word[s - 1] ? run + 1 : 1;
        multinomial *= double(s + 1) / double(run);
        places[s].push_back(word[s]);
      }
      weights.push_back(std::sqrt(c * multinomial));
      std::size_t s = degree;
      while (s > 0 && std::size_t(word[s - 1]) + 1 == in.width) --s;
      if (s == 0) break;
      std::fill(word.begin() + std::ptrdiff_t(s) - 1, word.end(), word[s - 1] + 1);
    }
    width += weights.size();
    Name all = g_.numbers({1, std::int64_t(weights.size())}, weights);
    for (const auto& indices : places) all = multiply(g_, all, gather(g_, in.name, g_.integers(indices), 1));
    return all;
  }

  Graph& g_;
  Points like_;
  Table rows_;
  std::vector<Table> all_;
};

struct Spectrum {
  Name real, imaginary;  // rows × size
};

/// The fast Fourier transform of FastFourier: transforms of length 1, 2, 4, … of bit-reversed values are
/// joined.
Spectrum transformed(Graph& g, Spectrum x, std::int64_t size, bool backward) {
  std::vector<std::int64_t> reversed(std::size_t(size), 0);
  for (std::size_t j = 1; j < reversed.size(); ++j)
    reversed[j] = reversed[j / 2] / 2 + (j % 2 ? size / 2 : 0);
  const Name order = g.integers(reversed);
  x = {gather(g, x.real, order, 1), gather(g, x.imaginary, order, 1)};
  for (std::int64_t half = 1; half < size; half *= 2) {
    std::vector<double> cosines, sines;
    for (std::int64_t j = 0; j < half; ++j) {
      const double angle = (backward ? 1 : -1) * std::numbers::pi * double(j) / double(half);
      cosines.push_back(std::cos(angle));
      sines.push_back(std::sin(angle));
    }
    const Name c = g.numbers({half}, cosines), s = g.numbers({half}, sines);
    const auto part = [&](const Name& of, std::int64_t which) {  // rows × pairs × half
      const Name pairs = g.node("Reshape", {of, g.integers({0, size / (2 * half), 2, half})});
      return gather(g, pairs, g.integer(which), 2);
    };
    const auto joined = [&](const Name& even, const Name& odd) {
      return g.node("Reshape",
                    {concat(g, {add(g, even, odd), subtract(g, even, odd)}, 2), g.integers({0, size})});
    };
    const Name odd_real = part(x.real, 1), odd_imaginary = part(x.imaginary, 1);
    const Name real = subtract(g, multiply(g, odd_real, c), multiply(g, odd_imaginary, s)),
               imaginary = add(g, multiply(g, odd_real, s), multiply(g, odd_imaginary, c));
    x = {joined(part(x.real, 0), real), joined(part(x.imaginary, 0), imaginary)};
  }
  return x;
}

// The convolution of count sketches of u = (√a·x, √r), each a product with a matrix of signs.
Table sketched(Graph& g, const DotPower& power, std::size_t size, std::uint64_t seed, const Table& x) {
  const std::vector<CountSketch> sketches = draw_sketches(power, x.width, size, seed);
  const auto count = [&](const CountSketch& sketch) {
    std::vector<double> signs(x.width * size), constant(size);
    for (std::size_t k = 0; k < x.width; ++k)
      signs[k * size + sketch.places[k]] += sketch.signs[k] * std::sqrt(power.scale);
    constant[sketch.places[x.width]] += sketch.signs[x.width] * std::sqrt(power.offset);
    return add(g, product(g, x.name, g.numbers({std::int64_t(x.width), std::int64_t(size)}, signs)),
               g.numbers({1, std::int64_t(size)}, constant));
  };
  const double weight = std::sqrt(power.weight);
  if (sketches.size() == 1) return {multiply(g, count(sketches.front()), g.number(weight)), size};
  Spectrum all;
  for (const CountSketch& sketch : sketches) {
    const Name values = count(sketch);
    const Spectrum one =
        transformed(g, {values, multiply(g, values, g.number(0))}, std::int64_t(size), false);
    all = all.real.empty()
              ? one
              : Spectrum{
                    subtract(g, multiply(g, all.real, one.real), multiply(g, all.imaginary, one.imaginary)),
                    add(g, multiply(g, all.real, one.imaginary), multiply(g, all.imaginary, one.real))};
  }
  const Name back = transformed(g, all, std::int64_t(size), true).real;
  return {multiply(g, back, g.number(weight / double(size))), size};
}

Table waves(Graph& g, const Frequencies& drawn, const Table& x) {
  const auto columns = std::int64_t(drawn.columns), count = std::int64_t(drawn.count);
  const Name angles = product(g, x.name, g.numbers({columns, count}, drawn.values));
  const Name amplitudes = g.numbers({1, count}, drawn.amplitudes);
  return {concat(g, {multiply(g, g.node("Cos", {angles}), amplitudes),
                     multiply(g, g.node("Sin", {angles}), amplitudes)}),
          2 * drawn.count};
}

Points no_rows(std::size_t columns, const std::vector<std::string>& names) {
  return Points(Dense<double>{0, columns, {}}, names);
}

}  // namespace

Table features(Graph& g, const Kernel& kernel, const Points& like, const Table& x) {
  check_kernel(kernel, like);
  FeatureTables tables(g, like, x);
  return tables[kernel.node().features(tables)];
}

Table features(Graph& g, const FeatureMap& map, const Table& x) {
  const FeatureMap::State& state = map.state();
  const MapName name = MapName::parse(state.text);
  check_kernel(map.kernel(), state.landmarks);
  switch (name.kind) {
    case MapName::Kind::nystrom: {
      const std::size_t m = state.landmarks.rows(), count = state.matrix.size() / m;
      const Name K = KernelGraph(g, map.kernel(), state.landmarks, x).matrix();
      const Name M = g.numbers({std::int64_t(count), std::int64_t(m)}, state.matrix);
      return {product(g, K, M, true), count};
    }
    case MapName::Kind::fourier:
      return waves(
          g, draw_frequencies(map.kernel().node().spectrum(), state.columns, name.count / 2, state.seed), x);
    case MapName::Kind::sketch:
      return sketched(g, *map.kernel().node().dot_power(), name.count, state.seed, x);
    case MapName::Kind::explicit_map:
      break;
  }
  return features(g, map.kernel(), no_rows(state.columns, state.names), x);
}

}  // namespace mercer::onnx

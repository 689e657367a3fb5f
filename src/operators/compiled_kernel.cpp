#include "operators/compiled_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "kernels/object_column.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "operators/row_map.hpp"

namespace mercer {

std::vector<Points> CompiledKernel::views_of(const Points& points, const std::vector<Points>* reference,
                                             int threads) const {
  std::vector<Points> seen;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const View& view = views[v];
    const Points* theirs = reference ? &(*reference)[v] : nullptr;
    Points image = view.map ? view.map->apply(seen[std::size_t(view.parent)], theirs, threads) : points;
    seen.push_back(view.reads_numbers.empty()
                       ? std::move(image)
                       : with_numbers_of_objects(image, view.reads_numbers, theirs, threads));
  }
  return seen;
}

namespace {

/// Traces k(x, z), or k(x, x) in which both points are the same.
class ProgramTracer final : public Tracer {
 public:
  ProgramTracer(CompiledKernel& program, Formula& formula, bool diagonal, int view)
      : program_(program), formula_(formula), diagonal_(diagonal), view_(view) {}

  Symbol statistic(const Leaf& leaf) override {
    const bool distance = leaf.traits().statistic == mercer::Statistic::squared_distance;
    if (distance && diagonal_) return 0;
    const int number = add_statistic(leaf);
    if (diagonal_) return self(number).x;
    if (distance) return formula_.squared_distance(number, self_value(number));
    return formula_.statistic(number);
  }

  SymbolPair self_statistic(const Leaf& leaf) override { return self(add_statistic(leaf)); }

  Symbol tile(const std::string& key, const TileFunction& function,
              const std::function<void(const Points&)>& check_reference) override {
    const int number = add_tile(key, function, check_reference);
    return diagonal_ ? self(number).x : formula_.statistic(number);
  }

  SymbolPair self_tile(const std::string& key, const TileFunction& function) override {
    return self(add_tile(key, function, {}));
  }

  Symbol member_sum(const MemberMap& members, const Kernel& k) override {
    return tile(key_of_sum(members, k), member_sums(members, k), {});
  }
  SymbolPair self_member_sum(const MemberMap& members, const Kernel& k) override {
    return self_tile(key_of_sum(members, k), member_sums(members, k));
  }

  SymbolPair value(const PointFunction& function) override {
    return both(add(program_.values, {.kind = CompiledKernel::Value::Kind::function,
                                      .view = view_,
                                      .key = "function:" + function.key,
                                      .function = function}));
  }

  SymbolPair diagonal(const Kernel& k) override {
    const std::string key = fmt::format("diagonal:{}", fmt::ptr(&k.node()));
    if (const int known = find(program_.values, view_, key); known >= 0)
      return both(known);  // else 2ⁿ for n levels
    Formula inner;
    ProgramTracer tracer(program_, inner, true, view_);
    inner.finish(k.node().trace(tracer));
    return both(
        add(program_.values,
            {.kind = CompiledKernel::Value::Kind::formula, .view = view_, .key = key, .formula = inner}));
  }

  Means means(const Kernel& k) override {
    const std::string key = fmt::format("mean:{}", fmt::ptr(&k.node()));
    const int mean =
        add(program_.values,
            {.kind = CompiledKernel::Value::Kind::mean, .view = view_, .key = key, .inner = {k}});
    const int all = add(program_.values, {.kind = CompiledKernel::Value::Kind::all_mean,
                                          .view = view_,
                                          .key = "all " + key,
                                          .statistic = mean});
    return {both(mean), both(all).z};
  }

  Symbol mapped(const PointMap& map, const std::function<Symbol()>& inside) override {
    const int outside = view_;
    CompiledKernel::View view{
        .key = program_.views[std::size_t(outside)].key + " | " + map.key, .parent = outside, .map = map};
    const auto found = std::ranges::find(program_.views, view.key, &CompiledKernel::View::key);
    view_ = int(found - program_.views.begin());
    if (found == program_.views.end()) program_.views.push_back(std::move(view));
    const Symbol result = inside();
    view_ = outside;
    return result;
  }

 private:
  using Kind = CompiledKernel::Statistic::Kind;

  template <class Entry>
  static int find(const std::vector<Entry>& list, int view, const std::string& key) {
    const auto found = std::ranges::find_if(
        list, [&](const Entry& other) { return other.view == view && other.key == key; });
    return found == list.end() ? -1 : int(found - list.begin());
  }
  template <class Entry>
  static int add(std::vector<Entry>& list, Entry entry) {
    if (const int known = find(list, entry.view, entry.key); known >= 0) return known;
    list.push_back(std::move(entry));
    return int(list.size()) - 1;
  }

  int add_tile(const std::string& key, const TileFunction& function,
               const std::function<void(const Points&)>& check_reference) {
    return add(program_.statistics, {.kind = Kind::tile,
                                     .view = view_,
                                     .key = "tile:" + key,
                                     .tile = function,
                                     .check_reference = check_reference});
  }
  static std::string key_of_sum(const MemberMap& members, const Kernel& k) {
    return fmt::format("members {}: {}", members.key, fmt::ptr(&k.node()));
  }

  int add_statistic(const Leaf& leaf) {
    CompiledKernel::View& view = program_.views[std::size_t(view_)];
    if (view.reads_numbers.empty()) view.reads_numbers = leaf.name();
    if (leaf.traits().non_negative_only) {
      view.non_negative = true;
      view.needed_by = leaf.name();
    }
    CompiledKernel::Statistic entry{.kind = Kind::dot, .view = view_, .key = "dot"};
    if (leaf.traits().statistic == mercer::Statistic::squared_distance) {
      entry.kind = Kind::centred_dot;
      entry.key = "centred dot";
    } else if (leaf.traits().statistic == mercer::Statistic::coordinate_sum) {
      entry.kind = Kind::coordinate_sum;
      entry.coordinate.finish(
          leaf.coordinate(entry.coordinate.row_value(0), entry.coordinate.column_value(0)));
      entry.coordinate_pairs.finish(
          leaf.coordinate(entry.coordinate_pairs.column_value(0), entry.coordinate_pairs.column_value(1)));
      const auto& operations = entry.coordinate.operations();
      entry.minimum = leaf.traits().non_negative_only && operations.size() == 3 &&
                      operations.back().code == Formula::Code::minimum;
      entry.key = "coordinates:";  // equal formulas are one statistic, whichever leaves they come from
      for (const auto& o : entry.coordinate.operations())
        entry.key += fmt::format(" {},{},{},{},{}", int(o.code), o.a, o.b, o.p, o.q);
    }
    return add(program_.statistics, std::move(entry));
  }

  int self_value(int statistic) {
    return add(program_.values, {.kind = CompiledKernel::Value::Kind::self,
                                 .view = program_.statistics[statistic].view,
                                 .key = fmt::format("self:{}", statistic),
                                 .statistic = statistic});
  }
  SymbolPair self(int statistic) { return both(self_value(statistic)); }
  SymbolPair both(int value) {
    const Symbol z = formula_.column_value(value);
    return {diagonal_ ? z : formula_.row_value(value), z};
  }

  CompiledKernel& program_;
  Formula& formula_;
  bool diagonal_;
  int view_;
};

using Code = Formula::Code;
using Operation = Formula::Operation;

enum Depends : unsigned { on_nothing = 0, on_row = 1, on_column = 2, on_pair = 4 };

std::vector<unsigned> dependences(const std::vector<Operation>& operations) {
  std::vector<unsigned> depends(operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& o = operations[i];
    if (o.code == Code::statistic || o.code == Code::squared_distance)
      depends[i] = on_pair;
    else if (o.code == Code::row_value)
      depends[i] = on_row;
    else if (o.code == Code::column_value)
      depends[i] = on_column;
    else if (o.code == Code::constant)
      depends[i] = on_nothing;
    else
      depends[i] = depends[o.a] | (o.has_second_operand() ? depends[o.b] : on_nothing);
  }
  return depends;
}

// The operations up to `last` as a formula of one point.
Formula of_one_point(const std::vector<Operation>& operations, std::size_t last) {
  std::vector<Operation> copy(operations.begin(), operations.begin() + std::ptrdiff_t(last) + 1);
  for (Operation& o : copy)
    if (o.code == Code::row_value) o.code = Code::column_value;
  return Formula(std::move(copy));
}

int value_for(const Formula& formula, std::vector<CompiledKernel::Value>& values) {
  const auto found = std::ranges::find_if(values, [&](const CompiledKernel::Value& v) {
    return v.kind == CompiledKernel::Value::Kind::formula && v.key == "hoisted" &&
           v.formula.operations() == formula.operations();
  });
  if (found != values.end()) return int(found - values.begin());
  values.push_back({.kind = CompiledKernel::Value::Kind::formula, .key = "hoisted", .formula = formula});
  return int(values.size()) - 1;
}

constexpr std::size_t members_at_once = 1024;  // a million values of k are held at a time
constexpr double most_values = 1e11;

/// The end of a run of objects taken together from `first` on: at least one, with few enough members.
std::size_t run_end(const Members& all, std::size_t first) {
  const std::size_t last = all.starts.size() - 1;
  std::size_t end = first + 1;
  while (end < last && all.starts[end + 1] - all.starts[first] <= members_at_once) ++end;
  return end;
}

/// out[i, j] += Σ K[a, b] over a, b in pieces of the two runs of members.
void add_run(const KernelOperator<double>& K, const Members& x, Range rows, const Members& z, Range columns,
             std::size_t width, double* out) {
  std::vector<double> tile;
  const Range a{x.starts[rows.begin], x.starts[rows.end]}, b{z.starts[columns.begin], z.starts[columns.end]};
  for (std::size_t a0 = a.begin; a0 < a.end; a0 += members_at_once)
    for (std::size_t b0 = b.begin; b0 < b.end; b0 += members_at_once) {
      const Range left{a0, std::min(a.end, a0 + members_at_once)},
          right{b0, std::min(b.end, b0 + members_at_once)};
      tile.resize(left.size() * right.size());
      K.tile(left, right, tile);
      std::size_t i = rows.begin;
      for (std::size_t p = left.begin; p < left.end; ++p) {
        while (x.starts[i + 1] <= p) ++i;
        const double* values = tile.data() + (p - left.begin) * right.size();
        std::size_t q = right.begin, j = columns.begin;
        while (q < right.end) {
          while (z.starts[j + 1] <= q) ++j;
          const std::size_t end = std::min(z.starts[j + 1], right.end);
          double sum = 0;
          for (; q < end; ++q) sum += values[q - right.begin];
          out[i * width + j] += sum;
        }
      }
    }
}

}  // namespace

CompiledKernel::CompiledKernel(const Kernel& kernel) {
  views.push_back({});
  ProgramTracer pairs(*this, formula, false, 0);
  formula.finish(kernel.node().trace(pairs));
  hoist_point_values(formula, values);
  ProgramTracer same(*this, diagonal, true, 0);
  diagonal.finish(kernel.node().trace(same));
}

bool looks_at_all_points(const Kernel& kernel) {
  const CompiledKernel program(kernel);
  return std::ranges::any_of(
             program.values,
             [](const auto& value) { return value.kind == CompiledKernel::Value::Kind::mean; }) ||
         std::ranges::any_of(program.views,
                             [](const auto& view) { return view.map && view.map->looks_at_all; });
}

bool compares_pairs(const Kernel& kernel) {
  return std::ranges::any_of(CompiledKernel(kernel).statistics, [](const auto& s) {
    return s.kind == CompiledKernel::Statistic::Kind::tile && !s.check_reference;
  });
}

void hoist_point_values(Formula& formula, std::vector<CompiledKernel::Value>& values) {
  const std::vector<Operation>& operations = formula.operations();
  const std::vector<unsigned> depends = dependences(operations);
  std::vector<Operation> replaced = operations;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const bool one_point = depends[i] == on_row || depends[i] == on_column;
    if (!one_point || operations[i].is_input()) continue;
    const bool wanted = std::ranges::any_of(std::views::iota(i + 1, operations.size()), [&](std::size_t j) {
      const Operation& o = operations[j];
      const bool reads =
          !o.is_input() && (std::size_t(o.a) == i || (o.has_second_operand() && std::size_t(o.b) == i));
      return reads && depends[j] != depends[i];
    });
    if (!wanted && i + 1 != operations.size()) continue;
    replaced[i] = {.code = depends[i] == on_row ? Code::row_value : Code::column_value,
                   .a = value_for(of_one_point(operations, i), values)};
  }
  formula = Formula(std::move(replaced));
}

TileFunction member_sums(const MemberMap& members, const Kernel& k) {
  return [members, k](const Points& x, Range rows, const Points& z, Range columns, double* out) {
    const Members a = members.apply(rows_between(x, rows)), b = members.apply(rows_between(z, columns));
    std::fill_n(out, rows.size() * columns.size(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const double m = double(a.starts[i + 1] - a.starts[i]), n = double(b.starts[j + 1] - b.starts[j]);
        if (m * n > most_values)
          throw Error(
              ErrorCode::too_large,
              fmt::format("comparing a set of {:.0f} members with one of {:.0f} takes {:.1e} values of {}", m,
                          n, m * n, k.text()),
              {.hint = fmt::format("at most {:.0e} are computed, so draw fewer members", most_values)});
      }
    if (a.points.rows() == 0 || b.points.rows() == 0) return;
    const KernelOperator<double> K(k, a.points, b.points, {.threads = 1});
    for (std::size_t i = 0, i_end = 0; i < rows.size(); i = i_end) {
      i_end = run_end(a, i);
      for (std::size_t j = 0, j_end = 0; j < columns.size(); j = j_end) {
        j_end = run_end(b, j);
        add_run(K, a, {i, i_end}, b, {j, j_end}, columns.size(), out);
      }
    }
  };
}

}  // namespace mercer

#include <algorithm>
#include <ranges>

#include "operators/compiled_kernel.hpp"

namespace mercer {

namespace {

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

}  // namespace

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

}  // namespace mercer

// Placing a Formula's intermediate results in registers: each lives from the step that makes it to the last
// that reads it, and its register is used again afterwards.
#include <algorithm>

#include "operators/simd/evaluate.hpp"

namespace mercer::simd {

template <class T>
Bytecode<T>::Bytecode(const Formula& formula) {
  using Code = Formula::Code;
  const auto& operations = formula.operations();
  const auto last = std::int32_t(operations.size()) - 1;
  std::vector<std::int32_t> last_use(operations.size(), -1);
  for (std::int32_t i = 0; i <= last; ++i) {
    if (operations[i].is_input()) continue;
    last_use[operations[i].a] = i;
    if (operations[i].has_second_operand()) last_use[operations[i].b] = i;
  }

  std::vector<Source> place(operations.size());
  std::vector<std::int32_t> free;
  const auto take_register = [&] {
    if (free.empty()) return registers++;
    const std::int32_t taken = free.back();
    free.pop_back();
    return taken;
  };
  for (std::int32_t i = 0; i <= last; ++i) {  // what is constant along the row keeps its register for good
    const auto& operation = operations[i];
    if (operation.code != Code::row_value && operation.code != Code::constant) continue;
    place[i] = {Place::reg, registers++};
    fills.push_back({place[i].number, operation.code == Code::constant, operation.a, T(operation.p)});
  }
  for (std::int32_t i = 0; i <= last; ++i) {
    const auto& operation = operations[i];
    if (operation.code == Code::statistic) place[i] = {Place::statistic, operation.a};
    if (operation.code == Code::column_value) place[i] = {Place::column_value, operation.a};
    if (operation.is_input()) continue;
    Step step{.code = operation.code,
              .a = place[operation.a],
              .b = {},
              .target = 0,
              .p = T(operation.p),
              .q = T(operation.q),
              .norm = operation.b};
    if (operation.has_second_operand()) step.b = place[operation.b];
    if (operation.code == Code::bessel) step.matern = MaternTable::of(operation.p);
    for (const std::int32_t read : {operation.a, operation.has_second_operand() ? operation.b : -1}) {
      const bool computed = read >= 0 && !operations[read].is_input();
      if (computed && last_use[read] == i && std::ranges::find(free, place[read].number) == free.end())
        free.push_back(place[read].number);
    }
    step.target = take_register();  // may be an operand's: every step reads a vector before it writes it
    place[i] = {Place::reg, step.target};
    steps.push_back(step);
  }
  result = place[last];
}

template struct Bytecode<float>;
template struct Bytecode<double>;

}  // namespace mercer::simd

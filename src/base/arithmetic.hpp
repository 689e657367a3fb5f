// Formulas that users write: over columns (kernels/column_formula.hpp) and for losses
// (losses/formula_loss.hpp).
//   sum   := product { (+|-) product }        product := sign { (*|/) sign }
//   sign  := - sign | power                   power   := atom [ ^ sign ]
//   atom  := number | variable | "a variable" | @ variable | function ( sum, … ) | ( sum )
// with the functions abs, cos, exp, log, max, min, sin, sqrt and tanh. A formula becomes steps of a stack
// machine, which run on anything that has these operations: numbers, blocks of them, numbers with their
// derivatives.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mercer {

struct Arithmetic {
  enum class Operation {
    number,
    variable,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    abs,
    cos,
    exp,
    log,
    max,
    min,
    sin,
    sqrt,
    tanh,
  };
  struct Step {
    Operation operation;
    double number = 0;
    std::size_t variable = 0;
  };

  std::string text;  ///< with brackets only where they are needed; parsing it gives the same
  std::vector<Step> steps;
  std::size_t depth = 0;  ///< of the stack

  /// "[formula, formula, …]". New variables are added to `variables`. Throws Error{usage} that quotes the
  /// place.
  static std::vector<Arithmetic> parse_list(std::string_view text, std::vector<std::string>& variables);
  static Arithmetic parse(std::string_view text, std::vector<std::string>& variables);

  /// `push(step)` gives the value of a number or a variable, `one(operation, a)` and `two(operation, a, b)`
  /// change a.
  template <class Value>
  Value run(auto&& push, auto&& one, auto&& two) const {
    std::vector<Value> stack;
    stack.reserve(depth);
    for (const Step& step : steps) {
      if (step.operation <= Operation::variable) {
        stack.push_back(push(step));
      } else if (takes_two(step.operation)) {
        const Value above = std::move(stack.back());
        stack.pop_back();
        two(step.operation, stack.back(), above);
      } else {
        one(step.operation, stack.back());
      }
    }
    return std::move(stack.front());
  }
  static constexpr bool takes_two(Operation operation) noexcept {
    return (operation >= Operation::add && operation <= Operation::power) || operation == Operation::max ||
           operation == Operation::min;
  }
};

double applied(Arithmetic::Operation operation, double a) noexcept;
double applied(Arithmetic::Operation operation, double a, double b) noexcept;

/// A name as formulas and expressions have it: quoted where it is no plain word.
std::string word_text(std::string_view word);
/// The shortest digits that give the number again.
std::string shortest_digits(double number);

}  // namespace mercer

#include "kernels/column_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>

#include "kernels/maps.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

struct FormulaFunction {
  std::string_view name;
  int arguments;
  double (*apply)(double, double);  // the second is 0 where there is one
};
constexpr FormulaFunction formula_functions[] = {
    {"abs", 1, [](double a, double) { return std::abs(a); }},
    {"cos", 1, [](double a, double) { return std::cos(a); }},
    {"exp", 1, [](double a, double) { return std::exp(a); }},
    {"log", 1, [](double a, double) { return std::log(a); }},
    {"max", 2, [](double a, double b) { return std::max(a, b); }},
    {"min", 2, [](double a, double b) { return std::min(a, b); }},
    {"sin", 1, [](double a, double) { return std::sin(a); }},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
    {"tanh", 1, [](double a, double) { return std::tanh(a); }},
};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit_of_name(char c) { return c >= '0' && c <= '9'; }

std::string column_word(const std::string& name) { return to_text(Argument(Word{name})); }

}  // namespace

/// One formula after the other; each part gives its text, with brackets only where they are needed.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, ColumnFormulas& into) : text_(text), into_(into) {}

  void list() {
    if (!take('[')) fail("expected '['");
    do {
      one_ = {};
      stack_ = 0;
      one_.text = sum().text;
      into_.formulas_.push_back(std::move(one_));
    } while (take(','));
    if (!take(']')) fail("expected an operator, ',' or ']'");
    if (peek() != 0) fail("expected nothing");
  }

 private:
  using Step = ColumnFormulas::Step;
  enum class Binds { sum, product, sign, power, atom };
  struct Piece {
    std::string text;
    Binds binds;
    std::string within(Binds outer) const { return binds < outer ? "(" + text + ")" : text; }
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::invalid_kernel,
                at_ < text_.size() ? fmt::format("{} before '{}' in the formula", what, next_letters())
                                   : fmt::format("{} at the end of the formula", what));
  }
  /// What stands here, as a message can hold it.
  std::string next_letters() const {
    std::size_t end = std::min(at_ + 20, text_.size());
    while (end < text_.size() && end > at_ && (text_[end] & 0xC0) == 0x80) --end;  // no half of a character
    std::string letters(text_.substr(at_, end - at_));
    std::ranges::replace_if(
        letters, [](unsigned char c) { return c < 32 || c == 127; }, ' ');
    return letters;
  }
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ == text_.size() ? '\0' : text_[at_];
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  /// Notes a step, and how many numbers are on the stack after it.
  void step(Step::Kind kind, int change, double number = 0, std::size_t which = 0) {
    one_.steps.push_back({kind, number, which});
    stack_ += change;
    one_.depth = std::max(one_.depth, std::size_t(stack_));
  }

  Piece sum() {
    if (++nested_ > 100) fail("brackets are nested too deeply");
    Piece left = product();
    while (peek() == '+' || peek() == '-') {
      const char sign = text_[at_++];
      const Piece right = product();
      step(sign == '+' ? Step::Kind::add : Step::Kind::subtract, -1);
      left = {fmt::format("{} {} {}", left.text, sign, right.within(Binds::product)), Binds::sum};
    }
    --nested_;
    return left;
  }
  Piece product() {
    Piece left = sign();
    while (peek() == '*' || peek() == '/') {
      const char operation = text_[at_++];
      const Piece right = sign();
      step(operation == '*' ? Step::Kind::multiply : Step::Kind::divide, -1);
      left = {left.within(Binds::product) + operation + right.within(Binds::sign), Binds::product};
    }
    return left;
  }
  Piece sign() {
    if (!take('-')) return power();
    if (++nested_ > 100) fail("signs are nested too deeply");
    const Piece inner = sign();
    --nested_;
    step(Step::Kind::negate, 0);
    return {"-" + inner.within(Binds::sign), Binds::sign};
  }
  Piece power() {
    const Piece base = atom();
    if (!take('^')) return base;
    const Piece exponent = sign();
    step(Step::Kind::power, -1);
    return {base.within(Binds::atom) + "^" + exponent.within(Binds::sign), Binds::power};
  }
  Piece atom() {
    const char c = peek();
    if (take('(')) {
      Piece inner = sum();
      if (!take(')')) fail("expected ')'");
      return inner;
    }
    if (c == '"') return column(quoted());
    if (take('@')) {
      if (peek() == '"') return column(quoted());
      return column(word());
    }
    if (is_digit_of_name(c) || c == '.') return number();
    if (!starts_name(c)) fail("expected a column, a number or '('");
    const std::string name = word();
    return peek() == '(' ? call(name) : column(name);
  }

  Piece number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail("expected a number of double precision");
    at_ = std::size_t(end - text_.data());
    step(Step::Kind::number, 1, value);
    return {to_text(value), Binds::atom};
  }
  std::string word() {
    peek();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit_of_name(text_[at_]))) ++at_;
    if (at_ == begin) fail("expected a column's name");
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string quoted() {
    ++at_;
    std::string content;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      content += text_[at_++];
    }
    if (at_ == text_.size()) fail("a quote is never closed");
    ++at_;
    return content;
  }
  Piece column(const std::string& name) {
    const auto found = std::ranges::find(into_.columns_, name);
    const auto which = std::size_t(found - into_.columns_.begin());
    if (found == into_.columns_.end()) into_.columns_.push_back(name);
    step(Step::Kind::column, 1, 0, which);
    return {column_word(name), Binds::atom};
  }
  Piece call(const std::string& name) {
    const auto found = std::ranges::find(formula_functions, name, &FormulaFunction::name);
    if (found == std::end(formula_functions)) {
      std::vector<std::string> names;
      for (const FormulaFunction& known : formula_functions) names.emplace_back(known.name);
      const std::string near = nearest_word(name, names);
      throw Error(ErrorCode::unknown_name, fmt::format("no function '{}' in formulas over columns", name),
                  {.value = name,
                   .hint = near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                        : fmt::format("did you mean '{}'?", near)});
    }
    take('(');
    std::string inside = sum().text;
    if (found->arguments == 2) {
      if (!take(',')) fail(fmt::format("{} takes two numbers: expected ','", name));
      inside += ", " + sum().text;
    }
    if (!take(')')) fail("expected ')'");
    step(Step::Kind::call, 1 - found->arguments, 0, std::size_t(found - std::begin(formula_functions)));
    return {fmt::format("{}({})", name, inside), Binds::atom};
  }

  std::string_view text_;
  ColumnFormulas& into_;
  ColumnFormulas::One one_;
  std::size_t at_ = 0;
  int stack_ = 0, nested_ = 0;
};

ColumnFormulas ColumnFormulas::parse(std::string_view text) {
  ColumnFormulas formulas;
  FormulaParser(text, formulas).list();
  return formulas;
}

ColumnFormulas ColumnFormulas::column(const std::string& name) {
  ColumnFormulas formulas;
  formulas.columns_ = {name};
  formulas.formulas_ = {{column_word(name), {{Step::Kind::column}}, 1}};
  return formulas;
}

std::string ColumnFormulas::text() const { return "[" + list_text(formulas_, &One::text) + "]"; }

std::vector<double> ColumnFormulas::values(const Points& points) const {
  std::vector<std::size_t> places;
  for (const std::string& column : columns_) {
    const auto object = std::ranges::find(points.objects(), column, &Objects::name);
    if (object != points.objects().end())
      throw Error(ErrorCode::invalid_kernel, fmt::format("column '{}' holds objects", column),
                  {.hint = "formulas are over columns of numbers"});
    const std::vector<std::size_t> found = find_columns(points, std::span(&column, 1));
    if (found.size() != 1)
      throw Error(ErrorCode::invalid_kernel, fmt::format("column '{}' holds categories", column),
                  {.hint = fmt::format("name one of them, such as \"{}\"", points.name(found.front()))});
    places.push_back(found.front());
  }
  constexpr std::size_t block = 256;
  std::size_t depth = 0;
  for (const One& formula : formulas_) depth = std::max(depth, formula.depth);
  std::vector<double> columns(places.size() * block), stack(depth * block), out(points.rows() * size());
  for (std::size_t begin = 0; begin < points.rows(); begin += block) {
    const std::size_t rows = std::min(block, points.rows() - begin);
    std::visit(
        [&](const auto& held) {
          for (std::size_t c = 0; c < places.size(); ++c)
            for (std::size_t i = 0; i < rows; ++i)
              columns[c * block + i] = double(held.at(begin + i, places[c]));
        },
        points.storage());
    for (std::size_t f = 0; f < size(); ++f) {
      std::size_t height = 0;  // of the stack, in blocks of numbers
      const auto level = [&](std::size_t l) { return stack.data() + (l - 1) * block; };
      for (const Step& s : formulas_[f].steps) {
        const auto two = [&](auto&& operation) {
          double *top = level(--height), *above = level(height + 1);
          for (std::size_t i = 0; i < rows; ++i) top[i] = operation(top[i], above[i]);
        };
        switch (s.kind) {
          case Step::Kind::number:
            std::fill_n(level(++height), rows, s.number);
            break;
          case Step::Kind::column:
            std::copy_n(columns.data() + s.which * block, rows, level(++height));
            break;
          case Step::Kind::negate:
            std::transform(level(height), level(height) + rows, level(height), std::negate<>());
            break;
          case Step::Kind::add:
            two(std::plus<>());
            break;
          case Step::Kind::subtract:
            two(std::minus<>());
            break;
          case Step::Kind::multiply:
            two(std::multiplies<>());
            break;
          case Step::Kind::divide:
            two(std::divides<>());
            break;
          case Step::Kind::power:
            two([](double a, double b) { return std::pow(a, b); });
            break;
          case Step::Kind::call: {
            const FormulaFunction& function = formula_functions[s.which];
            if (function.arguments == 2)
              two(function.apply);
            else
              std::transform(level(height), level(height) + rows, level(height),
                             [&](double a) { return function.apply(a, 0); });
          }
        }
      }
      for (std::size_t i = 0; i < rows; ++i) out[(begin + i) * size() + f] = level(1)[i];
    }
  }
  return out;
}

Points ColumnFormulas::apply(const Points& points) const {
  const std::vector<double> numbers = values(points);
  Dense<double> images{points.rows(), size(), Buffer<double>(numbers.size())};
  std::ranges::copy(numbers, images.values.begin());
  std::vector<std::string> names;
  for (const One& formula : formulas_) names.push_back(formula.text);
  return Points(std::move(images), std::move(names));
}

}  // namespace mercer

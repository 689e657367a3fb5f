#include "base/arithmetic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

// As Arithmetic::Operation has them, from abs on.
constexpr std::array<std::string_view, 9> function_names{"abs", "cos", "exp",  "log", "max",
                                                         "min", "sin", "sqrt", "tanh"};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit_of_name(char c) { return c >= '0' && c <= '9'; }

/// One formula after the other; each part gives its text, with brackets only where they are needed.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, std::vector<std::string>& variables)
      : text_(text), variables_(variables) {}

  std::vector<Arithmetic> list() {
    std::vector<Arithmetic> formulas;
    if (!take('[')) fail("expected '['");
    do formulas.push_back(formula());
    while (take(','));
    if (!take(']')) fail("expected an operator, ',' or ']'");
    if (peek() != 0) fail("expected nothing");
    return formulas;
  }
  Arithmetic whole() {
    Arithmetic one = formula();
    if (peek() != 0) fail("expected an operator");
    return one;
  }

 private:
  using Operation = Arithmetic::Operation;
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
  Arithmetic formula() {
    one_ = {};
    height_ = 0;
    one_.text = sum().text;
    return std::move(one_);
  }
  void step(Operation operation, double number = 0, std::size_t variable = 0) {
    one_.steps.push_back({operation, number, variable});
    if (operation <= Operation::variable) one_.depth = std::max(one_.depth, ++height_);
    if (Arithmetic::takes_two(operation)) --height_;
  }

  Piece sum() {
    if (++nested_ > 100) fail("brackets are nested too deeply");
    Piece left = product();
    while (peek() == '+' || peek() == '-') {
      const char sign = text_[at_++];
      const Piece right = product();
      step(sign == '+' ? Operation::add : Operation::subtract);
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
      step(operation == '*' ? Operation::multiply : Operation::divide);
      left = {left.within(Binds::product) + operation + right.within(Binds::sign), Binds::product};
    }
    return left;
  }
  Piece sign() {
    if (!take('-')) return power();
    if (++nested_ > 100) fail("signs are nested too deeply");
    const Piece inner = sign();
    --nested_;
    step(Operation::negate);
    return {"-" + inner.within(Binds::sign), Binds::sign};
  }
  Piece power() {
    const Piece base = atom();
    if (!take('^')) return base;
    const Piece exponent = sign();
    step(Operation::power);
    return {base.within(Binds::atom) + "^" + exponent.within(Binds::sign), Binds::power};
  }
  Piece atom() {
    const char c = peek();
    if (take('(')) {
      Piece inner = sum();
      if (!take(')')) fail("expected ')'");
      return inner;
    }
    if (c == '"') return variable(quoted());
    if (take('@')) {
      if (peek() == '"') return variable(quoted());
      return variable(word());
    }
    if (is_digit_of_name(c) || c == '.') return number();
    if (!starts_name(c)) fail("expected a name, a number or '('");
    const std::string name = word();
    return peek() == '(' ? call(name) : variable(name);
  }

  Piece number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail("expected a number of double precision");
    at_ = std::size_t(end - text_.data());
    step(Operation::number, value);
    return {shortest_digits(value), Binds::atom};
  }
  std::string word() {
    peek();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit_of_name(text_[at_]))) ++at_;
    if (at_ == begin) fail("expected a name");
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
  Piece variable(const std::string& name) {
    const auto found = std::ranges::find(variables_, name);
    const auto which = std::size_t(found - variables_.begin());
    if (found == variables_.end()) variables_.push_back(name);
    step(Operation::variable, 0, which);
    return {word_text(name), Binds::atom};
  }
  Piece call(const std::string& name) {
    const auto found = std::ranges::find(function_names, name);
    if (found == function_names.end()) {
      const std::vector<std::string> names(function_names.begin(), function_names.end());
      const std::string near = nearest_word(name, names);
      throw Error(ErrorCode::unknown_name, fmt::format("no function '{}' in formulas", name),
                  {.value = name,
                   .hint = near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                        : fmt::format("did you mean '{}'?", near)});
    }
    const auto operation = Operation(int(Operation::abs) + (found - function_names.begin()));
    take('(');
    std::string inside = sum().text;
    if (Arithmetic::takes_two(operation)) {
      if (!take(',')) fail(fmt::format("{} takes two numbers: expected ','", name));
      inside += ", " + sum().text;
    }
    if (!take(')')) fail("expected ')'");
    step(operation);
    return {fmt::format("{}({})", name, inside), Binds::atom};
  }

  std::string_view text_;
  std::vector<std::string>& variables_;
  Arithmetic one_;
  std::size_t at_ = 0, height_ = 0;
  int nested_ = 0;
};

}  // namespace

std::vector<Arithmetic> Arithmetic::parse_list(std::string_view text, std::vector<std::string>& variables) {
  return FormulaParser(text, variables).list();
}

Arithmetic Arithmetic::parse(std::string_view text, std::vector<std::string>& variables) {
  return FormulaParser(text, variables).whole();
}

double applied(Arithmetic::Operation operation, double a) noexcept {
  switch (operation) {
    case Arithmetic::Operation::negate:
      return -a;
    case Arithmetic::Operation::abs:
      return std::abs(a);
    case Arithmetic::Operation::cos:
      return std::cos(a);
    case Arithmetic::Operation::exp:
      return std::exp(a);
    case Arithmetic::Operation::log:
      return std::log(a);
    case Arithmetic::Operation::sin:
      return std::sin(a);
    case Arithmetic::Operation::sqrt:
      return std::sqrt(a);
    default:
      return std::tanh(a);
  }
}

double applied(Arithmetic::Operation operation, double a, double b) noexcept {
  switch (operation) {
    case Arithmetic::Operation::add:
      return a + b;
    case Arithmetic::Operation::subtract:
      return a - b;
    case Arithmetic::Operation::multiply:
      return a * b;
    case Arithmetic::Operation::divide:
      return a / b;
    case Arithmetic::Operation::max:
      return std::max(a, b);
    case Arithmetic::Operation::min:
      return std::min(a, b);
    default:
      return std::pow(a, b);
  }
}

std::string word_text(std::string_view word) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])) && std::ranges::all_of(word, plain))
    return std::string(word);
  std::string quoted = "\"";
  for (const char c : word) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return quoted + "\"";
}

std::string shortest_digits(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return {digits, end};
}

}  // namespace mercer

// Text → kernel expression, by recursive descent:
//   sum     := [-] product { (+|-) product }          product := power { * power | / number }
//   power   := place { ^ whole }                      place   := atom { @ column | @ [ column, … ] }
//   atom    := number | ( sum ) | name [ ( arguments ) ] | name ( sum, … [, arguments ] ) | user : name
// A number where a kernel is meant is the constant kernel, so that (1 + linear)^2 reads as mathematics.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "mercer/spelling.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/fault.hpp"
#include "kernels/node.hpp"
#include "mercer/kernels/constant.hpp"
#include "mercer/user_kernel.hpp"

namespace mercer {

namespace {

using Operand = std::variant<double, Kernel>;

Kernel as_kernel(const Operand& operand) {
  if (const Kernel* k = std::get_if<Kernel>(&operand)) return *k;
  const double c = std::get<double>(operand);
  return c >= 0 ? constant({.c = c}) : -1 * constant({.c = -c});
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  Parser(std::string_view text, std::span<const UserFunction> functions)
      : text_(text), functions_(functions) {}

  Kernel whole() {
    if (peek() == 0) fail(0, text_.size(), "the kernel expression is empty; e.g. rbf(gamma=0.1)");
    Operand result = sum();
    if (peek() == ')') fail(at_, at_ + 1, "this ')' closes nothing");
    if (peek() == '@') fail(at_, at_ + 1, "@ belongs to a kernel: put the part before it in brackets");
    if (peek() != 0) fail(at_, at_ + 1, "expected +, -, *, /, ^, @ or the end here");
    return located(0, [&] { return as_kernel(result); });
  }

 private:
  // ---- characters ----
  bool is_space(std::size_t at) const { return std::isspace(static_cast<unsigned char>(text_[at])); }
  char peek() {  // 0 at the end, and nowhere else
    while (at_ < text_.size() && is_space(at_)) ++at_;
    return at_ == text_.size() ? '\0' : text_[at_] == '\0' ? '\1' : text_[at_];
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(std::size_t begin, std::size_t end, const std::string& what) const {
    fail(begin, end, Error(ErrorCode::invalid_kernel, what));
  }
  [[noreturn]] void fail(std::size_t begin, std::size_t end, const Error& fault) const {
    while (begin < text_.size() && is_space(begin)) ++begin;
    while (end > begin && end <= text_.size() && is_space(end - 1)) --end;
    throw expression_fault(text_, begin, end, fault);
  }
  /// Runs `make`; a fault it finds is shown at [begin, here).
  template <class Make>
  std::invoke_result_t<Make> located(std::size_t begin, Make make) {
    try {
      return make();
    } catch (const Error& error) {
      if (!error.details().excerpt.empty()) throw;
      fail(begin, at_, error);
    }
  }
  void close(char bracket, std::size_t opened) {
    if (take(bracket)) return;
    if (peek() == 0) fail(opened, opened + 1, fmt::format("missing '{}' for this bracket", bracket));
    fail(at_, at_ + 1, fmt::format("expected ',' or '{}' here", bracket));
  }

  /// Notes how many levels the expression read last has. Whatever walks the tree later needs a stack that
  /// deep.
  void rise(int levels) {
    height_ = levels;
    if (height_ > 1000) fail(at_, at_ + 1, "the expression is nested too deeply; at most 1000 levels");
  }

  // ---- expressions ----
  Operand sum() {
    if (++depth_ > 200) fail(at_, at_ + 1, "brackets are nested too deeply; at most 200 levels");
    Operand total = product(take('-'));
    int tallest = height_;
    std::vector<Kernel> more;  // collected, since adding one by one takes quadratic time
    while (peek() == '+' || peek() == '-') {
      const std::size_t begin = at_;
      const Operand term = product(text_[at_++] == '-');
      tallest = std::max(tallest, height_);
      located(begin, [&] {
        const double* number = std::get_if<double>(&term);
        if (double* sum = std::get_if<double>(&total); sum && number) {
          *sum += *number;
        } else {
          total = as_kernel(total);
          more.push_back(as_kernel(term));
        }
      });
    }
    --depth_;
    if (more.empty()) return total;
    rise(tallest + 1);
    return add(std::get<Kernel>(total), std::move(more));
  }

  Operand product(bool negative) {
    const std::size_t begin = at_;
    Operand result = power();
    if (negative) result = times(-1.0, result);
    for (;;) {
      const int left_height = height_;
      if (take('*')) {
        const Operand right = power();
        result = located(begin, [&] { return times(result, right); });
        rise(std::max(left_height, height_) + std::holds_alternative<Kernel>(result));
      } else if (take('/')) {
        const std::size_t divisor = at_;
        const Operand right = power();
        const double* number = std::get_if<double>(&right);
        if (!number || *number == 0)
          fail(divisor, at_, "a kernel can only be divided by a number other than 0");
        result = std::holds_alternative<double>(result)
                     ? Operand(std::get<double>(result) / *number)
                     : located(begin, [&] { return times(1 / *number, result); });
        rise(left_height + std::holds_alternative<Kernel>(result));
      } else {
        return result;
      }
    }
  }

  static Operand times(const Operand& a, const Operand& b) {
    const double *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
    if (x && y) return *x * *y;
    if (x) return *x * std::get<Kernel>(b);
    if (y) return *y * std::get<Kernel>(a);
    return std::get<Kernel>(a) * std::get<Kernel>(b);
  }

  Operand power() {
    Operand base = place();
    while (take('^')) {
      peek();
      const std::size_t begin = at_;
      const double exponent = number("an exponent");
      if (exponent != std::floor(exponent) || exponent < 1 || exponent > 1000)
        fail(begin, at_, "the exponent of a kernel must be a whole number from 1 to 1000");
      base = std::holds_alternative<double>(base) ? Operand(std::pow(std::get<double>(base), exponent))
                                                  : Operand(pow(std::get<Kernel>(base), int(exponent)));
      rise(height_ + std::holds_alternative<Kernel>(base));
    }
    return base;
  }

  Operand place() {
    const std::size_t begin = at_;
    Operand base = atom();
    while (take('@')) {
      const std::size_t opened = at_;
      std::vector<std::string> columns;
      if (take('[')) {
        do columns.push_back(column());
        while (take(','));
        close(']', opened);
      } else {
        columns.push_back(column());
      }
      base = located(begin, [&] { return on_columns(as_kernel(base), std::move(columns)); });
      rise(height_ + 1);
    }
    return base;
  }

  Operand atom() {
    const char c = peek();
    const std::size_t begin = at_;
    if (take('(')) {
      Operand inner = sum();
      close(')', begin);
      return inner;
    }
    height_ = 1;
    if (is_digit(c) || c == '.') return number("a number");
    if (is_letter(c)) return named();
    if (c == 0) fail(begin, begin, "a kernel is missing at the end");
    fail(begin, begin + 1, "expected a kernel, a number or '(' here");
  }

  // ---- words and numbers ----
  double number(const char* what) {
    const bool negative = take('-');
    peek();
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const std::size_t begin = at_;
    if (end == text_.data() + at_ || !(is_digit(text_[at_]) || text_[at_] == '.'))
      fail(at_, at_ + 1, fmt::format("expected {} here", what));
    at_ = std::size_t(end - text_.data());
    if (error == std::errc::result_out_of_range)
      fail(begin, at_, "this number is outside the range of a double");
    return negative ? -value : value;
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  /// A file's name needs no quotes where it has letters, digits and _ . / - # alone.
  bool at_path() const {
    const std::string_view rest = text_.substr(at_);
    return rest.starts_with('/') || rest.starts_with("./") || rest.starts_with("../");
  }
  std::string word_or_path() {
    const std::size_t begin = at_;
    const auto belongs = [](char c) {
      return is_letter(c) || is_digit(c) || std::string_view("./-#").find(c) != std::string_view::npos;
    };
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string quoted() {
    const std::size_t begin = at_++;
    std::string content;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      content += text_[at_++];
    }
    if (at_ == text_.size()) fail(begin, begin + 1, "this quote is never closed");
    ++at_;
    return content;
  }
  std::string column() {
    const char c = peek();
    if (c == '"') return quoted();
    if (is_letter(c) || is_digit(c)) return word();
    fail(at_, at_ + 1, "expected a column's name or number here");
  }

  // ---- name(arguments) ----
  Operand named() {
    const std::size_t begin = at_;
    if (const UserFunction* function = user_function(true)) return user_kernel(*function);
    const std::string name = word();
    const auto leaf = std::ranges::find(leaves(), name, &Leaf::name);
    if (leaf != leaves().end()) return leaf_kernel(**leaf, begin);
    const auto combinator = std::ranges::find(combinators(), name, &Combinator::name);
    if (combinator != combinators().end()) return combined(**combinator, begin);
    std::vector<std::string> known;
    for (const auto& other : leaves()) known.emplace_back(other->name());
    for (const Combinator* other : combinators()) known.emplace_back(other->name);
    const std::string near = nearest_word(name, known);
    fail(begin, at_,
         Error(ErrorCode::unknown_name, fmt::format("unknown kernel '{}'", name),
               {.value = name,
                .hint = near.empty() ? "" : fmt::format("did you mean '{}'?", near),
                .hints = {{Remedy::list_names, "kernels"}}}));
  }

  /// The program's kernel, or function of rows, that user:name at this place names; null where no such name
  /// stands here.
  const UserFunction* user_function(bool kernel) {
    constexpr std::string_view prefix = "user:";
    if (text_.substr(at_, prefix.size()) != prefix) return nullptr;
    const std::size_t begin = at_;
    at_ += prefix.size();
    const std::string name = word();
    if (name.empty()) fail(begin, at_, "expected a function's name after user:");
    const UserFunction* found = nullptr;
    for (const UserFunction& function : functions_) {
      if (function.name() != name || function.is_kernel() != kernel) continue;
      if (found && *found != function)
        fail(begin, at_, fmt::format("two different functions are called '{}'; give one another name", name));
      found = &function;
    }
    if (!found)
      fail(begin, at_,
           Error(ErrorCode::unknown_name,
                 fmt::format("the {} '{}' is not known here: texts and files hold its name alone",
                             kernel ? "kernel" : "function", name),
                 {.value = name, .hints = {{Remedy::give_function, name}}}));
    return found;
  }

  Kernel leaf_kernel(const Leaf& prototype, std::size_t begin) {
    AnyLeaf leaf(prototype);
    const std::size_t opened = at_;
    if (take('(') && !take(')')) {
      std::vector<std::string> names;
      for (const auto& parameter : leaf->parameters()) names.emplace_back(parameter.name);
      const auto use = [&](std::size_t which, const Argument& argument) {
        const auto& parameter = leaf->parameters()[which];
        try {
          parameter.set(*leaf, argument);
        } catch (const Error& error) {
          throw error.about(leaf->name(), parameter.name);
        }
      };
      each_argument(leaf->name(), names, opened, use, &prototype);
    }
    return located(begin, [&] { return make_kernel(std::move(leaf)); });
  }

  Kernel combined(const Combinator& combinator, std::size_t begin) {
    const std::size_t opened = at_;
    if (!take('(')) fail(begin, at_, fmt::format("{0} needs a kernel: {0}(rbf(gamma=1))", combinator.name));
    std::vector<Kernel> kernels;
    int tallest = 0;
    bool more = false;  // a comma was read last
    do {
      const std::size_t inside = at_;
      const Operand operand = sum();
      kernels.push_back(located(inside, [&] { return as_kernel(operand); }));
      tallest = std::max(tallest, height_);
      more = take(',');
    } while (more && combinator.several && !at_parameter());
    rise(tallest + 1);
    Combinator::Arguments arguments;
    std::vector<std::string> names;
    for (const auto& parameter : combinator.parameters) names.emplace_back(parameter.name);
    const UserFunction* by = nullptr;
    if (more) {
      const auto special = [&](std::size_t which) -> std::optional<Argument> {
        if (which != 0 || !combinator.build_by) return formula_at(combinator.parameters[which].formula);
        by = user_function(false);
        return by ? Argument(Word{by->name()}) : formula_at(combinator.parameters[which].formula);
      };
      each_argument(
          combinator.name, names, opened,
          [&](std::size_t which, const Argument& argument) {
            arguments.emplace_back(names[which], argument);
          },
          nullptr, special);
      if (by && arguments.size() > 1)
        fail(begin, at_, fmt::format("user:{} takes no other parameters", by->name()));
      if (by) return located(begin, [&] { return combinator.build_by(kernels.front(), *by); });
    } else {
      close(')', opened);
    }
    for (const auto& parameter : combinator.parameters)
      if (parameter.standard.empty() &&
          std::ranges::find(arguments, parameter.name, [](auto& a) { return a.first; }) == arguments.end())
        fail(begin, at_,
             fmt::format("{} needs {}=…: {}", combinator.name, parameter.name, parameter.meaning));
    return located(begin, [&] { return combinator.build(kernels, arguments); });
  }

  /// Whether name= follows.
  bool at_parameter() {
    const bool named = is_letter(peek());
    const std::size_t begin = at_;
    word();
    const bool found = named && peek() == '=';
    at_ = begin;
    return found;
  }

  /// Formulas over columns, as "[formula, …]"; nothing where a name, a number or a list of numbers stands
  /// here.
  std::optional<Argument> formula_at(bool expected) {
    if (!expected) return {};
    const char c = peek();
    const std::size_t begin = at_;
    if (c != '[' && c != '(' && c != '-') {  // one name, column or number, unless something follows
      argument();
      if (peek() == ',' || peek() == ')' || peek() == 0) {
        at_ = begin;
        return {};
      }
      at_ = begin;
    }
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char now = text_[at_];
      if (std::iscntrl(static_cast<unsigned char>(now)) && !is_space(at_))
        fail(at_, at_ + 1, "expected no control character in a formula");
      if (now == '"') {
        quoted();
        --at_;
      } else if (now == '(' || now == '[') {
        ++depth;
      } else if (depth == 0 && (now == ',' || now == ')')) {
        break;
      } else if (now == ')' || now == ']') {
        --depth;
      }
    }
    const std::string raw(text_.substr(begin, at_ - begin));
    return Word{c == '[' ? raw : "[" + raw + "]"};
  }

  static std::optional<Argument> nothing_special(std::size_t) { return {}; }
  /// name=value, … up to the closing bracket. `leaf`: whose parameters they are, where it is one. `special`:
  /// reads the value of a parameter that has forms of its own, where one of these stands there.
  template <class Use, class Special = decltype(&Parser::nothing_special)>
  void each_argument(std::string_view owner, const std::vector<std::string>& names, std::size_t opened,
                     Use use, const Leaf* leaf = nullptr, Special special = &Parser::nothing_special) {
    std::vector<bool> seen(names.size());
    do {
      const char c = peek();
      const std::size_t begin = at_;
      if (!is_letter(c)) {
        fail(begin, begin + 1,
             names.empty()
                 ? fmt::format("{} has no parameters", owner)
                 : fmt::format("expected a parameter's name here, as in {}({}=…)", owner, names.front()));
      }
      const std::string name = word();
      const auto found = std::ranges::find(names, leaf ? leaf->renamed(name) : name);
      if (found == names.end()) {
        const std::string near = nearest_word(name, names);
        fail(begin, at_,
             names.empty() ? fmt::format("{} has no parameters", owner)
                           : fmt::format("{} has no parameter '{}'; {}", owner, name,
                                         near.empty() ? fmt::format("it has {}", fmt::join(names, ", "))
                                                      : fmt::format("did you mean '{}'?", near)));
      }
      const auto which = std::size_t(found - names.begin());
      if (seen[which]) fail(begin, at_, fmt::format("{} is given twice", name));
      seen[which] = true;
      if (!take('=')) fail(at_, at_ + 1, fmt::format("expected '=' after {}", name));
      peek();
      std::optional<Argument> value = special(which);
      if (!value) value = argument();
      located(begin, [&] { use(which, *value); });
    } while (take(','));
    close(')', opened);
  }

  Argument argument() {
    const char c = peek();
    if (c == '"') return Word{quoted()};
    if (c == '@') {
      ++at_;
      return Word{column()};
    }
    if (is_letter(c) || at_path()) return Word{word_or_path()};
    if (c != '[') return number("a value");
    const std::size_t opened = at_++;
    if (peek() == '[') {
      std::vector<std::vector<double>> rows;
      do {
        if (!take('[')) fail(at_, at_ + 1, "expected a row [ … ] here");
        rows.push_back(numbers(at_ - 1));
      } while (take(','));
      close(']', opened);
      return rows;
    }
    return numbers(opened);
  }

  std::vector<double> numbers(std::size_t opened) {
    std::vector<double> list;
    if (take(']')) return list;
    do list.push_back(number("a number"));
    while (take(','));
    close(']', opened);
    return list;
  }

  std::string_view text_;
  std::span<const UserFunction> functions_;
  std::size_t at_ = 0;
  int depth_ = 0;   // of the brackets around this place
  int height_ = 0;  // of the expression read last
};

}  // namespace

Kernel Kernel::parse(std::string_view text) { return parse(text, {}); }

Kernel Kernel::parse(std::string_view text, std::span<const UserFunction> functions) {
  return Parser(text, functions).whole();
}

}  // namespace mercer

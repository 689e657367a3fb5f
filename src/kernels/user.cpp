// Functions of a program as kernels, weights and maps. They print as user:name, which the parser turns back
// into the function of that name that it is given.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "data/row_memo.hpp"
#include "kernels/maps.hpp"
#include "kernels/object_column.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/kernels/linear.hpp"

namespace mercer {

namespace {

void check_name(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty() || digit(name.front()) ||
      !std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); }))
    throw Error(ErrorCode::invalid_argument, fmt::format("'{}' cannot name a function", name),
                {.value = name, .hint = "a name has letters, digits and _, and begins with no digit"});
}

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

class User final : public Node {
 public:
  explicit User(UserFunction function) : function_(std::move(function)) {}
  std::string text() const override { return "user:" + function_.name(); }
  Properties properties() const override { return {.psd = function_.psd()}; }
  Proof prove() const override {
    if (function_.psd())
      return {true, fmt::format("{} is declared positive semidefinite by its author", text())};
    return {false, fmt::format("{} is a function about which nothing is known", text())};
  }
  Symbol trace(Tracer& tracer) const override { return tracer.tile(function_.key(), function_.kernel()); }
  std::vector<Domain> domains() const override { return domains_of(function_); }
  std::vector<Kernel> parts() const override { return {}; }
  Kernel with_parts(std::vector<Kernel>) const override { return Kernel(std::make_shared<User>(*this)); }
  const UserFunction* function() const override { return &function_; }

 private:
  UserFunction function_;
};

void collect(const Kernel& kernel, std::vector<UserFunction>& functions) {
  const UserFunction* function = kernel.node().function();
  if (function && std::ranges::find(functions, *function) == functions.end()) functions.push_back(*function);
  for (const Kernel& part : kernel.parts()) collect(part, functions);
}

}  // namespace

UserFunction::UserFunction(std::string name, OfRows function, std::shared_ptr<const void> owner)
    : name_(std::move(name)),
      id_(next_id()),
      function_(std::make_shared<const OfRows>(std::move(function))),
      owner_(std::move(owner)) {
  check_name(name_);
}

UserFunction::UserFunction(std::string name, TileFunction kernel, bool psd, std::shared_ptr<const void> owner)
    : name_(std::move(name)),
      id_(next_id()),
      kernel_(std::make_shared<const TileFunction>(std::move(kernel))),
      psd_(psd),
      owner_(std::move(owner)) {
  check_name(name_);
}

UserFunction UserFunction::of(Domain domain) const {
  UserFunction other = *this;
  other.domain_ = domain;
  return other;
}

namespace {

// The one column of objects that a function of this domain takes.
Points objects_alone(const Points& points, const UserFunction& function) {
  const std::vector<Domain> domains = domains_of(function);
  return Points(Dense<double>{points.rows(), 0, {}})
      .with_objects({object_column(points, domains, "user:" + function.name())});
}

}  // namespace

TileFunction UserFunction::kernel() const {
  if (!domain_) return *kernel_;
  return [function = *this](const Points& x, Range rows, const Points& z, Range columns, double* out) {
    (*function.kernel_)(objects_alone(x, function), rows, objects_alone(z, function), columns, out);
  };
}

std::string UserFunction::key() const { return fmt::format("user:{} {}", name_, id_); }

std::shared_ptr<const Dense<double>> UserFunction::images(const Points& points) const {
  if (auto known = points.memo().find(key())) return known;
  auto images =
      std::make_shared<const Dense<double>>((*function_)(domain_ ? objects_alone(points, *this) : points));
  if (images->rows != points.rows() || images->values.size() != images->rows * images->cols)
    throw Error(ErrorCode::invalid_data,
                fmt::format("the function '{}' gives {} rows of numbers for {} rows", name_, images->rows,
                            points.rows()),
                {.hint = "it must give one for each"});
  points.memo().keep(key(), images);
  return images;
}

std::vector<Domain> domains_of(const UserFunction& function) {
  return function.domain() ? std::vector{*function.domain()} : std::vector<Domain>();
}

PointMap map_by(const UserFunction& function) {
  return {function.key(), [function](const Points& points, const Points*, int) {
            const auto images = function.images(points);
            std::vector<std::string> names;
            for (std::size_t j = 0; j < images->cols; ++j)
              names.push_back(fmt::format("{}[{}]", function.name(), j + 1));
            return Points::borrow<double>(images->rows, images->cols, images->values, images,
                                          std::move(names));
          }};
}

PointFunction weight_by(const UserFunction& function) {
  return {function.key(), [function](const Points& points) {
            const auto images = function.images(points);
            if (images->cols != 1 && images->rows > 0)
              throw Error(
                  ErrorCode::invalid_kernel,
                  fmt::format("the function '{}' gives {} numbers for a row", function.name(), images->cols),
                  {.owner = "weighted", .hint = "a weight is one number; mapped takes several"});
            return std::vector<double>(images->values.begin(), images->values.end());
          }};
}

Kernel user_kernel(const UserFunction& kernel) { return Kernel(std::make_shared<User>(kernel)); }

Kernel user_kernel(std::string name, TileFunction function, bool psd) {
  return user_kernel(UserFunction(std::move(name), std::move(function), psd));
}

Kernel user_kernel(std::string name, PairFunction function, bool psd) {
  const auto tile = [function = std::move(function)](const Points& x, Range rows, const Points& z,
                                                     Range columns, double* out) {
    std::vector<std::vector<double>> right;
    for (std::size_t j = columns.begin; j < columns.end; ++j) right.push_back(z.row(j));
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      const std::vector<double> left = x.row(i);
      for (const auto& point : right) *out++ = function(left, point);
    }
  };
  return user_kernel(std::move(name), TileFunction(tile), psd);
}

Kernel from_features(const UserFunction& phi) { return mapped(linear(), phi); }

std::vector<UserFunction> user_functions(const Kernel& kernel) {
  std::vector<UserFunction> functions;
  collect(kernel, functions);
  return functions;
}

}  // namespace mercer

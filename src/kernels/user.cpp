// Kernels given as C++ functions. They print as user:name, which no parser can turn back into code.
#include <fmt/format.h>

#include "kernels/maps.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

class User final : public Node {
 public:
  User(std::string name, TileFunction function, bool psd)
      : name_(std::move(name)), key_(user_key()), function_(std::move(function)), psd_(psd) {}
  std::string text() const override { return "user:" + name_; }
  Properties properties() const override { return {.psd = psd_}; }
  Proof prove() const override {
    if (psd_) return {true, fmt::format("{} is declared positive semidefinite by its author", text())};
    return {false, fmt::format("{} is a function about which nothing is known", text())};
  }
  Symbol trace(Tracer& tracer) const override { return tracer.tile(key_, function_); }
  std::vector<Kernel> parts() const override { return {}; }
  Kernel with_parts(std::vector<Kernel>) const override { return Kernel(std::make_shared<User>(*this)); }

 private:
  std::string name_, key_;
  TileFunction function_;
  bool psd_;
};

}  // namespace

Kernel user_kernel(std::string name, TileFunction function, bool psd) {
  return Kernel(std::make_shared<User>(std::move(name), std::move(function), psd));
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

}  // namespace mercer

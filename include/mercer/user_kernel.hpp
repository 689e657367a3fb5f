// Functions of a program inside kernel expressions: a kernel, a weight f in f(x) k(x, z) f(z), a map φ in
// k(φ(x), φ(z)). Each has a name and is written user:name. A model file keeps the name; whoever loads it
// gives the function again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

/// A kernel given as a function of two points, or of a tile: out[(i − rows.begin) · columns.size() + j −
/// columns.begin] = k(xᵢ, zⱼ). Not proved PSD unless `psd` says that you know it is. Called from several
/// threads.
using PairFunction = std::function<double(std::span<const double>, std::span<const double>)>;
using TileFunction =
    std::function<void(const Points& x, Range rows, const Points& z, Range columns, double* out)>;
Kernel user_kernel(std::string name, PairFunction function, bool psd = false);
Kernel user_kernel(std::string name, TileFunction function, bool psd = false);

/// A function under a name. Copies are the same function; two that are made apart are not, whatever their
/// names.
class UserFunction {
 public:
  /// f or φ of all rows at once: one row of numbers for each, of one number where it is a weight.
  using OfRows = std::function<Dense<double>(const Points& rows)>;

  /// Throws Error{usage} where the name is no word of letters, digits and _. `owner`: anything that whoever
  /// made the function wants to find again with it.
  UserFunction(std::string name, OfRows function, std::shared_ptr<const void> owner = {});
  UserFunction(std::string name, TileFunction kernel, bool psd = false,
               std::shared_ptr<const void> owner = {});

  /// The same function, of objects: the points that it is given have one column of them and no numbers.
  UserFunction of(Domain domain) const;
  std::optional<Domain> domain() const noexcept { return domain_; }

  const std::string& name() const noexcept { return name_; }
  const std::shared_ptr<const void>& owner() const noexcept { return owner_; }
  bool is_kernel() const noexcept { return kernel_ != nullptr; }
  bool psd() const noexcept { return psd_; }  ///< of a kernel: its author says so
  /// k of two points; with the columns that it compares chosen.
  TileFunction kernel() const;
  /// The images, each row once: they are kept with the points. Throws Error{data} where the function gives
  /// another number of rows.
  std::shared_ptr<const Dense<double>> images(const Points& points) const;

  /// Of this function alone; copies share it.
  std::string key() const;
  friend bool operator==(const UserFunction& a, const UserFunction& b) { return a.id_ == b.id_; }

 private:
  std::string name_;
  std::uint64_t id_;  // an address could be that of a function that is gone
  std::shared_ptr<const OfRows> function_;
  std::shared_ptr<const TileFunction> kernel_;
  bool psd_ = false;
  std::optional<Domain> domain_;
  std::shared_ptr<const void> owner_;
};

Kernel user_kernel(const UserFunction& kernel);
/// f(x) k(x, z) f(z).
Kernel weighted(const Kernel& k, const UserFunction& by);
/// k(φ(x), φ(z)).
Kernel mapped(const Kernel& k, const UserFunction& by);
/// φ(x)ᵀφ(z): mapped(linear, by=user:…).
Kernel from_features(const UserFunction& phi);

/// The same of single rows, one after the other.
Kernel weighted(const Kernel& k, std::function<double(std::span<const double>)> by, std::string name = "f");
Kernel mapped(const Kernel& k, std::function<std::vector<double>(std::span<const double>)> by,
              std::string name = "phi");

/// The functions in an expression, each once.
std::vector<UserFunction> user_functions(const Kernel& kernel);

}  // namespace mercer

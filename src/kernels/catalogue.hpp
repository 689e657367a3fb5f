// Everything an expression can name. A leaf kernel is a header in include/mercer/kernels/ and a word in
// catalogue.cpp; a combinator is a source here and a word there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mercer/leaf.hpp"

namespace mercer {

/// A rule with a name: name(kernel, parameter=…), or name(kernel, kernel, …, parameter=…).
struct Combinator {
  struct Parameter {
    /// `standard`: the default as text; empty where one must be given.
    std::string_view name, meaning, standard;
    bool formula = false;  ///< may be a formula over columns, or a list of them (column_formula.hpp)
  };
  using Arguments = std::vector<std::pair<std::string, Argument>>;

  std::string_view name, formula, summary;
  std::vector<Parameter> parameters;
  bool several = false;  ///< takes one kernel or more
  Kernel (*build)(const std::vector<Kernel>& kernels, const Arguments& arguments);  ///< throws Error{usage}
  /// Where a function of the program may stand in the place of the first parameter, by=user:name.
  Kernel (*build_by)(const Kernel& kernel, const UserFunction& function) = nullptr;
  std::span<const KernelSearch> search = {};  ///< what automatic selection tries of it
};

const std::vector<AnyLeaf>& leaves();  ///< one of each, with its defaults
const std::vector<const Combinator*>& combinators();

}  // namespace mercer

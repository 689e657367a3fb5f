// What a kernel expression can name: for help pages, tables and other faces.
#pragma once

#include <string>
#include <vector>

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

struct KernelInfo {
  enum class Kind { leaf, rule, map, function };
  struct Parameter {
    std::string name, standard, range, meaning;
    bool instead = false;  ///< another way to give the parameter before it; one of the two is given
  };
  Kind kind = Kind::leaf;
  std::string name = {}, formula = {}, summary = {};
  bool several = false;  ///< of rules: takes one kernel or more
  std::vector<Parameter> parameters = {};
  Properties properties = {};        ///< of leaves, at their defaults
  bool explicit_map = false;         ///< of leaves: has an explicit feature map (perhaps truncated)
  std::vector<Domain> domains = {};  ///< of leaves: the objects it compares; none: rows of numbers
};

/// Leaves, then the rules that combine them, then the maps and functions that `mapped` and `weighted` know.
std::vector<KernelInfo> kernel_catalogue();

/// What is known of an expression without data.
struct ExpressionInfo {
  enum class Map {
    none,
    exact,     ///< a finite φ with φ(x)ᵀφ(z) = k(x, z)
    truncated  ///< the first terms of an infinite one
  };
  std::vector<KernelInfo> named;  ///< the kernels and rules that it names, each once, in their order
  Properties properties = {};
  Proof proof = {};
  Map map = Map::none;
  bool spectral_density = false;  ///< whether the distribution of its frequencies is known
};
ExpressionInfo describe(const Kernel& kernel);

}  // namespace mercer

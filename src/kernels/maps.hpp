// Maps φ and functions f of points, by name; the raw material of k(φ(x), φ(z)) and f(x) k(x, z) f(z).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"

namespace mercer {

/// Applies φ to every row. All images must have the same length; Error{usage} otherwise.
Dense<double> image_rows(const Points& points,
                         const std::function<std::vector<double>(std::span<const double>)>& map);
Points map_rows(const Points& points, const std::function<std::vector<double>(std::span<const double>)>& map);

/// The numbers alone, each times that of its column, in float64; sparse rows stay sparse.
Points with_scaled_columns(const Points& points, std::span<const double> by);

/// What a named map or function is, for the help and the parser.
struct PointMapInfo {
  std::string name, formula;
  std::string parameter;  ///< its one parameter, or empty
  double default_value = 0;
  bool integer = false;  ///< the parameter is a whole number ≥ 1; otherwise it is > 0
  std::function<std::vector<double>(std::span<const double>, double parameter)> apply;
  RowAlgebra::Id (*write)(RowAlgebra& algebra, RowAlgebra::Id x, double parameter);  ///< the same
};

const std::vector<PointMapInfo>& point_maps();       ///< squares, powers, append_norm, unit
const std::vector<PointMapInfo>& point_functions();  ///< norm, inverse_norm, exp_norm: one number each

/// Which of them a combinator's arguments choose: `by=powers, degree=3`.
struct Choice {
  const PointMapInfo* info = nullptr;  ///< null: no such name
  std::string name;
  double parameter = 0;

  std::string text() const;  ///< "by=powers, degree=3"
};

Choice choose(const std::vector<PointMapInfo>& known, const Combinator::Arguments& arguments);
Choice choose(const std::vector<PointMapInfo>& known, const std::string& name);

/// The 0-based numbers of the named columns of numbers; "3" is the third, and where columns have no names so
/// is x3. Error{usage} for an unknown one.
std::vector<std::size_t> find_columns(const Points& points, std::span<const std::string> columns);
/// The named columns alone: numbers ("3" is the third) and objects. Error{usage} for an unknown one.
Points columns_named(const Points& points, std::span<const std::string> columns);

}  // namespace mercer

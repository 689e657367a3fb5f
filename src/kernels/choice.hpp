// Which named map or function a combinator's arguments choose: `by=powers, degree=3`.
#pragma once

#include <string>

#include "kernels/catalogue.hpp"
#include "kernels/maps.hpp"

namespace mercer {

struct Choice {
  const PointMapInfo* info = nullptr;  ///< null: no such name
  std::string name;
  double parameter = 0;

  std::string text() const;  ///< "by=powers, degree=3"
};

Choice choose(const std::vector<PointMapInfo>& known, const Combinator::Arguments& arguments);
Choice choose(const std::vector<PointMapInfo>& known, const std::string& name);

/// A key for something that has no name: different at each call, and not parseable.
std::string user_key();

}  // namespace mercer

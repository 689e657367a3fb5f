// What a model is called above its picture.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mercer/model.hpp"

namespace mercer {

/// The parameters that are not the method's defaults, to four digits.
std::vector<std::pair<std::string, Argument>> changed_parameters(const Method& method);

/// The method with the parameters that are not its defaults: "svm C=10".
std::string method_title(const Method& method);

/// Text of a kernel for people: numbers of more than five digits are rounded to four.
std::string rounded(std::string_view expression);

/// The method and the kernel: "svm C=10 · rbf(gamma=0.5)".
std::string model_title(const Model& model);

}  // namespace mercer

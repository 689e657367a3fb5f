// What a model is called above its picture.
#pragma once

#include <string>

#include "mercer/model.hpp"

namespace mercer {

/// The method with the parameters that are not its defaults: "svm C=10".
std::string method_title(const Method& method);

/// The method and the kernel: "svm C=10 · rbf(gamma=0.5)".
std::string model_title(const Model& model);

}  // namespace mercer

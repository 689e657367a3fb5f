// The two files a model is kept in: .mercer (a safetensors file) and LIBSVM's model text.
#pragma once

#include <string>

#include "mercer/model.hpp"
#include "mercer/user_kernel.hpp"
#include "model/libsvm_model.hpp"

namespace mercer {

void save_mercer(const std::string& path, const Model& model);
Model load_mercer(const std::string& path, std::span<const UserFunction> functions);

/// Throws Error{usage} for what LIBSVM cannot express: another method or kernel, scaling, labels that are not
/// whole numbers.
LibsvmModel to_libsvm(const Model& model);
/// Throws Error{data} for a model of a single class.
Model from_libsvm(const std::string& path, const LibsvmModel& model);

}  // namespace mercer

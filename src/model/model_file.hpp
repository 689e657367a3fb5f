// The two files a model is kept in: .mercer (a safetensors file) and LIBSVM's model text.
#pragma once

#include <string>
#include <string_view>

#include "mercer/model.hpp"
#include "model/libsvm_model.hpp"

namespace mercer {

void save_mercer(const std::string& path, const Model& model);
Model load_mercer(const std::string& path);
/// The same in memory; `name` is what messages call it.
std::string mercer_bytes(const Model& model, const std::string& name);
Model model_of_bytes(std::string_view bytes, const std::string& name);

/// Throws Error{usage} for what LIBSVM cannot express: another method or kernel, scaling, labels that are not
/// whole numbers.
LibsvmModel to_libsvm(const Model& model);
/// Throws Error{data} for a model of a single class.
Model from_libsvm(const std::string& path, const LibsvmModel& model);

}  // namespace mercer

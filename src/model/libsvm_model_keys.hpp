// The keys of a LIBSVM model file, the lines in front of SV. They may stand in any order, each once.
#pragma once

#include <cstdint>
#include <string_view>

#include "data/text_source.hpp"
#include "model/libsvm_model.hpp"

namespace mercer {

/// Fills in all but the support vectors and returns where their lines start. All counts agree with each
/// other.
const char* read_model_keys(const TextSource& source, LibsvmModel& model);

/// `text`, a piece of the source, as a number; anything else is refused.
double finite_number(const TextSource& source, std::string_view text);
std::int32_t whole_number(const TextSource& source, std::string_view text, std::int32_t least);

}  // namespace mercer

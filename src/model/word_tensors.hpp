// Word vectors in a .mercer file, so that a model does not need the file they came from: tensors
// `words.0.words`, `words.0.bytes`, `words.0.starts`, `words.0.first` and `words.0.values` for each
// bow(similarity=…) with others, and their checksums in the JSON.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "mercer/word_vectors.hpp"
#include "model/safetensors.hpp"

namespace mercer {

void add_words(std::vector<TensorView>& tensors, const std::vector<SharedWords>& words,
               std::deque<std::vector<std::int64_t>>& kept);
/// Error{data} naming the tensor that is wrong.
std::vector<SharedWords> read_words(const Safetensors& file, const std::vector<std::string>& checksums);

}  // namespace mercer

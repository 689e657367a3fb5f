// A .npy file holds the points alone; the target and the weights may stand in .npy files of their own.
#include <fmt/format.h>

#include <memory>

#include "data/array_parts.hpp"
#include "data/readers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

NpyArray open_array(const MappedFile& file) {
  const std::string_view text = file.text();
  NpyHeader header = parse_npy_header(file.name(), text, text.size());
  std::string_view rest = text.substr(header.header_bytes);
  std::string_view previous;
  return NpyArray(file.name(), std::move(header), [&file, rest, previous](std::size_t bytes) mutable {
    file.forget(previous);
    previous = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return previous;
  });
}

bool given(const std::string& choice) noexcept { return !choice.empty() && choice != "none"; }

}  // namespace

Dataset read_npy(const MappedFile& file, const ReadOptions& options) {
  Parts parts;
  parts.storage = read_points(open_array(file), options);
  if (given(options.target)) {
    const MappedFile target(options.target);
    read_target(open_array(target), options, "", parts);
  }
  if (given(options.weights)) {
    const MappedFile weights(options.weights);
    read_weights(open_array(weights), options, parts);
  }
  return assemble_arrays(std::move(parts), options, file.name());
}

}  // namespace mercer

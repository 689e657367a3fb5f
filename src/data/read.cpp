#include <fmt/format.h>

#include <new>

#include "data/formats.hpp"
#include "data/readers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

Dataset read_as(const MappedFile& file, Format format, const ReadOptions& options) {
  switch (format) {
    case Format::npy:
      return read_npy(file, options);
    case Format::npz:
      return read_npz(file, options);
    case Format::csv:
      return read_table(TextSource(file), options, ',');
    case Format::tsv:
      return read_table(TextSource(file), options, '\t');
    case Format::libsvm:
    case Format::automatic:
      break;
  }
  return read_libsvm(TextSource(file), options);
}

}  // namespace

Dataset read(const std::string& path, const ReadOptions& options) {
  const MappedFile file(path);
  const Format format = options.format == Format::automatic ? format_of(path, file.text()) : options.format;
  try {
    return read_as(file, format, options);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::budget, fmt::format("{}: there is not enough memory to read it", file.name()));
  }
}

}  // namespace mercer

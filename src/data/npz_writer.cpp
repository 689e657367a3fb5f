// A .npz file as numpy.savez writes it: a zip archive of .npy files, not compressed. libzip writes a
// temporary file beside the path and renames it, as AtomicFile does.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "data/array_bytes.hpp"
#include "data/libzip.hpp"
#include "data/refusals.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

struct Discard {
  void operator()(zip_t* archive) const noexcept { libzip().discard(archive); }
};

using Archive = std::unique_ptr<zip_t, Discard>;

Archive create(const std::string& path) {
  int code = 0;
  Archive archive(libzip().open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (archive) return archive;
  zip_error_t error;
  libzip().error_init_with_code(&error, code);
  const std::string why = libzip().error_strerror(&error);
  libzip().error_fini(&error);
  refuse_file(path, fmt::format("cannot be created: {}", why));
}

/// The array's bytes are read when the archive is closed.
void add(const std::string& path, zip_t* archive, const ArrayBytes& array) {
  const auto fragment = [](std::string_view bytes) {
    return zip_buffer_fragment_t{reinterpret_cast<zip_uint8_t*>(const_cast<char*>(bytes.data())),
                                 bytes.size()};
  };
  const std::array fragments = {fragment(array.header), fragment(array.elements())};
  zip_source_t* source = libzip().source_buffer_fragment(archive, fragments.data(), fragments.size(), 0);
  const zip_int64_t index =
      source ? libzip().file_add(archive, (array.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
  if (source && index < 0) libzip().source_free(source);
  if (index < 0 || libzip().set_file_compression(archive, zip_uint64_t(index), ZIP_CM_STORE, 0) != 0)
    refuse_file(path, fmt::format("cannot be written: {}", libzip().strerror(archive)));
}

}  // namespace

void write_npz(const std::string& path, const Dataset& data) {
  if (path == "-") refuse_file("standard output", "a .npz archive cannot be written there", "name a file");
  if (!data.queries.empty()) refuse_file(path, "a .npz file cannot hold LIBSVM's qid", "write .svm");
  std::vector<ArrayBytes> arrays = arrays_of_points(data.points);
  if (data.target.task != Task::none) arrays.push_back(array_of_target(data.target));
  if (!data.weights.empty()) arrays.push_back(array_of_weights(data.weights));
  Archive archive = create(path);
  for (const ArrayBytes& array : arrays) add(path, archive.get(), array);
  if (libzip().close(archive.get()) != 0)
    refuse_file(path, fmt::format("cannot be written: {}", libzip().strerror(archive.get())));
  (void)archive.release();
}

}  // namespace mercer

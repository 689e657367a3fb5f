// .npz files through libzip. What is written goes to a temporary file beside the path, which libzip renames,
// as AtomicFile does.
#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>

#include "base/library.hpp"
#include "data/numpy.hpp"

namespace mercer {

namespace {

/// What is used of libzip, loaded at first use, since it brings a library for cryptography with it:
/// libzip().open(…) is zip_open(…).
struct LibZip {
  Library library{{MERCER_ZIP_FILE, "libzip.so"}, "an .npz file", "libzip4"};
#define MERCER_ZIP(name) decltype(&zip_##name) name = library.function<decltype(zip_##name)>("zip_" #name);
  // clang-format off
  MERCER_ZIP(close) MERCER_ZIP(discard) MERCER_ZIP(open) MERCER_ZIP(open_from_source) MERCER_ZIP(strerror)
  MERCER_ZIP(error_fini) MERCER_ZIP(error_init) MERCER_ZIP(error_init_with_code) MERCER_ZIP(error_strerror)
  MERCER_ZIP(fclose) MERCER_ZIP(fopen_index) MERCER_ZIP(fread) MERCER_ZIP(file_add) MERCER_ZIP(file_get_error)
  MERCER_ZIP(get_name) MERCER_ZIP(get_num_entries) MERCER_ZIP(set_file_compression) MERCER_ZIP(stat_index)
  MERCER_ZIP(stat_init) MERCER_ZIP(source_buffer_create) MERCER_ZIP(source_buffer_fragment) MERCER_ZIP(source_free)
  // clang-format on
#undef MERCER_ZIP
};

const LibZip& libzip() {
  static const LibZip loaded;
  return loaded;
}

/// One file of the archive, decompressed as it is read.
class Entry {
 public:
  Entry(std::string name, zip_t* archive, zip_uint64_t index) : name_(std::move(name)) {
    zip_stat_t status;
    libzip().stat_init(&status);
    if (libzip().stat_index(archive, index, 0, &status) != 0 || !(status.valid & ZIP_STAT_SIZE) ||
        !(status.valid & ZIP_STAT_COMP_SIZE))
      refuse_file(name_, "the archive does not tell the size of the array", "save it again with numpy.savez");
    // Deflate makes a thousandth of zeros at best; a smaller entry is an archive made to exhaust memory.
    if (status.size / 1100 > status.comp_size + 1)
      refuse_file(name_, fmt::format("{} bytes cannot come out of {}", status.size, status.comp_size),
                  "the archive is damaged or hostile");
    size_ = status.size;
    file_ = libzip().fopen_index(archive, index, 0);
    if (!file_)
      refuse_file(name_, fmt::format("cannot be read from the archive: {}", libzip().strerror(archive)));
  }
  ~Entry() { libzip().fclose(file_); }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  zip_uint64_t size() const noexcept { return size_; }

  std::string_view next(std::size_t bytes) {
    if (block_.size() < bytes) block_.resize(bytes);
    for (std::size_t got = 0; got < bytes;) {
      const zip_int64_t count = libzip().fread(file_, block_.data() + got, bytes - got);
      if (count < 0)
        refuse_file(name_, fmt::format("the archive is damaged: {}",
                                       libzip().error_strerror(libzip().file_get_error(file_))));
      if (count == 0) refuse_file(name_, "the archive is cut short or damaged", "save it again");
      got += std::size_t(count);
    }
    done_ += bytes;
    if (done_ == size_) check_end();
    return {block_.data(), bytes};
  }

 private:
  /// The checksum is compared when the end is met.
  void check_end() {
    char extra;
    if (libzip().fread(file_, &extra, 1) != 0)
      refuse_file(name_, "the archive is damaged: the array does not match its checksum or size");
  }

  std::string name_;
  zip_file_t* file_ = nullptr;
  zip_uint64_t size_ = 0, done_ = 0;
  std::string block_;
};

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

void DiscardZip::operator()(::zip* archive) const noexcept { libzip().discard(archive); }

ZipArchive::ZipArchive(const MappedFile& file) : file_(file.name()) {
  zip_error_t error;
  libzip().error_init(&error);
  zip_source_t* source = libzip().source_buffer_create(file.text().data(), file.text().size(), 0, &error);
  if (source) archive_.reset(libzip().open_from_source(source, ZIP_RDONLY, &error));
  const std::string why = libzip().error_strerror(&error);
  libzip().error_fini(&error);
  if (!archive_) {
    if (source) libzip().source_free(source);
    refuse_file(file_, fmt::format("this is not a .npz archive: {}", why), "save it with numpy.savez");
  }
  const zip_int64_t count = libzip().get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* raw = libzip().get_name(archive_.get(), zip_uint64_t(i), 0);
    std::string name = raw ? raw : "";
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    if (has(name))
      refuse_file(file_, fmt::format("two arrays are called {}", in_quotes(name)), "give each its own name");
    names_.push_back(std::move(name));
  }
}

bool ZipArchive::has(const std::string& name) const noexcept {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

NpyArray ZipArchive::open(const std::string& name) const {
  const auto index = zip_uint64_t(std::find(names_.begin(), names_.end(), name) - names_.begin());
  const std::string full = fmt::format("{}: array {}", file_, in_quotes(name));
  if (index == names_.size())
    refuse_file(full, "it is not in the file", fmt::format("the arrays are {}", listed(names_)));
  const auto entry = std::make_shared<Entry>(full, archive_.get(), index);
  if (entry->size() < npy_prefix_bytes) refuse_file(full, "this is not a .npy array", "it is too short");
  std::string start(entry->next(npy_prefix_bytes));
  const std::size_t header = npy_header_bytes(full, start);
  if (header > entry->size() || header > (1u << 20) || header < start.size())
    refuse_file(full, fmt::format("the .npy header of {} bytes does not fit", header),
                "save the array again");
  start += entry->next(header - start.size());
  return NpyArray(full, parse_npy_header(full, start, entry->size()),
                  [entry](std::size_t bytes) { return entry->next(bytes); });
}

void write_archive(const std::string& path, const std::vector<ArrayBytes>& arrays) {
  int code = 0;
  std::unique_ptr<zip, DiscardZip> archive(libzip().open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!archive) {
    zip_error_t error;
    libzip().error_init_with_code(&error, code);
    const std::string why = libzip().error_strerror(&error);
    libzip().error_fini(&error);
    refuse_file(path, fmt::format("cannot be created: {}", why));
  }
  for (const ArrayBytes& array : arrays) add(path, archive.get(), array);
  if (libzip().close(archive.get()) != 0)
    refuse_file(path, fmt::format("cannot be written: {}", libzip().strerror(archive.get())));
  (void)archive.release();
}

}  // namespace mercer

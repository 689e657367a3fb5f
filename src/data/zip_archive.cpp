#include "data/zip_archive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/libzip.hpp"
#include "data/refusals.hpp"
#include "data/text_source.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

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

}  // namespace

struct ZipArchive::Handle {
  zip_t* archive = nullptr;
  ~Handle() {
    if (archive) libzip().discard(archive);
  }
};

ZipArchive::ZipArchive(const MappedFile& file) : file_(file.name()), handle_(std::make_unique<Handle>()) {
  zip_error_t error;
  libzip().error_init(&error);
  zip_source_t* source = libzip().source_buffer_create(file.text().data(), file.text().size(), 0, &error);
  handle_->archive = source ? libzip().open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  const std::string why = libzip().error_strerror(&error);
  libzip().error_fini(&error);
  if (!handle_->archive) {
    if (source) libzip().source_free(source);
    refuse_file(file_, fmt::format("this is not a .npz archive: {}", why), "save it with numpy.savez");
  }
  const zip_int64_t count = libzip().get_num_entries(handle_->archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* raw = libzip().get_name(handle_->archive, zip_uint64_t(i), 0);
    std::string name = raw ? raw : "";
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    if (has(name))
      refuse_file(file_, fmt::format("two arrays are called {}", in_quotes(name)), "give each its own name");
    names_.push_back(std::move(name));
  }
}

ZipArchive::~ZipArchive() = default;

bool ZipArchive::has(const std::string& name) const noexcept {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

NpyArray ZipArchive::open(const std::string& name) const {
  const auto index = zip_uint64_t(std::find(names_.begin(), names_.end(), name) - names_.begin());
  const std::string full = fmt::format("{}: array {}", file_, in_quotes(name));
  if (index == names_.size())
    refuse_file(full, "it is not in the file", fmt::format("the arrays are {}", listed(names_)));
  const auto entry = std::make_shared<Entry>(full, handle_->archive, index);
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

}  // namespace mercer

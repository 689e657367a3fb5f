#include "data/formats.hpp"

#include <algorithm>
#include <filesystem>

namespace mercer {

namespace {

/// Does the line hold a field index:value behind its first?
bool has_entry(std::string_view line) noexcept {
  std::size_t begin = 0;
  for (int field = 0; begin < line.size(); ++field) {
    begin = line.find_first_not_of(" \t\r", begin);
    if (begin == line.npos || line[begin] == '#') return false;
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    if (word.starts_with("qid:")) return true;
    if (digits > 0 && digits + 1 < word.size() && word[digits] == ':' && word.find(',') == word.npos)
      return true;
    begin = end;
  }
  return false;
}

/// In lower case; empty where there is none.
std::string extension_of(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == path.npos || path[dot] == '/') return {};
  std::string extension = path.substr(dot + 1);
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? char(c | 0x20) : c;
  return extension;
}

bool holds_images(const std::filesystem::path& folder, bool look_inside) {
  std::error_code fault;
  for (std::filesystem::directory_iterator entry(folder, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) ? look_inside && holds_images(entry->path(), false)
                                     : is_image_name(entry->path().filename().string()))
      return true;
  }
  return false;
}

}  // namespace

Format format_by_extension(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == "csv") return Format::csv;
  if (extension == "tsv") return Format::tsv;
  if (extension == "svm" || extension == "libsvm") return Format::libsvm;
  if (extension == "npy") return Format::npy;
  if (extension == "npz") return Format::npz;
  if (is_image_name(path)) return Format::images;
  if (extension == "sets") return Format::sets;
  if (extension == "fa" || extension == "fasta" || extension == "fna" || extension == "ffn" ||
      extension == "faa")
    return Format::fasta;
  return Format::automatic;
}

bool is_image_name(const std::string& name) {
  const std::string extension = extension_of(name);
  return extension == "png" || extension == "ppm" || extension == "pgm" || extension == "pnm";
}

Format folder_format(const std::string& path) {
  std::error_code fault;
  for (std::filesystem::directory_iterator entry(path, fault), end; !fault && entry != end;
       entry.increment(fault))
    if (entry->path().filename().string().ends_with("_A.txt")) return Format::graphs;
  return holds_images(path, true) ? Format::images : Format::automatic;
}

Format format_by_content(std::string_view text) {
  constexpr int lines_looked_at = 100;
  if (text.starts_with("\x93NUMPY")) return Format::npy;
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return Format::npz;
  if (text.starts_with('>')) return Format::fasta;
  const std::string_view first = text.substr(0, text.find('\n'));
  for (int i = 0; i < lines_looked_at && !text.empty(); ++i) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (has_entry(text.substr(0, end))) return Format::libsvm;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return first.find('\t') != first.npos ? Format::tsv : Format::csv;
}

Format format_of(const std::string& path, std::string_view text) {
  const Format format = format_by_extension(path);
  return format == Format::automatic ? format_by_content(text) : format;
}

}  // namespace mercer

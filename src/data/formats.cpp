#include "data/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "data/decimal.hpp"

namespace mercer {

namespace {

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, Format> extensions[] = {
    {"csv", Format::csv},     {"tsv", Format::tsv},    {"svm", Format::libsvm}, {"libsvm", Format::libsvm},
    {"npy", Format::npy},     {"npz", Format::npz},    {"png", Format::images}, {"ppm", Format::images},
    {"pgm", Format::images},  {"pnm", Format::images}, {"sets", Format::sets},  {"fa", Format::fasta},
    {"fasta", Format::fasta}, {"fna", Format::fasta},  {"ffn", Format::fasta},  {"faa", Format::fasta}};

/// Does the line hold a field index:value?
bool has_entry(std::string_view line) noexcept {
  for (std::size_t begin = 0; begin < line.size();) {
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

bool holds_images(const fs::path& folder, bool look_inside) {
  std::error_code ignored;
  for (const std::string& name : names_in(folder, ignored))
    if (fs::is_directory(folder / name, ignored) ? look_inside && holds_images(folder / name, false)
                                                 : format_by_extension(name) == Format::images)
      return true;
  return false;
}

}  // namespace

Format format_by_extension(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == path.npos || path[dot] == '/') return Format::automatic;
  const auto found = std::ranges::find(extensions, lower_case(path.substr(dot + 1)),
                                       &std::pair<std::string_view, Format>::first);
  return found == std::end(extensions) ? Format::automatic : found->second;
}

Format format_by_content(std::string_view text) {
  constexpr int lines_looked_at = 100;
  if (text.starts_with("\x93NUMPY")) return Format::npy;
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return Format::npz;
  if (text.starts_with('>')) return Format::fasta;
  const std::string_view first = text.substr(0, text.find('\n'));
  for (int i = 0; i < lines_looked_at && !text.empty(); ++i)
    if (has_entry(take_line(text))) return Format::libsvm;
  return first.find('\t') != first.npos ? Format::tsv : Format::csv;
}

Format format_of(const std::string& path, std::string_view text) {
  const Format format = format_by_extension(path);
  return format == Format::automatic ? format_by_content(text) : format;
}

Format folder_format(const std::string& path) {
  std::error_code ignored;
  for (const std::string& name : names_in(path, ignored))
    if (name.ends_with("_A.txt")) return Format::graphs;
  return holds_images(path, true) ? Format::images : Format::automatic;
}

std::vector<std::string> names_in(const std::string& folder, std::error_code& fault) {
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end; entry.increment(fault))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  return names;
}

void refuse_weights(const ReadOptions& options, const std::string& file, std::string_view format,
                    std::string hint) {
  if (!options.weights.empty() && options.weights != "none")
    refuse_file(file,
                fmt::format("weights {} were asked for, but {} has none", in_quotes(options.weights), format),
                std::move(hint), ErrorCode::invalid_argument);
}

void write_rows(const std::string& path, std::string head, std::size_t rows,
                const std::function<void(std::size_t row, std::string& out)>& append) {
  constexpr std::size_t block_bytes = 1 << 20;
  AtomicFile file(path);
  std::string out = std::move(head);
  for (std::size_t i = 0; i < rows; ++i) {
    append(i, out);
    if (out.size() < block_bytes) continue;
    file.write(out);
    out.clear();
  }
  file.write(out);
  file.commit();
}

void append_label(std::string& out, const Target& target, std::size_t i) {
  if (target.task == Task::classification) out += target.labels[std::size_t(target.codes[i])];
  if (target.task == Task::regression) append_number(out, target.values[i]);
}

}  // namespace mercer

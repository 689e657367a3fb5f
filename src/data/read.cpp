#include <fmt/format.h>

#include <filesystem>
#include <new>

#include "data/bags.hpp"
#include "data/formats.hpp"
#include "data/left_out.hpp"
#include "data/molecules.hpp"
#include "data/readers.hpp"
#include "data/table_text.hpp"
#include "mercer/error.hpp"
#include "mercer/read_rows.hpp"

namespace mercer {

namespace {

Dataset read_members(const TextSource& source, const ReadOptions& options, char delimiter) {
  const BagReading reading(options, source.name());
  if (!reading.bags()) return read_table(source, options, delimiter);
  Dataset sets = grouped(read_table(source, reading.of_members(), delimiter), source.name());
  LeftOut::forget();
  return sets;
}

Dataset read_table_of(const MappedFile& file, bool tabs, const ReadOptions& options) {
  const TextSource source(file);
  const TableText text = table_text(source, tabs, options.threads);
  Dataset data = text.rewritten.empty()
                     ? read_members(source, options, text.delimiter)
                     : read_members(TextSource(source.name(), text.rewritten), options, text.delimiter);
  data.notes.insert(data.notes.begin(), text.notes.begin(), text.notes.end());
  return data;
}

Dataset read_as(const MappedFile& file, Format format, const ReadOptions& options) {
  switch (format) {
    case Format::npy:
      return read_npy(file, options);
    case Format::npz:
      return read_npz(file, options);
    case Format::csv:
    case Format::tsv:
      return read_table_of(file, format == Format::tsv, options);
    case Format::graphs:
      return read_graphs(file.name(), options);
    case Format::images:
      return read_images(file.name(), options);
    case Format::sets:
      return read_sets(TextSource(file), options);
    case Format::fasta:
      return read_fasta(TextSource(file), options);
    default:
      break;
  }
  return read_libsvm(TextSource(file), options);
}

Dataset read_folder(const std::string& path, Format format, const ReadOptions& options) {
  if (format == Format::graphs) return read_graphs(path, options);
  if (format == Format::images) return read_images(path, options);
  throw Error(ErrorCode::file_access,
              "is a directory, and holds neither images (.png, .ppm, .pgm) nor graphs (NAME_A.txt)",
              {.file = path, .hint = "a data file is needed"});
}

void refuse_columns(const std::string& name, const ReadOptions& options) {
  if (!options.drop.empty())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("column '{}' cannot be dropped: only columns of a .csv or .tsv table can",
                            options.drop[0]),
                {.file = name});
}

/// Rows whose molecules cannot be read are refused or, where asked for, left out with a note. `before`: rows
/// of the file that are left out already.
Dataset checked(Dataset data, const std::string& name, const ReadOptions& options,
                const std::vector<std::size_t>& before) {
  std::vector<char> bad(data.rows());
  const auto file_row = [&](std::size_t row) {  // from 1
    for (const std::size_t left : before) row += left <= row;
    return row + 1;
  };
  for (const Objects& column : data.points.objects()) {
    if (column.domain() != Domain::molecule) continue;
    const std::vector<BadMolecule> found = check_molecules(column, options.threads);
    if (found.empty()) continue;
    if (!options.skip_bad)
      throw Error(
          ErrorCode::invalid_file,
          fmt::format("row {}, column {}: {}", file_row(found[0].row), in_quotes(column.name()),
                      found[0].reason),
          {.file = name,
           .row = file_row(found[0].row),
           .hint = fmt::format("correct it{}",
                               found.size() == 1 ? "" : fmt::format(" and {} more", found.size() - 1)),
           .hints = {{Remedy::skip_bad_rows}}});
    for (const BadMolecule& one : found) bad[one.row] = 1;
    data.notes.push_back(fmt::format("dropped {} of {} rows: column {} has no molecule there (row {}: {})",
                                     found.size(), data.rows(), in_quotes(column.name()),
                                     file_row(found[0].row), found[0].reason));
  }
  std::vector<std::size_t> good;
  for (std::size_t i = 0; i < bad.size(); ++i)
    if (!bad[i]) good.push_back(i);
  if (good.empty() && !bad.empty())
    throw Error(ErrorCode::invalid_file, "no row has a molecule", {.file = name});
  if (good.size() == bad.size()) return data;
  LeftOut::tell(bad);
  return data.select_rows(good);
}

}  // namespace

Dataset read(const std::string& path, const ReadOptions& options) {
  std::vector<std::size_t> left_out;
  return read(path, options, left_out);
}

Dataset read(const std::string& path, const ReadOptions& options, std::vector<std::size_t>& told) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) {
    refuse_columns(path, options);
    try {
      LeftOut left_out;
      Dataset data = read_folder(
          path, options.format == Format::automatic ? folder_format(path) : options.format, options);
      told = std::move(left_out.rows());
      return data;
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory, "there is not enough memory to read it", {.file = path});
    }
  }
  const MappedFile file(path);
  const Format format = options.format == Format::automatic ? format_of(path, file.text()) : options.format;
  const bool is_table = format == Format::csv || format == Format::tsv;
  if (!is_table) refuse_columns(file.name(), options);
  if (!is_table && !options.bag.empty() && format != Format::sets)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("column '{}' is to name sets, but only a column of a .csv or .tsv table can",
                            options.bag),
                {.file = file.name()});
  try {
    LeftOut left_out;
    Dataset data = checked(read_as(file, format, options), file.name(), options, left_out.rows());
    told = std::move(left_out.rows());
    return data;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "there is not enough memory to read it", {.file = file.name()});
  }
}

}  // namespace mercer

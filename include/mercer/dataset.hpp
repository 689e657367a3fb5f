// A data set: points with what is to be learned about them; reading and writing it in the field's formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mercer/error.hpp"
#include "mercer/points.hpp"
#include "mercer/task.hpp"

namespace MERCER_EXPORT mercer {

/// What is to be learned: nothing, a class per row, or one or more numbers per row.
struct Target {
  Task task = Task::none;  ///< or classification, or regression
  std::string name = {};   ///< of a target of several columns: their names, joined by commas
  /// Classes: the distinct labels as written, numbers ascending, then texts.
  std::vector<std::string> labels = {};
  std::vector<std::int32_t> codes = {};  ///< classes: n indices into labels
  std::vector<double> values = {};       ///< real: n × outputs numbers, row-major
  std::size_t outputs = 1;               ///< real: numbers per row, at least 1

  /// How many rows it has.
  std::size_t size() const noexcept {
    return task == Task::classification ? codes.size() : values.size() / outputs;
  }
  /// A name for each output: those of the columns, or the target's ("target" where it has none) with a number
  /// behind it.
  std::vector<std::string> output_names() const;
  /// The rows chosen, in the order given. All labels stay.
  Target select_rows(std::span<const std::size_t> chosen) const;
  /// The target as numbers: the values, or the labels where every one is a number. Throws Error{data}
  /// otherwise.
  std::vector<double> numbers() const;
};

/// How the columns of a file became numbers; remembered so that another file is encoded the same way.
struct Schema {
  /// How a date is written; a column of dates becomes the number of days since 1970-01-01.
  enum class Dates { none, year_first, day_first, month_first };

  struct Column {
    std::string name;
    /// Categorical: one 0/1 column each, in this order; "?" among them is the one of missing cells. Numeric:
    /// empty.
    std::vector<std::string> categories;
    double mean = 0;                     ///< of the values present; what `--missing mean` puts in
    Dates dates = Dates::none;           ///< numbers made of dates
    std::optional<Domain> objects = {};  ///< kept as objects of this domain, not as numbers

    /// The columns it became among the points.
    std::size_t width() const noexcept { return objects ? 0 : categories.empty() ? 1 : categories.size(); }
  };
  std::vector<Column> columns;  ///< without the target and weight columns
  /// The names of those columns, or empty; several target columns are joined by commas.
  std::string target, weights;
  std::vector<std::string> left_out = {};  ///< columns not learned from; ignored in other files
  std::string bag = {};  ///< the column that names the set each row is a member of; none: a row is an example
  /// LIBSVM text: the index of the first column, 0 or 1; other formats: none.
  std::optional<int> first_index = {};
};

struct Dataset {
  Points points = {};
  Target target = {};
  std::vector<double> weights = {};        ///< one per row, or empty
  std::vector<std::int64_t> queries = {};  ///< LIBSVM's qid per row, or empty
  Schema schema = {};                      ///< of tables and LIBSVM text; empty for other formats
  /// What was done with the file that its reader should know: a sentence each, with the columns it is about.
  std::vector<Note> notes = {};

  std::size_t rows() const noexcept { return points.rows(); }
  /// The chosen rows, in the order given. All labels stay, also those that no row has any more.
  Dataset select_rows(std::span<const std::size_t> chosen) const;
};

/// fasta: sequences under headers. sets: a set a line, behind a label and a tab where there is one. graphs: a
/// folder of TUDataset text files. images: a folder of .png and .ppm images, in a folder for each class.
enum class Format { automatic, csv, tsv, libsvm, npy, npz, fasta, sets, graphs, images };
/// What becomes of missing and infinite values. `automatic`: numbers take the column's mean, texts are a
/// category of their own, and rows without a target or a weight are left out.
enum class Missing { refuse, mean, drop, automatic };

struct ReadOptions {
  Format format = Format::automatic;  ///< by extension; standard input and unknown extensions by content
  /// Tables: the target's column by name or number (from 1; negative from the end), "none" for no target, or
  /// empty for the column named target, label, class or y if there is exactly one; several columns of numbers
  /// are joined by commas. .npy: a .npy file of n rows. .npz: the array's name (default "y"). LIBSVM: the
  /// first field, unless "none".
  std::string target = {};
  std::string weights = {};  ///< likewise for the weights; empty for none (.npz: the array w if there is one)
  /// Classification or regression forces the reading of the target; none: by content.
  Task task = Task::none;
  Missing missing = Missing::refuse;
  /// Tables: make the best of a file that people wrote. Columns that tell nothing (empty, of one value, names
  /// of rows, prose) are left out, dates become days, a text among numbers is a missing value; with a schema,
  /// columns it does not know are ignored and categories it does not know are none of those known. The notes
  /// say so. Otherwise all this is refused.
  bool tolerant = false;
  std::vector<std::string> drop = {};  ///< tables without a schema: columns to leave out, by name or number
  std::vector<std::string> keep = {};  ///< likewise, tolerant: columns to learn from whatever they look like
  /// Tables: the columns to keep as objects. A column is a name or a number; an empty name is the one column
  /// of text there is.
  struct Kept {
    std::string column;
    Domain domain;
  };
  std::vector<Kept> objects = {};
  bool find_objects = false;  ///< tables read tolerantly: columns of prose, sequences and SMILES stay
                              ///< objects, instead of being left out
  std::string bag = {};  ///< tables: the column that names the set each row is a member of; the rows are then
                         ///< sets of vectors
  /// Of several target columns: a row is left out where all of them are missing; other gaps are NaN.
  bool target_gaps = false;
  bool skip_bad = false;  ///< leave out objects that cannot be read (an invalid SMILES, a corrupt image),
                          ///< with a note of how many
  Precision precision = Precision::float64;
  const Schema* schema = nullptr;  ///< encode a table as this one was
  std::size_t columns = 0;  ///< LIBSVM: at least this many columns (a test file may lack the last ones)
  bool from_zero = false;   ///< LIBSVM: the first column is index 0, even where no index 0 appears
  int threads = 0;
};

/// Throws Error{data} where the target cannot be learned: it has one value, or a class for every row or two.
/// Gives notes where it can but should be looked at: classes of one row, numbers that count the rows, columns
/// that repeat the target.
std::vector<Note> check_target(const Dataset& data);

/// Reads `path` ("-" for standard input). Throws Error{data} with "file:line:column: what; what would be
/// right".
Dataset read(const std::string& path, const ReadOptions& options = {});

/// Writes by the extension of `path` (or `format`), whole or not at all. Numbers read back bit for bit.
void write(const std::string& path, const Dataset& data, Format format = Format::automatic);

}  // namespace mercer

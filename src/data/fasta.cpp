// FASTA: sequences under headers.
//   >name label=promoter
//   ACGTACGTACGT
//   ACGT
// A line that starts with > is a header, with ; a comment; all other lines up to the next header are the
// sequence, as written but for blanks. The target is what a word label=… of each header says; where no header
// has one, the second word of the header, provided that every header has exactly two; otherwise there is
// none. Written are headers with the number of the sequence and, where there is a target, label=….
#include <fmt/format.h>

#include <algorithm>

#include "base/copy_of.hpp"
#include "data/formats.hpp"
#include "data/label_column.hpp"
#include "data/words.hpp"

namespace mercer {

namespace {

constexpr std::string_view fasta_blanks = " \t\r\v\f";
constexpr std::size_t line_letters = 60;  // of a line that is written

/// Letters of nucleotides and amino acids, an end of translation and gaps.
bool is_fasta_letter(char c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '*' || c == '-' || c == '.';
}

struct Record {
  std::string_view header;  // behind the >
  std::size_t begin;        // of its letters among all
};

struct Records {
  std::vector<Record> list;
  std::string letters;
};

void append_letters(const TextSource& source, std::string_view line, std::string& letters) {
  for (const char& c : line) {
    if (is_fasta_letter(c))
      letters += c;
    else if (fasta_blanks.find(c) == fasta_blanks.npos)
      source.refuse(&c, fmt::format("{} is no letter of a sequence", in_quotes({&c, 1})),
                    "a sequence has letters, *, - and .");
  }
}

void check_last(const TextSource& source, const Records& records) {
  if (!records.list.empty() && records.list.back().begin == records.letters.size())
    source.refuse(records.list.back().header.data() - 1, "the sequence has no letters",
                  "leave the header out, or write them below it");
}

Records scan(const TextSource& source) {
  Records records;
  records.letters.reserve(source.text().size());
  for (std::string_view rest = source.text(); !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t first = line.find_first_not_of(fasta_blanks);
    if (first == line.npos || line[first] == ';') continue;
    if (line[first] == '>') {
      check_last(source, records);
      records.list.push_back({line.substr(first + 1), records.letters.size()});
    } else if (records.list.empty()) {
      source.refuse(line.data() + first, "the sequence has no header",
                    "FASTA has a line >name above each sequence");
    } else {
      append_letters(source, line, records.letters);
    }
  }
  if (records.list.empty())
    source.refuse(source.text().data(), "the file has no sequences", "only comments or blank lines");
  check_last(source, records);
  return records;
}

std::vector<std::string_view> words_of(std::string_view header) {
  std::vector<std::string_view> words;
  each_word(header, Domain::symbols, [&](std::string_view word, std::size_t, std::size_t) {
    words.push_back(word);  // a piece of the header
  });
  return words;
}

/// What stands behind key= in the header; a null view where nothing does.
std::string_view value_of(std::string_view header, const std::string& key) {
  for (const std::string_view word : words_of(header))
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=')
      return word.substr(key.size() + 1);
  return {};
}

/// The label of each record; none where there is no target.
std::vector<std::string_view> labels_of(const TextSource& source, const Records& records,
                                        const ReadOptions& options, const std::string& key) {
  std::vector<std::string_view> labels;
  if (options.target == "none") return labels;
  for (const Record& record : records.list) labels.push_back(value_of(record.header, key));
  const auto without = std::ranges::find_if(labels, [](std::string_view label) { return label.empty(); });
  if (without == labels.end()) return labels;
  const bool some = std::ranges::any_of(labels, [](std::string_view label) { return !label.empty(); });
  if (some || (!options.target.empty() && !options.schema))
    source.refuse(
        records.list[std::size_t(without - labels.begin())].header.data() - 1,
        fmt::format("the header has no {0}=…{1}; write {0}=… behind each name, or set the target to none",
                    key, some ? ", though others have" : ""));
  labels.clear();
  for (const Record& record : records.list) {
    const std::vector<std::string_view> words = words_of(record.header);
    if (!options.target.empty() || words.size() != 2) return {};
    labels.push_back(words[1]);
  }
  return labels;
}

/// The column that a schema has sequences in: FASTA tells no name.
Schema::Column column_for(const TextSource& source, const Schema* schema) {
  if (!schema || schema->columns.empty())
    return {.name = "sequence", .categories = {}, .objects = Domain::sequence};
  const Schema::Column& column = schema->columns.front();
  if (schema->columns.size() > 1 || !column.objects || *column.objects > Domain::molecule)
    refuse_file(
        source.name(),
        fmt::format("FASTA holds one column of sequences, but {} is known",
                    schema->columns.size() > 1 ? fmt::format("a table of {} columns", schema->columns.size())
                                               : "column " + in_quotes(column.name)),
        "give a table with the same columns");
  return column;
}

void check_sequences(const std::string& path, const Dataset& data) {
  const auto& objects = data.points.objects();
  if (data.points.cols() > 0 || objects.size() != 1 || objects[0].domain() != Domain::sequence)
    refuse_file(path, "FASTA holds one column of sequences and nothing beside it", "write .csv or .tsv");
  if (!data.weights.empty() || !data.queries.empty() || data.target.outputs > 1)
    refuse_file(path, "FASTA holds no weights, queries or targets of several numbers", "write .csv or .tsv");
  for (const std::string& label : data.target.labels)
    if (label.empty() || label.find_first_of(fasta_blanks) != label.npos || label.find('\n') != label.npos)
      refuse_file(path,
                  fmt::format("label {} has a blank, which a header of FASTA cannot hold", in_quotes(label)),
                  "write .csv or .tsv");
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::string_view text = objects[0].texts()[i];
    if (text.empty() || !std::ranges::all_of(text, is_fasta_letter))
      refuse_file(path, fmt::format("sequence {}, {}, is not of letters alone", i + 1, in_quotes(text)),
                  "write .csv or .tsv");
  }
}

}  // namespace

Reading read_fasta(const TextSource& source, const ReadOptions& options) {
  refuse_weights(options, source.name(), "FASTA", "use .csv");
  const std::string key = options.target.empty() ? "label" : options.target;
  const Records records = scan(source);
  const std::vector<std::string_view> labels = labels_of(source, records, options, key);
  Texts texts{Buffer<std::size_t>(records.list.size() + 1), copy_of(records.letters)};
  for (std::size_t i = 0; i < records.list.size(); ++i) texts.starts[i] = records.list[i].begin;
  texts.starts[records.list.size()] = records.letters.size();
  const Schema::Column column = column_for(source, options.schema);
  Reading data;
  data.points = Points(Objects(column.name, *column.objects, std::move(texts)));
  data.schema.columns.push_back(column);
  if (!labels.empty()) {
    ReadOptions strict = options;
    strict.missing = Missing::refuse;  // a header without a label is refused above, and ? is none
    data.target = read_labels(source, labels, strict, key);
    data.schema.target = key;
  }
  return data;
}

void write_fasta(const std::string& path, const Dataset& data) {
  check_sequences(path, data);
  const Texts& texts = data.points.objects()[0].texts();
  write_rows(path, {}, data.rows(), [&](std::size_t i, std::string& out) {
    out += fmt::format(">{}", i + 1);
    if (data.target.task != Task::none) out += " label=";
    append_label(out, data.target, i);
    out += '\n';
    for (std::string_view rest = texts[i]; !rest.empty();
         rest.remove_prefix(std::min(line_letters, rest.size()))) {
      out += rest.substr(0, line_letters);
      out += '\n';
    }
  });
}

}  // namespace mercer

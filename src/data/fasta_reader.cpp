// FASTA: sequences under headers.
//   >name label=promoter
//   ACGTACGTACGT
//   ACGT
// A line that starts with > is a header, with ; a comment; all other lines up to the next header are the
// sequence, as written but for blanks. The target is what a word label=… of each header says; where no header
// has one, the second word of the header, provided that every header has exactly two; otherwise there is
// none.
#include <fmt/format.h>

#include <algorithm>

#include "data/fasta.hpp"
#include "data/label_column.hpp"
#include "data/readers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

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
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
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
  for (std::size_t begin = header.find_first_not_of(fasta_blanks); begin != header.npos;) {
    const std::size_t end = std::min(header.find_first_of(fasta_blanks, begin), header.size());
    words.push_back(header.substr(begin, end - begin));
    begin = header.find_first_not_of(fasta_blanks, end);
  }
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
    throw Error(
        ErrorCode::invalid_file,
        fmt::format("FASTA holds one column of sequences, but {} is known",
                    schema->columns.size() > 1 ? fmt::format("a table of {} columns", schema->columns.size())
                                               : "column " + in_quotes(column.name)),
        {.file = source.name(), .hint = "give a table with the same columns"});
  return column;
}

Target target_of(const TextSource& source, const std::vector<std::string_view>& labels,
                 const ReadOptions& options, const std::string& key) {
  ReadOptions strict = options;
  strict.missing = Missing::refuse;  // a header without a label is refused above, and ? is none
  LabelColumn column(labels.size(), 1, strict);
  for (std::size_t i = 0; i < labels.size(); ++i) column.read(source, 0, i, labels[i]);
  return column.finish(key, [&](const char* at, const std::string& what) { source.refuse(at, what); });
}

}  // namespace

Dataset read_fasta(const TextSource& source, const ReadOptions& options) {
  if (!options.weights.empty() && options.weights != "none")
    throw Error(ErrorCode::invalid_argument,
                fmt::format("weights {} were asked for, but FASTA has none", in_quotes(options.weights)),
                {.file = source.name(), .hint = "use .csv"});
  const std::string key = options.target.empty() ? "label" : options.target;
  const Records records = scan(source);
  const std::vector<std::string_view> labels = labels_of(source, records, options, key);
  Texts texts{Buffer<std::size_t>(records.list.size() + 1), Buffer<char>(records.letters.size())};
  for (std::size_t i = 0; i < records.list.size(); ++i) texts.starts[i] = records.list[i].begin;
  texts.starts[records.list.size()] = records.letters.size();
  std::ranges::copy(records.letters, texts.bytes.begin());
  const Schema::Column column = column_for(source, options.schema);
  Dataset data;
  data.points = Points(Objects(column.name, *column.objects, std::move(texts)));
  data.schema.columns.push_back(column);
  if (!labels.empty()) {
    data.target = target_of(source, labels, options, key);
    data.schema.target = key;
  }
  return data;
}

}  // namespace mercer

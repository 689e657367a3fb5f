// FASTA with a header for each sequence: its number and, where there is a target, label=….
#include <fmt/format.h>

#include <algorithm>

#include "data/decimal.hpp"
#include "data/fasta.hpp"
#include "data/refusals.hpp"
#include "data/text_source.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr std::size_t line_letters = 60;

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

void write_fasta(const std::string& path, const Dataset& data) {
  check_sequences(path, data);
  const Texts& texts = data.points.objects()[0].texts();
  write_rows(path, {}, data.rows(), [&](std::size_t i, std::string& out) {
    out += fmt::format(">{}", i + 1);
    if (data.target.task != Task::none) out += " label=";
    if (data.target.task == Task::classification)
      out += data.target.labels[std::size_t(data.target.codes[i])];
    if (data.target.task == Task::regression) append_number(out, data.target.values[i]);
    out += '\n';
    for (std::string_view rest = texts[i]; !rest.empty();
         rest.remove_prefix(std::min(line_letters, rest.size()))) {
      out += rest.substr(0, line_letters);
      out += '\n';
    }
  });
}

}  // namespace mercer

// A set a line, as sets_reader.cpp reads it: label, tab, members separated by spaces; vectors are numbers
// joined by commas.
#include <fmt/format.h>

#include "data/decimal.hpp"
#include "data/refusals.hpp"
#include "data/text_source.hpp"
#include "data/words.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

void append_label(std::string& out, const std::string& path, const Target& target, std::size_t i) {
  if (target.task == Task::none) return;
  if (target.task == Task::regression) {
    append_number(out, target.values[i]);
  } else {
    const std::string& label = target.labels[std::size_t(target.codes[i])];
    if (label.find_first_of("\t\r\n") != label.npos || read_number(label).kind == Number::Kind::missing)
      refuse_file(path, fmt::format("label {} would not read back from a file of sets", in_quotes(label)),
                  "rename it");
    out += label;
  }
  out += '\t';
}

void append_members(std::string& out, const Objects& sets, std::size_t i) {
  bool first = true;
  const auto separate = [&] { out += std::exchange(first, false) ? "" : " "; };
  if (sets.domain() != Domain::vectors) {
    each_word(sets.texts()[i], Domain::symbols, [&](std::string_view word, std::size_t, std::size_t) {
      separate();
      out += word;
    });
    return;
  }
  const Bags& bags = sets.bags();
  for (std::size_t m = bags.starts[i]; m < bags.starts[i + 1]; ++m) {
    separate();
    for (std::size_t k = 0; k < bags.columns; ++k) {
      if (k > 0) out += ',';
      append_number(out, bags.values[m * bags.columns + k]);
    }
  }
}

void check_sets(const std::string& path, const Dataset& data) {
  if (data.points.objects().size() != 1 || data.points.cols() > 0 ||
      std::holds_alternative<Graphs>(data.points.objects()[0].storage()) ||
      std::holds_alternative<Images>(data.points.objects()[0].storage()))
    refuse_file(path, "a file of sets holds one column of sets and nothing else", "write a table");
  if (!data.weights.empty()) refuse_file(path, "a file of sets holds no weights", "write a table");
  if (data.target.task == Task::regression && data.target.outputs > 1)
    refuse_file(path, "a file of sets has one label a line, and the target has several numbers");
}

}  // namespace

void write_sets(const std::string& path, const Dataset& data) {
  check_sets(path, data);
  write_rows(path, {}, data.rows(), [&](std::size_t i, std::string& out) {
    const std::size_t begin = out.size();
    append_label(out, path, data.target, i);
    append_members(out, data.points.objects()[0], i);
    if (out.size() == begin)
      refuse_file(path,
                  fmt::format("set {} is empty, and a line without a label that is empty is no set", i + 1),
                  "give the sets a target");
    out += '\n';
  });
}

}  // namespace mercer

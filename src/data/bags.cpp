#include "data/bags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "data/text_source.hpp"

namespace mercer {

namespace {

/// Which rows make up each set.
struct Grouping {
  std::vector<std::size_t> set_of;                  // of each row
  std::vector<std::size_t> first;                   // row of each set
  std::vector<std::vector<std::size_t>> rows = {};  // of each set
};

Grouping group(const Texts& names, const std::string& file) {
  Grouping grouping;
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < names.rows(); ++i) {
    if (names[i].find_first_not_of(" \t") == std::string_view::npos)
      refuse_file(file, fmt::format("row {} does not say which set it belongs to", i + 1),
                  "fill the cell in");
    const auto [found, is_new] = known.try_emplace(names[i], grouping.first.size());
    if (is_new) {
      grouping.first.push_back(i);
      grouping.rows.emplace_back();
    }
    grouping.rows[found->second].push_back(i);
    grouping.set_of.push_back(found->second);
  }
  return grouping;
}

std::string target_text(const Target& target, std::size_t i) {
  return target.task == Task::classification ? target.labels[std::size_t(target.codes[i])]
                                             : fmt::format("{}", target.values[i * target.outputs]);
}

bool same_target(const Target& target, std::size_t i, std::size_t j) {
  if (target.task == Task::classification) return target.codes[i] == target.codes[j];
  const double* values = target.values.data();
  return std::equal(values + i * target.outputs, values + (i + 1) * target.outputs,
                    values + j * target.outputs);
}

void check_members_agree(const Dataset& members, const Texts& names, const Grouping& grouping,
                         const std::string& file) {
  for (std::size_t i = 0; i < members.rows(); ++i) {
    const std::size_t first = grouping.first[grouping.set_of[i]];
    const auto refuse = [&](const char* what, const std::string& there, const std::string& here) {
      refuse_file(file,
                  fmt::format("set {} has the {} {} in row {} and {} in row {}", in_quotes(names[i]), what,
                              there, first + 1, here, i + 1),
                  "all members of a set must have the same");
    };
    if (members.target.task != Task::none && !same_target(members.target, i, first))
      refuse("target", in_quotes(target_text(members.target, first)),
             in_quotes(target_text(members.target, i)));
    if (!members.weights.empty() && members.weights[i] != members.weights[first])
      refuse("weight", fmt::format("{}", members.weights[first]), fmt::format("{}", members.weights[i]));
  }
}

}  // namespace

BagReading::BagReading(const ReadOptions& options, const std::string& file)
    : bags_(!options.bag.empty()), options_(options) {
  if (options.schema) {
    schema_ = *options.schema;
    for (Schema::Column& column : schema_.columns)
      if (column.objects == Domain::vectors) {
        bags_ = true;
        column.objects = Domain::symbols;
      }
    options_.schema = &schema_;
    return;
  }
  if (!bags_) return;
  std::erase_if(options_.objects, [](const ReadOptions::Kept& kept) {
    return kept.column.empty() || kept.domain == Domain::vectors;
  });  // the sets
  if (!options_.objects.empty())
    refuse_file(
        file,
        fmt::format("the members of sets are rows of numbers, so column '{}' cannot hold {} beside them",
                    options_.objects[0].column, plural_of(options_.objects[0].domain)),
        fmt::format("leave it out, or leave out the column '{}' that names sets", options.bag),
        ErrorCode::unsupported);
  options_.objects = {{options.bag, Domain::symbols}};
}

Dataset grouped(const Dataset& members, const std::string& file) {
  const Objects& column = members.points.objects().at(0);
  const Texts& names = column.texts();
  const std::size_t columns = members.points.cols();
  if (columns == 0)
    refuse_file(file,
                fmt::format("beside the column {} of sets there are no numbers", in_quotes(column.name())),
                "the members of sets are rows of numbers");
  const Grouping grouping = group(names, file);
  check_members_agree(members, names, grouping, file);
  Bags bags{Buffer<std::size_t>(grouping.rows.size() + 1), columns, Buffer<double>(members.rows() * columns)};
  bags.starts[0] = 0;
  double* out = bags.values.data();
  for (std::size_t s = 0; s < grouping.rows.size(); ++s) {
    bags.starts[s + 1] = bags.starts[s] + grouping.rows[s].size();
    for (const std::size_t i : grouping.rows[s]) {
      members.points.copy_row(i, {out, columns});
      out += columns;
    }
  }
  Dataset sets = members.select_rows(grouping.first);
  sets.points = Points(Objects(bag_column, Domain::vectors, std::move(bags)));
  for (Schema::Column& one : sets.schema.columns)
    if (one.name == column.name()) one.objects = Domain::vectors;
  for (Note& note : sets.notes)
    if (note.column == column.name())
      note.text = fmt::format("column {} groups the rows: {} sets of {} rows", in_quotes(column.name()),
                              sets.rows(), members.rows());
  return sets;
}

Dataset with_a_row_for_each_member(const Dataset& sets, const std::string& file) {
  const Objects& column = sets.points.objects().at(0);
  const Bags& bags = column.bags();
  std::vector<std::size_t> set_of;
  for (std::size_t s = 0; s < bags.rows(); ++s) {
    if (bags.size(s) == 0)
      refuse_file(file, fmt::format("set {} is empty, and a table has a row for each member only", s + 1),
                  "write .sets");
    set_of.insert(set_of.end(), bags.size(s), s);
  }
  Dense<double> rows{set_of.size(), bags.columns + 1, Buffer<double>(set_of.size() * (bags.columns + 1))};
  for (std::size_t i = 0; i < set_of.size(); ++i) {
    double* row = rows.values.data() + i * rows.cols;
    row[0] = double(set_of[i] + 1);
    std::copy_n(bags.values.data() + i * bags.columns, bags.columns, row + 1);
  }
  std::vector<std::string> names{column.name()};
  for (const Schema::Column& one : sets.schema.columns)
    if (!one.objects && one.categories.empty()) names.push_back(one.name);
  if (names.size() != rows.cols) {
    names.resize(1);
    for (std::size_t k = 1; k <= bags.columns; ++k) names.push_back(fmt::format("x{}", k));
  }
  Dataset members;
  members.points = Points(std::move(rows), std::move(names));
  members.target = sets.target.select_rows(set_of);
  if (!sets.weights.empty())
    for (const std::size_t s : set_of) members.weights.push_back(sets.weights[s]);
  members.schema.weights = sets.schema.weights;
  return members;
}

}  // namespace mercer

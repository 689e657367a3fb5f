#include "data/joined_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mercer/error.hpp"

namespace mercer {

namespace {

template <class T>
Buffer<T> joined(const Buffer<T>& a, const Buffer<T>& b) {
  Buffer<T> both(a.size() + b.size());
  std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), both.begin()));
  return both;
}

// Where rows begin: those of b after the last of a.
Buffer<std::size_t> joined_starts(const Buffer<std::size_t>& a, const Buffer<std::size_t>& b) {
  Buffer<std::size_t> both(a.size() + b.size() - 1);
  std::copy(a.begin(), a.end(), both.begin());
  for (std::size_t i = 1; i < b.size(); ++i) both[a.size() + i - 1] = a[a.size() - 1] + b[i];
  return both;
}

template <class T>
Dense<T> joined(const Dense<T>& a, const Dense<T>& b) {
  return {a.rows + b.rows, a.cols, joined(a.values, b.values)};
}
template <class T>
Sparse<T> joined(const Sparse<T>& a, const Sparse<T>& b) {
  return {a.rows + b.rows, a.cols, joined_starts(a.starts, b.starts), joined(a.indices, b.indices),
          joined(a.values, b.values)};
}

Texts joined(const Texts& a, const Texts& b) {
  return {joined_starts(a.starts, b.starts), joined(a.bytes, b.bytes)};
}
Bags joined(const Bags& a, const Bags& b) {
  return {joined_starts(a.starts, b.starts), a.columns, joined(a.values, b.values)};
}
Graphs joined(const Graphs& a, const Graphs& b) {
  return {joined_starts(a.nodes, b.nodes),
          joined_starts(a.edges, b.edges),
          joined(a.node_labels, b.node_labels),
          joined(a.from, b.from),
          joined(a.to, b.to),
          joined(a.edge_labels, b.edge_labels),
          a.attributes,
          joined(a.node_attributes, b.node_attributes)};
}
Images joined(const Images& a, const Images& b) {
  return {joined_starts(a.starts, b.starts), joined(a.heights, b.heights), joined(a.widths, b.widths),
          a.channels, joined(a.pixels, b.pixels)};
}

std::size_t width_of(const Objects& column) {
  if (const auto* bags = std::get_if<Bags>(&column.storage())) return bags->columns;
  if (const auto* graphs = std::get_if<Graphs>(&column.storage())) return graphs->attributes;
  if (const auto* images = std::get_if<Images>(&column.storage())) return images->channels;
  return 0;
}

Objects joined(const Objects& a, const Objects& b) {
  if (a.name() != b.name() || a.domain() != b.domain())
    throw Error(ErrorCode::invalid_data,
                fmt::format("the rows have {} in column '{}', those before them {} in '{}'",
                            plural_of(b.domain()), b.name(), plural_of(a.domain()), a.name()),
                {.hint = "they must have the same columns"});
  if (width_of(a) != width_of(b))
    throw Error(ErrorCode::invalid_data,
                fmt::format("the {} of column '{}' have {} numbers each, those before them {}",
                            plural_of(b.domain()), b.name(), width_of(b), width_of(a)),
                {.hint = "they must have the same"});
  return std::visit(
      [&]<class S>(const S& held) {
        return Objects(a.name(), a.domain(), Objects::Storage(joined(held, std::get<S>(b.storage()))));
      },
      a.storage());
}

}  // namespace

Points joined_rows(const Points& first, const Points& second) {
  if (first.cols() != second.cols() || first.objects().size() != second.objects().size())
    throw Error(
        ErrorCode::invalid_data,
        fmt::format("the rows have {} columns of numbers and {} of objects, those before them {} and {}",
                    second.cols(), second.objects().size(), first.cols(), first.objects().size()),
        {.hint = "they must have the same"});
  const Precision precision = std::max(first.precision(), second.precision());
  const Points a = first.with_precision(precision),
               b = (first.sparse() ? second.to_sparse() : second.to_dense()).with_precision(precision);
  Points both(
      std::visit(
          [&]<class S>(const S& held) { return Points::Storage(joined(held, std::get<S>(b.storage()))); },
          a.storage()),
      first.names());
  if (first.objects().empty()) return both;
  std::vector<Objects> columns;
  for (std::size_t c = 0; c < first.objects().size(); ++c)
    columns.push_back(joined(first.objects()[c], second.objects()[c]));
  return both.with_objects(std::move(columns));
}

}  // namespace mercer

#include "model/point_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>

#include "base/copy_of.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

std::string name_of_column(const std::string& points_name, std::size_t c) {
  return fmt::format("{}.objects.{}", points_name, c);
}

/// Each storage names its arrays once; an ObjectWriter and an ObjectReader walk them.
template <class Storage>
void walk_arrays(Storage& x, auto&& to) {
  using S = std::remove_const_t<Storage>;
  if constexpr (std::same_as<S, Texts>) {
    to("starts", x.starts), to("bytes", x.bytes);
  } else if constexpr (std::same_as<S, Bags>) {
    to("starts", x.starts), to("columns", x.columns), to("values", x.values);
  } else if constexpr (std::same_as<S, Graphs>) {
    to("nodes", x.nodes), to("edges", x.edges), to("node_labels", x.node_labels);
    to("from", x.from), to("to", x.to), to("edge_labels", x.edge_labels);
    to("attributes", x.attributes), to("node_attributes", x.node_attributes);
  } else {
    static_assert(std::same_as<S, Images>);
    to("starts", x.starts), to("heights", x.heights), to("widths", x.widths);
    to("channels", x.channels), to("pixels", x.pixels);
  }
}

/// Sizes and starts stand in the file as int64, letters as bytes, other numbers as they are.
template <class T>
concept Count = std::same_as<T, std::size_t> || std::same_as<T, std::uint32_t>;
template <class T>
using InFile =
    std::conditional_t<Count<T>, std::int64_t, std::conditional_t<std::same_as<T, char>, std::uint8_t, T>>;

struct ObjectWriter {
  std::string prefix;
  std::vector<TensorView>& tensors;
  std::deque<std::vector<std::int64_t>>& kept;

  template <class T>
  void operator()(const char* name, const Buffer<T>& values) {
    const void* data = values.data();
    if constexpr (Count<T>) data = kept.emplace_back(values.begin(), values.end()).data();
    tensors.push_back({prefix + "." + name, dtype_of<InFile<T>>, {values.size()}, data});
  }
  void operator()(const char* name, std::size_t value) { (*this)(name, Buffer<std::size_t>(1, value)); }
};

struct ObjectReader {
  std::string prefix;
  const Safetensors& file;

  template <class T>
  void operator()(const char* name, Buffer<T>& values) {
    const std::string full = prefix + "." + name;
    const auto from = file.get<InFile<T>>(full, {file.tensor(full).count()});
    if constexpr (Count<T>)
      for (const std::int64_t v : from)
        if (v < 0 || std::uint64_t(v) > std::numeric_limits<T>::max())
          file.refuse(full, "holds a number below 0 or too large");
    values = Buffer<T>(from.size());
    std::ranges::transform(from, values.begin(), [](auto v) { return T(v); });
  }
  void operator()(const char* name, std::size_t& value) {
    Buffer<std::size_t> one;
    (*this)(name, one);
    if (one.size() != 1) file.refuse(prefix + "." + name, "is not one number");
    value = one[0];
  }
};

Objects::Storage storage_of(Domain domain) {
  if (domain == Domain::vectors) return Bags{};
  if (domain == Domain::graph) return Graphs{};
  if (domain == Domain::image) return Images{};
  return Texts{};
}

Objects read_objects(const Safetensors& file, const std::string& prefix, const ObjectColumn& column,
                     std::size_t rows) {
  Objects::Storage storage = storage_of(column.domain);
  std::visit([&](auto& held) { walk_arrays(held, ObjectReader{prefix, file}); }, storage);
  const auto checked = [&] {
    try {
      return Objects(column.name, column.domain, std::move(storage));
    } catch (const Error& error) {
      file.refuse(prefix, error.what());
    }
  };
  const Objects objects = checked();
  if (objects.rows() != rows)
    file.refuse(prefix, fmt::format("has {} objects, but there are {} rows", objects.rows(), rows));
  return objects;
}

template <class T>
Points read_numbers_of(const Safetensors& file, const std::string& name, std::size_t rows, std::size_t cols,
                       std::vector<std::string> names) {
  if (file.has(name))
    return Points(Dense<T>{rows, cols, copy_of(file.get<T>(name, {rows, cols}))}, std::move(names));
  const auto starts = file.get<std::int64_t>(name + ".starts", {rows + 1});
  const std::size_t stored = file.tensor(name + ".values").count();
  Sparse<T> sparse{rows, cols, Buffer<std::size_t>(rows + 1),
                   copy_of(file.get<std::int32_t>(name + ".indices", {stored})),
                   copy_of(file.get<T>(name + ".values", {stored}))};
  for (std::size_t i = 0; i <= rows; ++i) {
    if (starts[i] < 0 || std::size_t(starts[i]) > stored)
      file.refuse(name + ".starts", "points outside the values");
    sparse.starts[i] = std::size_t(starts[i]);
  }
  return Points(std::move(sparse), std::move(names));
}

}  // namespace

void add_points(std::vector<TensorView>& tensors, const std::string& name, const Points& points,
                std::deque<std::vector<std::int64_t>>& kept) {
  std::visit(
      [&]<class S>(const S& storage) {
        if constexpr (requires { storage.starts; }) {
          const auto& starts = kept.emplace_back(storage.starts.begin(), storage.starts.end());
          tensors.push_back(view(name + ".starts", {starts.size()}, starts.data()));
          tensors.push_back(view(name + ".indices", {storage.indices.size()}, storage.indices.data()));
          tensors.push_back(view(name + ".values", {storage.values.size()}, storage.values.data()));
        } else {
          tensors.push_back(view(name, {storage.rows, storage.cols}, storage.values.data()));
        }
      },
      points.storage());
  if (!points.ids().empty()) {
    const auto& ids = kept.emplace_back(points.ids().begin(), points.ids().end());
    tensors.push_back(view(name + ".ids", {ids.size()}, ids.data()));
  }
  for (std::size_t c = 0; c < points.objects().size(); ++c)
    std::visit(
        [&](const auto& held) {
          walk_arrays(held, ObjectWriter{name_of_column(name, c), tensors, kept});
        },
        points.objects()[c].storage());
}

Points read_points(const Safetensors& file, const std::string& name, std::size_t rows, std::size_t cols,
                   std::vector<std::string> names, const std::vector<ObjectColumn>& columns) {
  const bool single = file.tensor(file.has(name) ? name : name + ".values").dtype == Dtype::f32;
  Points points = single ? read_numbers_of<float>(file, name, rows, cols, std::move(names))
                         : read_numbers_of<double>(file, name, rows, cols, std::move(names));
  std::visit(
      [&](const auto& storage) {
        if (!std::ranges::all_of(storage.values, [](auto v) { return std::isfinite(v); }))
          file.refuse(name, "holds a number that is not finite");
      },
      points.storage());
  if (file.has(name + ".ids")) {
    std::vector<std::size_t> ids;
    for (const std::int64_t id : file.get<std::int64_t>(name + ".ids", {rows})) {
      if (id < 0 || std::size_t(id) >= cols) file.refuse(name + ".ids", "names a column that is not there");
      ids.push_back(std::size_t(id));
    }
    points = points.with_ids(std::move(ids));
  }
  std::vector<Objects> objects;
  for (const ObjectColumn& column : columns)
    objects.push_back(read_objects(file, name_of_column(name, objects.size()), column, rows));
  return objects.empty() ? points : points.with_objects(std::move(objects));
}

}  // namespace mercer

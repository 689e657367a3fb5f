#include "model/object_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <limits>

#include "mercer/error.hpp"

namespace mercer {

namespace {

std::string name_of_column(const std::string& points_name, std::size_t c) {
  return fmt::format("{}.objects.{}", points_name, c);
}

template <class S, class T>
concept Storage = std::same_as<std::remove_const_t<S>, T>;

/// Each storage names its arrays once; a Writer and a Reader walk them.
template <Storage<Texts> S, class Walk>
void walk(S& x, Walk& to) {
  to("starts", x.starts);
  to("bytes", x.bytes);
}
template <Storage<Bags> S, class Walk>
void walk(S& x, Walk& to) {
  to("starts", x.starts);
  to("columns", x.columns);
  to("values", x.values);
}
template <Storage<Graphs> S, class Walk>
void walk(S& x, Walk& to) {
  to("nodes", x.nodes);
  to("edges", x.edges);
  to("node_labels", x.node_labels);
  to("from", x.from);
  to("to", x.to);
  to("edge_labels", x.edge_labels);
  to("attributes", x.attributes);
  to("node_attributes", x.node_attributes);
}
template <Storage<Images> S, class Walk>
void walk(S& x, Walk& to) {
  to("starts", x.starts);
  to("heights", x.heights);
  to("widths", x.widths);
  to("channels", x.channels);
  to("pixels", x.pixels);
}

struct Writer {
  std::string prefix;
  std::vector<TensorView>& tensors;
  std::deque<std::vector<std::int64_t>>& kept;

  void operator()(const char* name, const Buffer<char>& bytes) {
    add<std::uint8_t>(name, bytes.data(), bytes.size());
  }
  template <TensorElement T>
  void operator()(const char* name, const Buffer<T>& values) {
    add<T>(name, values.data(), values.size());
  }
  void operator()(const char* name, const Buffer<std::size_t>& values) { whole(name, values); }
  void operator()(const char* name, const Buffer<std::uint32_t>& values) { whole(name, values); }
  void operator()(const char* name, std::size_t value) { whole(name, std::vector<std::size_t>{value}); }

 private:
  void whole(const char* name, const auto& values) {
    kept.emplace_back(values.begin(), values.end());
    add<std::int64_t>(name, kept.back().data(), kept.back().size());
  }
  template <class T>
  void add(const char* name, const void* data, std::size_t count) {
    tensors.push_back({prefix + "." + name, dtype_of<T>, {count}, data});
  }
};

struct Reader {
  std::string prefix;
  const Safetensors& file;

  void operator()(const char* name, Buffer<char>& bytes) { copy<std::uint8_t>(name, bytes); }
  template <TensorElement T>
  void operator()(const char* name, Buffer<T>& values) {
    copy<T>(name, values);
  }
  void operator()(const char* name, Buffer<std::size_t>& values) { whole(name, values); }
  void operator()(const char* name, Buffer<std::uint32_t>& values) { whole(name, values); }
  void operator()(const char* name, std::size_t& value) {
    Buffer<std::size_t> one;
    whole(name, one);
    if (one.size() != 1) file.refuse(full(name), "is not one number");
    value = one[0];
  }

 private:
  std::string full(const char* name) const { return prefix + "." + name; }
  template <class From>
  std::span<const From> get(const char* name) const {
    return file.get<From>(full(name), {file.tensor(full(name)).count()});
  }
  template <class From, class To>
  void copy(const char* name, Buffer<To>& values) {
    const auto from = get<From>(name);
    values = Buffer<To>(from.size());
    std::ranges::transform(from, values.begin(), [](From v) { return To(v); });
  }
  template <class To>
  void whole(const char* name, Buffer<To>& values) {
    const auto from = get<std::int64_t>(name);
    const auto fits = [](std::int64_t v) {
      return v >= 0 && std::uint64_t(v) <= std::numeric_limits<To>::max();
    };
    if (!std::ranges::all_of(from, fits)) file.refuse(full(name), "holds a number below 0 or too large");
    copy<std::int64_t>(name, values);
  }
};

Objects::Storage storage_of(Domain domain) {
  switch (domain) {
    case Domain::vectors:
      return Bags{};
    case Domain::graph:
      return Graphs{};
    case Domain::image:
      return Images{};
    case Domain::text:
    case Domain::sequence:
    case Domain::symbols:
    case Domain::molecule:
      break;
  }
  return Texts{};
}

}  // namespace

void add_objects(std::vector<TensorView>& tensors, const std::string& points_name,
                 const std::vector<Objects>& columns, std::deque<std::vector<std::int64_t>>& kept) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Writer writer{name_of_column(points_name, c), tensors, kept};
    std::visit([&](const auto& held) { walk(held, writer); }, columns[c].storage());
  }
}

std::vector<Objects> read_objects(const Safetensors& file, const std::string& points_name,
                                  const std::vector<ObjectColumn>& columns, std::size_t rows) {
  std::vector<Objects> found;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Reader reader{name_of_column(points_name, c), file};
    Objects::Storage storage = storage_of(columns[c].domain);
    std::visit([&](auto& held) { walk(held, reader); }, storage);
    try {
      found.emplace_back(columns[c].name, columns[c].domain, std::move(storage));
    } catch (const Error& error) {
      file.refuse(reader.prefix, error.what());
    }
    if (found.back().rows() != rows)
      file.refuse(reader.prefix,
                  fmt::format("has {} objects, but there are {} rows", found.back().rows(), rows));
  }
  return found;
}

}  // namespace mercer

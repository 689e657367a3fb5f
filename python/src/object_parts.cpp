#include "object_parts.hpp"

#include <string>

#include "arrays.hpp"
#include "mercer/error.hpp"

namespace mercer::python {

namespace {

template <class T>
py::array_t<T> copied(const Buffer<T>& buffer) {
  return to_array(std::vector<T>(buffer.begin(), buffer.end()));
}

template <class T>
Buffer<T> buffer_of(const py::object& part) {
  const auto array = part.cast<py::array_t<T, py::array::c_style | py::array::forcecast>>();
  Buffer<T> buffer(std::size_t(array.size()));
  std::copy_n(array.data(), array.size(), buffer.data());
  return buffer;
}

Buffer<char> buffer_of_text(const py::object& part) {
  const auto text = part.cast<std::string>();
  Buffer<char> buffer(text.size());
  std::copy(text.begin(), text.end(), buffer.data());
  return buffer;
}

struct Take {
  py::tuple operator()(const Texts& t) const {
    return py::make_tuple(copied(t.starts), py::bytes(t.bytes.data(), t.bytes.size()));
  }
  py::tuple operator()(const Bags& b) const {
    return py::make_tuple(copied(b.starts), b.columns, copied(b.values));
  }
  py::tuple operator()(const Graphs& g) const {
    return py::make_tuple(copied(g.nodes), copied(g.edges), copied(g.node_labels), copied(g.from),
                          copied(g.to), copied(g.edge_labels), g.attributes, copied(g.node_attributes));
  }
  py::tuple operator()(const Images& i) const {
    return py::make_tuple(copied(i.starts), copied(i.heights), copied(i.widths), i.channels,
                          copied(i.pixels));
  }
};

Objects::Storage storage_of(std::size_t kind, const py::tuple& parts) {
  constexpr std::size_t sizes[] = {2, 3, 8, 5};  // in the order of Objects::Storage
  if (kind >= std::size(sizes) || parts.size() != sizes[kind])
    throw Error(ErrorCode::invalid_data, "objects are restored from the parts that they were taken into");
  const auto part = [&](std::size_t i) { return py::object(parts[i]); };
  using Size = std::size_t;
  switch (kind) {
    case 0:
      return Texts{buffer_of<Size>(part(0)), buffer_of_text(part(1))};
    case 1:
      return Bags{buffer_of<Size>(part(0)), part(1).cast<Size>(), buffer_of<double>(part(2))};
    case 2:
      return Graphs{buffer_of<Size>(part(0)),
                    buffer_of<Size>(part(1)),
                    buffer_of<std::int32_t>(part(2)),
                    buffer_of<std::int32_t>(part(3)),
                    buffer_of<std::int32_t>(part(4)),
                    buffer_of<std::int32_t>(part(5)),
                    part(6).cast<Size>(),
                    buffer_of<double>(part(7))};
    default:
      return Images{buffer_of<Size>(part(0)), buffer_of<std::uint32_t>(part(1)),
                    buffer_of<std::uint32_t>(part(2)), part(3).cast<Size>(),
                    buffer_of<std::uint8_t>(part(4))};
  }
}

}  // namespace

py::tuple parts_of(const Objects& objects) {
  return py::make_tuple(objects.name(), name_of(objects.domain()), objects.storage().index(),
                        std::visit(Take{}, objects.storage()));
}

Objects objects_of(const py::tuple& parts) {
  if (parts.size() != 4)
    throw Error(ErrorCode::invalid_data, "objects are restored from their name, domain, kind and parts");
  return Objects(parts[0].cast<std::string>(), domain_named(parts[1].cast<std::string>()),
                 storage_of(parts[2].cast<std::size_t>(), parts[3].cast<py::tuple>()));
}

}  // namespace mercer::python

// Columns of objects from arrays that Python laid out one behind the other, and the schema that says how a
// table became points.
#include <algorithm>
#include <tuple>

#include "conversions.hpp"
#include "mercer/dataset.hpp"
#include "mercer/error.hpp"
#include "mercer/objects.hpp"

namespace mercer::python {

namespace {

constexpr std::string_view date_orders[] = {"none", "year_first", "day_first", "month_first"};

Schema::Dates dates_named(const std::string& name) {
  const auto found = std::ranges::find(date_orders, name);
  if (found == std::end(date_orders))
    throw Error(ErrorCode::unknown_name,
                "unknown order of dates '" + name + "'; there are none, year_first, day_first, month_first");
  return Schema::Dates(found - std::begin(date_orders));
}

using ColumnParts =
    std::tuple<std::string, std::vector<std::string>, double, std::string, std::optional<std::string>>;

Schema::Column column_of(const ColumnParts& parts) {
  const auto& [name, categories, mean, dates, objects] = parts;
  return {name, categories, mean, dates_named(dates),
          objects ? std::optional(domain_named(*objects)) : std::nullopt};
}
std::optional<std::string> domain_in(const Schema::Column& column) {
  return column.objects ? std::optional(std::string(name_of(*column.objects))) : std::nullopt;
}
ColumnParts parts_of(const Schema::Column& column) {
  return {column.name, column.categories, column.mean, std::string(date_orders[int(column.dates)]),
          domain_in(column)};
}

using SchemaParts = std::tuple<std::vector<Schema::Column>, std::string, std::string,
                               std::vector<std::string>, std::string, std::optional<int>>;

// Objects outlive the arrays they are made of.
template <class To, class From = To>
Buffer<To> copied(const py::array_t<From, py::array::c_style>& array) {
  Buffer<To> buffer(std::size_t(array.size()));
  std::transform(array.data(), array.data() + array.size(), buffer.data(),
                 [](From value) { return To(value); });
  return buffer;
}

Buffer<char> characters(std::string_view text) {
  Buffer<char> buffer(text.size());
  std::ranges::copy(text, buffer.begin());
  return buffer;
}

using Starts = py::array_t<std::int64_t, py::array::c_style>;
using Codes = py::array_t<std::int32_t, py::array::c_style>;
using Numbers = py::array_t<double, py::array::c_style>;

Objects texts(const std::string& name, const std::string& domain, const Starts& starts,
              const py::bytes& bytes) {
  return Objects(name, domain_named(domain), Texts{copied<std::size_t>(starts), characters(bytes)});
}

std::size_t width_of(const Numbers& rows) {
  if (rows.ndim() != 2)
    throw Error(ErrorCode::invalid_data, "rows of numbers are an array of two dimensions");
  return std::size_t(rows.shape(1));
}

Objects bags(const std::string& name, const Starts& starts, const Numbers& members) {
  return Objects(name, Domain::vectors,
                 Bags{copied<std::size_t>(starts), width_of(members), copied<double>(members)});
}

Objects graphs(const std::string& name, const Starts& nodes, const Starts& edges, const Codes& node_labels,
               const Codes& from, const Codes& to, const Codes& edge_labels, const Numbers& node_attributes) {
  return Objects(
      name, Domain::graph,
      Graphs{copied<std::size_t>(nodes), copied<std::size_t>(edges), copied<std::int32_t>(node_labels),
             copied<std::int32_t>(from), copied<std::int32_t>(to), copied<std::int32_t>(edge_labels),
             width_of(node_attributes), copied<double>(node_attributes)});
}

Objects images(const std::string& name, const Starts& starts, const Codes& heights, const Codes& widths,
               std::size_t channels, const py::array_t<std::uint8_t, py::array::c_style>& pixels) {
  return Objects(name, Domain::image,
                 Images{copied<std::size_t>(starts), copied<std::uint32_t>(heights),
                        copied<std::uint32_t>(widths), channels, copied<std::uint8_t>(pixels)});
}

// --- Objects and tuples of their parts. ---

template <class T>
py::array_t<T> array_of(const Buffer<T>& buffer) {
  return to_array(std::vector<T>(buffer.begin(), buffer.end()));
}

template <class T>
Buffer<T> buffer_of(const py::object& part) {
  return copied<T, T>(part.cast<AnyArray<T>>());
}

struct Take {
  py::tuple operator()(const Texts& t) const {
    return py::make_tuple(array_of(t.starts), py::bytes(t.bytes.data(), t.bytes.size()));
  }
  py::tuple operator()(const Bags& b) const {
    return py::make_tuple(array_of(b.starts), b.columns, array_of(b.values));
  }
  py::tuple operator()(const Graphs& g) const {
    return py::make_tuple(array_of(g.nodes), array_of(g.edges), array_of(g.node_labels), array_of(g.from),
                          array_of(g.to), array_of(g.edge_labels), g.attributes, array_of(g.node_attributes));
  }
  py::tuple operator()(const Images& i) const {
    return py::make_tuple(array_of(i.starts), array_of(i.heights), array_of(i.widths), i.channels,
                          array_of(i.pixels));
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
      return Texts{buffer_of<Size>(part(0)), characters(part(1).cast<std::string>())};
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

void add_schema(py::module_& module) {
  py::class_<Schema::Column>(module, "Column", "How a column of a table became numbers.")
      .def(py::init([](std::string name, std::vector<std::string> categories, double mean,
                       const std::string& dates, const std::optional<std::string>& objects) {
             return column_of({std::move(name), std::move(categories), mean, dates, objects});
           }),
           "name"_a, "categories"_a = std::vector<std::string>{}, "mean"_a = 0.0, "dates"_a = "none",
           "objects"_a = py::none())
      .def_readonly("name", &Schema::Column::name)
      .def_readonly("categories", &Schema::Column::categories)
      .def_readonly("mean", &Schema::Column::mean)
      .def_property_readonly("dates",
                             [](const Schema::Column& column) { return date_orders[int(column.dates)]; })
      .def_property_readonly("objects", &domain_in)
      .def(py::pickle(&parts_of, &column_of));
  py::class_<Schema>(module, "Schema", "How a table became points; another one is encoded the same way.")
      .def(py::init([](std::vector<Schema::Column> columns, std::string target) {
             return Schema{.columns = std::move(columns), .target = std::move(target), .weights = {}};
           }),
           "columns"_a = std::vector<Schema::Column>{}, "target"_a = "")
      .def_readonly("columns", &Schema::columns)
      .def_readonly("target", &Schema::target)
      .def_readonly("left_out", &Schema::left_out)
      .def(py::pickle(
          [](const Schema& s) {
            return SchemaParts{s.columns, s.target, s.weights, s.left_out, s.bag, s.first_index};
          },
          [](const SchemaParts& parts) {
            const auto& [columns, target, weights, left_out, bag, first_index] = parts;
            return Schema{columns, target, weights, left_out, bag, first_index};
          }));
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

void add_objects(py::module_& module) {
  add_schema(module);
  py::class_<Objects>(module, "Objects", "A column of objects.")
      .def_property_readonly("name", &Objects::name)
      .def_property_readonly("domain", [](const Objects& objects) { return name_of(objects.domain()); })
      .def_property_readonly("rows", &Objects::rows)
      .def_property_readonly("memory", &Objects::bytes);
  module.def("texts", &texts, "name"_a, "domain"_a, "starts"_a, "bytes"_a);
  module.def("bags", &bags, "name"_a, "starts"_a, "members"_a);
  module.def("graphs", &graphs, "name"_a, "nodes"_a, "edges"_a, "node_labels"_a, "from_node"_a, "to_node"_a,
             "edge_labels"_a, "node_attributes"_a);
  module.def("images", &images, "name"_a, "starts"_a, "heights"_a, "widths"_a, "channels"_a, "pixels"_a);
  module.def(
      "plural_of_domain", [](const std::string& domain) { return plural_of(domain_named(domain)); },
      "domain"_a);
}

}  // namespace mercer::python

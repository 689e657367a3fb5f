// Columns of objects from arrays that Python laid out one behind the other, and the schema that says how a
// table became points.
#include <algorithm>
#include <tuple>

#include "arrays.hpp"
#include "mercer/dataset.hpp"
#include "mercer/error.hpp"
#include "mercer/objects.hpp"
#include "parts.hpp"

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

using Starts = py::array_t<std::int64_t, py::array::c_style>;
using Codes = py::array_t<std::int32_t, py::array::c_style>;
using Numbers = py::array_t<double, py::array::c_style>;

Objects texts(const std::string& name, const std::string& domain, const Starts& starts,
              const py::bytes& bytes) {
  const std::string_view text(bytes);
  Texts held{copied<std::size_t>(starts), Buffer<char>(text.size())};
  std::ranges::copy(text, held.bytes.begin());
  return Objects(name, domain_named(domain), std::move(held));
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

void add_schema(py::module_& module) {
  py::class_<Schema::Column>(module, "Column", "How a column of a table became numbers.")
      .def(py::init([](std::string name, std::vector<std::string> categories, double mean,
                       const std::string& dates, const std::optional<std::string>& objects) {
             return column_of({std::move(name), std::move(categories), mean, dates, objects});
           }),
           py::arg("name"), py::arg("categories") = std::vector<std::string>{}, py::arg("mean") = 0.0,
           py::arg("dates") = "none", py::arg("objects") = py::none())
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
           py::arg("columns") = std::vector<Schema::Column>{}, py::arg("target") = "")
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

void add_objects(py::module_& module) {
  add_schema(module);
  py::class_<Objects>(module, "Objects", "A column of objects.")
      .def_property_readonly("name", &Objects::name)
      .def_property_readonly("domain", [](const Objects& objects) { return name_of(objects.domain()); })
      .def_property_readonly("rows", &Objects::rows)
      .def_property_readonly("memory", &Objects::bytes);
  module.def("texts", &texts, py::arg("name"), py::arg("domain"), py::arg("starts"), py::arg("bytes"));
  module.def("bags", &bags, py::arg("name"), py::arg("starts"), py::arg("members"));
  module.def("graphs", &graphs, py::arg("name"), py::arg("nodes"), py::arg("edges"), py::arg("node_labels"),
             py::arg("from_node"), py::arg("to_node"), py::arg("edge_labels"), py::arg("node_attributes"));
  module.def("images", &images, py::arg("name"), py::arg("starts"), py::arg("heights"), py::arg("widths"),
             py::arg("channels"), py::arg("pixels"));
  module.def(
      "plural_of_domain", [](const std::string& domain) { return plural_of(domain_named(domain)); },
      py::arg("domain"));
}

}  // namespace mercer::python

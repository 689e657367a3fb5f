#include "arrays.hpp"
#include "mercer/dataset.hpp"
#include "mercer/objects.hpp"
#include "parts.hpp"

namespace mercer::python {

namespace {

Objects texts(const std::string& name, const std::string& domain, const std::vector<std::string>& cells) { return Objects(name, domain_named(domain), cells); }

}  // namespace

void add_objects(py::module_& module) {
  py::class_<Schema::Column>(module, "Column", "How a column of a table became numbers.")
      .def(py::init([](std::string name, std::vector<std::string> categories, double mean) { return Schema::Column{.name = std::move(name), .categories = std::move(categories), .mean = mean}; }),
           py::arg("name"), py::arg("categories") = std::vector<std::string>{}, py::arg("mean") = 0.0)
      .def_readonly("name", &Schema::Column::name)
      .def_readonly("categories", &Schema::Column::categories)
      .def_readonly("mean", &Schema::Column::mean)
      .def_property_readonly("objects", [](const Schema::Column& column) { return column.objects ? std::optional<std::string>(name_of(*column.objects)) : std::nullopt; });
  py::class_<Schema>(module, "Schema")
      .def(py::init([](std::vector<Schema::Column> columns, std::string target) { return Schema{.columns = std::move(columns), .target = std::move(target), .weights = {}}; }),
           py::arg("columns") = std::vector<Schema::Column>{}, py::arg("target") = "")
      .def_readonly("columns", &Schema::columns)
      .def_readonly("target", &Schema::target);
  py::class_<Objects>(module, "Objects", "A column of objects.")
      .def_property_readonly("name", &Objects::name)
      .def_property_readonly("domain", [](const Objects& objects) { return name_of(objects.domain()); })
      .def_property_readonly("rows", &Objects::rows);
  module.def("texts", &texts, py::arg("name"), py::arg("domain"), py::arg("cells"));
  module.def("points_of_objects", [](const Objects& objects) { return Points(objects); }, py::arg("objects"));
}

}  // namespace mercer::python

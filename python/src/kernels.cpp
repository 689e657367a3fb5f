#include <span>

#include "arrays.hpp"
#include "mercer/catalogue.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/geometry.hpp"
#include "mercer/kernel_objects.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/validity.hpp"
#include "parts.hpp"
#include "running.hpp"
#include "targets.hpp"

namespace mercer::python {

namespace {

py::array_t<double> gram(const Kernel& kernel, const Points& rows, const Points* columns, int threads,
                         const py::object& listener) {
  const std::size_t width = columns ? columns->rows() : rows.rows();
  return to_rows(run(listener,
                     [&](const Progress& progress) {
                       const OperatorOptions options{.threads = threads, .progress = progress};
                       std::vector<double> values(rows.rows() * width);
                       if (columns)
                         KernelOperator<double>(kernel, rows, *columns, options).matrix(values);
                       else
                         KernelOperator<double>(kernel, rows, options).matrix(values);
                       return values;
                     }),
                 width)
      .reshape({py::ssize_t(rows.rows()), py::ssize_t(width)});
}

// k(x, x) of each row; `scale` and the mean of center(k) are those of the points themselves.
py::array_t<double> diagonal(const Kernel& kernel, const Points& points) {
  return to_array(run(py::none(), [&](const Progress&) {
    return self_similarities(kernel.resolve(points), points, points);
  }));
}

py::dict properties(const Kernel& kernel) {
  const Properties p = kernel.properties();
  const Proof proof = kernel.prove();
  py::dict dict;
  dict["psd"] = proof.psd;
  dict["because"] = proof.because;
  dict["translation_invariant"] = p.translation_invariant;
  dict["radial"] = p.radial;
  dict["bound"] = p.bound;
  dict["diagonal"] = p.diagonal;
  return dict;
}

py::list numbers_inside(const Kernel& kernel) {
  py::list list;
  for (const KernelParameter& p : numeric_parameters(kernel))
    list.append(py::make_tuple(p.name, p.value, p.interval.low, p.interval.high));
  return list;
}

py::list compared(const Kernel& kernel) {
  py::list list;
  for (const ComparedColumn& column : compared_columns(kernel)) {
    std::vector<std::string> domains;
    for (const Domain domain : column.domains) domains.emplace_back(name_of(domain));
    list.append(py::make_tuple(column.column, domains));
  }
  return list;
}

std::string_view verdict_name(Validity::Verdict verdict) {
  constexpr std::string_view names[] = {"valid", "not proved", "invalid", "useless"};
  return names[int(verdict)];
}

py::dict check(const Kernel& kernel, const Points& points, const Target& target, std::size_t sample,
               std::uint64_t seed, int threads, const py::object& listener) {
  Validity v = run(listener, [&](const Progress& progress) {
    return check_kernel(kernel, points, target,
                        {.sample = sample, .seed = seed, .threads = threads, .progress = progress});
  });
  py::dict dict;
  dict["verdict"] = verdict_name(v.verdict);
  dict["reason"] = v.reason;
  dict["kernel"] = v.kernel.text();
  dict["psd"] = v.proof.psd;
  dict["because"] = v.proof.because;
  dict["symmetric"] = v.symmetric;
  dict["asymmetry"] = v.asymmetry;
  dict["rows"] = to_array(std::move(v.rows));
  dict["eigenvalues"] = to_array(std::move(v.eigenvalues));
  dict["tolerance"] = v.tolerance;
  dict["effective_rank"] = v.effective_rank;
  dict["alignment"] = v.alignment;
  dict["culprit"] = v.culprit;
  dict["warnings"] = v.warnings;
  dict["witness"] = py::none();
  if (v.witness) dict["witness"] = py::make_tuple(v.witness->value, v.witness->rows, v.witness->coefficients);
  return dict;
}

py::list catalogue() {
  constexpr std::string_view kinds[] = {"leaf", "rule", "map", "function"};
  py::list list;
  for (const KernelInfo& info : kernel_catalogue()) {
    py::list parameters;
    for (const auto& p : info.parameters)
      parameters.append(py::dict(py::arg("name") = p.name, py::arg("default") = p.standard,
                                 py::arg("range") = p.range, py::arg("meaning") = p.meaning,
                                 py::arg("instead") = p.instead));
    std::vector<std::string> domains;
    for (const Domain domain : info.domains) domains.emplace_back(name_of(domain));
    list.append(py::dict(py::arg("kind") = kinds[int(info.kind)], py::arg("name") = info.name,
                         py::arg("formula") = info.formula, py::arg("summary") = info.summary,
                         py::arg("parameters") = parameters, py::arg("domains") = domains,
                         py::arg("several") = info.several));
  }
  return list;
}

}  // namespace

void add_kernels(py::module_& module) {
  py::class_<Kernel>(module, "Kernel", "A kernel expression.")
      .def(py::init([](const std::string& text) { return Kernel::parse(text); }), py::arg("text"))
      .def("text", &Kernel::text)
      .def_property_readonly("precomputed", &Kernel::precomputed)
      .def(py::pickle([](const Kernel& kernel) { return kernel.text(); },
                      [](const std::string& text) { return Kernel::parse(text); }))
      .def("resolve", &Kernel::resolve, py::arg("points"), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("resolved", &Kernel::resolved)
      .def("properties", &properties)
      .def("numbers", &numbers_inside)
      .def(
          "with_numbers",
          [](const Kernel& kernel, const std::vector<double>& values) {
            return with_parameters(kernel, values);
          },
          py::arg("values"))
      .def("parts", &Kernel::parts)
      .def("compared", &compared)
      .def("gram", &gram, py::arg("rows"), py::arg("columns") = nullptr, py::arg("threads") = 0,
           py::arg("listener") = py::none())
      .def("diagonal", &diagonal, py::arg("points"));
  module.def("check_kernel", &check, py::arg("kernel"), py::arg("points"), py::arg("target"),
             py::arg("sample") = 1000, py::arg("seed") = 1, py::arg("threads") = 0,
             py::arg("listener") = py::none());
  module.def("kernels", &catalogue);
}

}  // namespace mercer::python

#include "arrays.hpp"
#include "mercer/feature_map.hpp"
#include "mercer/features.hpp"
#include "parts.hpp"
#include "running.hpp"

namespace mercer::python {

namespace {

FeatureMap make(const std::string& text, const Kernel& kernel, const Points& points, std::uint64_t seed, int threads, const py::object& listener) {
  return run(listener, [&](const Progress& progress) { return FeatureMap::make(text, kernel, points, {.seed = seed, .threads = threads, .progress = progress}); });
}

py::object apply(const FeatureMap& map, const Points& points, int threads) {
  return points_to_python(run(py::none(), [&](const Progress&) { return map.apply(points, threads); }));
}

// What restore() needs: everything in arrays and texts, so that a pickle holds nothing else.
py::tuple state(const FeatureMap& map) {
  const FeatureMap::State& s = map.state();
  return py::make_tuple(s.text, s.seed, s.columns, s.landmarks, to_array(s.matrix), s.trace_left, map.kernel().text());
}

FeatureMap restore(const std::string& text, std::uint64_t seed, std::size_t columns, const Points& landmarks, const py::array_t<double, py::array::c_style | py::array::forcecast>& matrix,
                   double trace_left, const std::string& kernel) {
  return FeatureMap::restore({.text = text, .seed = seed, .columns = columns, .landmarks = landmarks, .matrix = to_vector(matrix), .trace_left = trace_left}, Kernel::parse(kernel));
}

}  // namespace

void add_features(py::module_& module) {
  py::class_<FeatureMap>(module, "FeatureMap", "φ with φ(x)ᵀφ(z) ≈ k(x, z).")
      .def(py::init(&make), py::arg("text"), py::arg("kernel"), py::arg("points"), py::arg("seed") = 1, py::arg("threads") = 0, py::arg("listener") = py::none())
      .def_property_readonly("text", &FeatureMap::text)
      .def_property_readonly("kernel", &FeatureMap::kernel)
      .def_property_readonly("columns", &FeatureMap::columns)
      .def_property_readonly("features", &FeatureMap::features)
      .def_property_readonly("trace_left", &FeatureMap::trace_left)
      .def("apply", &apply, py::arg("points"), py::arg("threads") = 0)
      .def("state", &state)
      .def_static("restore", &restore);
  module.def("explicit_features", [](const Kernel& kernel, const Points& points, int terms, bool ordered) {
    return points_to_python(run(py::none(), [&](const Progress&) { return explicit_features(kernel, points, {.terms = terms, .ordered = ordered}); }));
  }, py::arg("kernel"), py::arg("points"), py::arg("terms") = 8, py::arg("ordered") = false);
  module.def("count_features", [](const Kernel& kernel, std::size_t columns, int terms) {
    const FeatureCount count = count_features(kernel, columns, {.terms = terms});
    return py::make_tuple(count.exact, count.log10, count.truncated);
  }, py::arg("kernel"), py::arg("columns"), py::arg("terms") = 8);
}

}  // namespace mercer::python

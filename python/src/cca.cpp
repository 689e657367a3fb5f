#include "mercer/cca.hpp"

#include "conversions.hpp"
#include "running.hpp"

namespace mercer::python {

namespace {

KernelCca fit_cca(const Kernel& kernel, const Points& x, const Kernel& other_kernel, const Points& y,
                  std::size_t components, double regularization, int threads, std::size_t memory) {
  return run([&](const Progress& progress) {
    return kernel_cca(kernel, x, other_kernel, y,
                      {.components = components,
                       .regularization = regularization,
                       .threads = threads,
                       .memory = memory,
                       .progress = progress});
  });
}

auto project(const Expansion& functions, const Points& points, int threads) {
  std::vector<double> out(points.rows() * functions.width);
  run([&](const Progress& progress) {
    functions.sums(points, out, threads, progress);
    return true;
  });
  return to_array(std::move(out), {points.rows(), functions.width});
}

}  // namespace

void add_cca(py::module_& module) {
  py::class_<KernelCca>(module, "KernelCca")
      .def(py::init(&fit_cca), "kernel"_a, "x"_a, "other_kernel"_a, "y"_a, "components"_a, "regularization"_a,
           "threads"_a, "memory"_a)
      .def_property_readonly("correlations", [](const KernelCca& cca) { return to_array(cca.correlations); })
      .def_property_readonly("kernels",
                             [](const KernelCca& cca) { return py::make_tuple(cca.x.kernel, cca.y.kernel); })
      .def_property_readonly("coefficients",
                             [](const KernelCca& cca) {
                               return py::make_tuple(to_rows(cca.x.coefficients, cca.x.width),
                                                     to_rows(cca.y.coefficients, cca.y.width));
                             })
      .def(
          "project_x",
          [](const KernelCca& cca, const Points& points, int threads) {
            return project(cca.x, points, threads);
          },
          "points"_a, "threads"_a = 0)
      .def(
          "project_y",
          [](const KernelCca& cca, const Points& points, int threads) {
            return project(cca.y, points, threads);
          },
          "points"_a, "threads"_a = 0);
}

}  // namespace mercer::python

#include "conversions.hpp"
#include "mercer/hsic.hpp"
#include "running.hpp"

namespace mercer::python {

namespace {

HsicOptions hsic_options(std::size_t permutations, std::uint64_t seed, int threads, std::size_t memory,
                         const Progress& progress) {
  return {
      .permutations = permutations, .seed = seed, .threads = threads, .memory = memory, .progress = progress};
}

py::dict test(const Kernel& kernel, const Points& x, const Kernel& target_kernel, const Points& y,
              std::size_t permutations, std::uint64_t seed, int threads, std::size_t memory) {
  const HsicTest found = run([&](const Progress& progress) {
    return hsic_test(kernel, x, target_kernel, y,
                     hsic_options(permutations, seed, threads, memory, progress));
  });
  return py::dict("biased"_a = found.biased, "unbiased"_a = found.unbiased, "alignment"_a = found.alignment,
                  "p_value"_a = found.p_value, "kernel"_a = found.kernel,
                  "target_kernel"_a = found.target_kernel);
}

py::list ranking(const Kernel& kernel, const Points& x, const Kernel& target_kernel, const Points& y,
                 std::size_t permutations, std::uint64_t seed, int threads, std::size_t memory) {
  py::list list;
  for (const ColumnDependence& one : run([&](const Progress& progress) {
         return hsic_ranking(kernel, x, target_kernel, y,
                             hsic_options(permutations, seed, threads, memory, progress));
       }))
    list.append(py::make_tuple(one.column, one.hsic, one.alignment, one.p_value));
  return list;
}

}  // namespace

void add_hsic(py::module_& module) {
  module.def("hsic_test", &test, "kernel"_a, "x"_a, "target_kernel"_a, "y"_a, "permutations"_a, "seed"_a,
             "threads"_a, "memory"_a);
  module.def("hsic_ranking", &ranking, "kernel"_a, "x"_a, "target_kernel"_a, "y"_a, "permutations"_a,
             "seed"_a, "threads"_a, "memory"_a);
}

}  // namespace mercer::python

#include "conversions.hpp"
#include "mercer/error.hpp"
#include "mercer/feature_map.hpp"
#include "mercer/features.hpp"
#include "mercer/user_kernel.hpp"
#include "running.hpp"

namespace mercer::python {

namespace {

FeatureMap make(const std::string& text, const Kernel& kernel, const Points& points, std::uint64_t seed,
                int threads) {
  return run([&](const Progress& progress) {
    const OneThread alone(OneThread::a_while);
    return FeatureMap::make(text, kernel, points, {.seed = seed, .threads = threads, .progress = progress});
  });
}

py::object apply(const FeatureMap& map, const Points& points, int threads) {
  const auto work = [&](const Progress&) {
    const OneThread alone(OneThread::a_while);
    return map.apply(points, threads);
  };
  const bool brief = points.objects().empty() && user_functions(map.kernel()).empty() &&
                     is_brief(points.rows() * map.features() * (16 + points.cols()) / 8);
  return points_to_python(brief ? run_here(work) : run(work));
}

// Points from what points_to_python gives, with their columns of objects.
Points landmarks_from(const py::object& numbers, const std::vector<std::string>& names,
                      const py::list& objects) {
  const py::module_ engine = py::module_::import("mercer._mercer");
  Points points;
  if (py::isinstance<py::tuple>(numbers)) {
    const py::tuple sparse = numbers;
    if (sparse.size() != 4)
      throw Error(ErrorCode::invalid_data, "sparse landmarks are values, indices, starts and shape");
    points = engine.attr("sparse")(sparse[0], sparse[1], sparse[2], sparse[3], names).cast<Points>();
  } else {
    points = engine.attr("dense")(numbers, names).cast<Points>();
  }
  std::vector<Objects> columns;
  for (const py::handle column : objects) columns.push_back(objects_of(column.cast<py::tuple>()));
  return columns.empty() ? points : points.with_objects(std::move(columns));
}

// A pickle holds arrays, texts and the kernel. Random maps are drawn again from the seed.
py::tuple state(const FeatureMap& map) {
  const FeatureMap::State& s = map.state();
  py::list objects;
  for (const Objects& column : s.landmarks.objects()) objects.append(parts_of(column));
  return py::make_tuple(s.text, s.seed, s.columns, points_to_python(s.landmarks), s.landmarks.names(),
                        objects, to_array(s.matrix), s.trace_left, map.kernel(), s.names);
}

FeatureMap restore(const py::tuple& parts) {
  // 9 parts: without names of columns.
  if (parts.size() != 9 && parts.size() != 10)
    throw Error(ErrorCode::invalid_data, "a feature map is restored from 10 parts");
  const auto matrix = parts[6].cast<AnyArray<double>>();
  return FeatureMap::restore(
      {.text = parts[0].cast<std::string>(),
       .seed = parts[1].cast<std::uint64_t>(),
       .columns = parts[2].cast<std::size_t>(),
       .names = parts.size() == 10 ? parts[9].cast<std::vector<std::string>>() : std::vector<std::string>(),
       .landmarks = landmarks_from(parts[3], parts[4].cast<std::vector<std::string>>(), parts[5]),
       .matrix = to_vector(matrix),
       .trace_left = parts[7].cast<double>()},
      py::isinstance<py::str>(parts[8])
          ? Kernel::parse(parts[8].cast<std::string>())  // of version 0.7 and before
          : parts[8].cast<Kernel>());
}

}  // namespace

void add_features(py::module_& module) {
  py::class_<FeatureMap>(module, "FeatureMap", "φ with φ(x)ᵀφ(z) ≈ k(x, z).")
      .def(py::init(&make), "text"_a, "kernel"_a, "points"_a, "seed"_a = 1, "threads"_a = 0)
      .def_property_readonly("text", &FeatureMap::text)
      .def_property_readonly("kernel", &FeatureMap::kernel)
      .def_property_readonly("columns", &FeatureMap::columns)
      .def_property_readonly("features", &FeatureMap::features)
      .def_property_readonly("trace_left", &FeatureMap::trace_left)
      .def("apply", &apply, "points"_a, "threads"_a = 0)
      .def_property_readonly("landmarks", [](const FeatureMap& map) { return map.state().landmarks; })
      .def_property_readonly("rows",
                             [](const FeatureMap& map) {
                               const std::vector<std::size_t>& rows = map.state().rows;
                               return to_array(std::vector<std::int64_t>(rows.begin(), rows.end()));
                             })
      .def_property_readonly(
          "matrix",
          [](const FeatureMap& map) { return to_rows(map.state().matrix, map.state().landmarks.rows()); })
      .def(py::pickle(&state, &restore));
  module.def(
      "explicit_features",
      [](const Kernel& kernel, const Points& points, int terms, bool ordered) {
        return points_to_python(run([&](const Progress&) {
          return explicit_features(kernel, points, {.terms = terms, .ordered = ordered});
        }));
      },
      "kernel"_a, "points"_a, "terms"_a = 8, "ordered"_a = false);
  module.def(
      "count_features",
      [](const Kernel& kernel, const Points& points, int terms, bool ordered) {
        const FeatureCount count =
            count_features(kernel, points.cols(), {.terms = terms, .ordered = ordered}, points.names());
        return py::make_tuple(count.exact, count.log10, count.truncated);
      },
      "kernel"_a, "points"_a, "terms"_a = 8, "ordered"_a = false);
}

}  // namespace mercer::python

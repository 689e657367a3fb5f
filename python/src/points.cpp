#include "conversions.hpp"
#include "mercer/error.hpp"

namespace mercer::python {

namespace {

template <class T>
Points dense(const py::array_t<T, py::array::c_style>& rows, std::vector<std::string> names) {
  if (rows.ndim() != 2)
    throw Error(ErrorCode::invalid_data, "rows of numbers are an array of two dimensions, not of " +
                                             std::to_string(rows.ndim()) +
                                             "; X.reshape(-1, 1) is a column, X.reshape(1, -1) a row");
  return Points::borrow(std::size_t(rows.shape(0)), std::size_t(rows.shape(1)), elements(rows),
                        std::make_shared<Kept>(rows), std::move(names));
}

template <class T>
Points sparse(const py::array_t<T, py::array::c_style>& values,
              const py::array_t<std::int32_t, py::array::c_style>& indices,
              const py::array_t<std::int64_t, py::array::c_style>& starts,
              std::pair<std::size_t, std::size_t> shape, std::vector<std::string> names) {
  static_assert(sizeof(std::size_t) == sizeof(std::int64_t));
  const std::span begins(reinterpret_cast<const std::size_t*>(starts.data()), std::size_t(starts.size()));
  return Points::borrow(shape.first, shape.second, begins, elements(indices), elements(values),
                        std::make_shared<Kept>(py::make_tuple(starts, indices, values)), std::move(names));
}

// Whether no number is NaN or infinite: x − x is 0 of all others. In four sums, so that an addition need not
// wait for the last.
template <class T>
bool all_finite(const py::array_t<T, py::array::c_style>& array) {
  const T* x = array.data();
  const std::size_t count = std::size_t(array.size()), even = count / 4 * 4;
  const py::gil_scoped_release others;
  T a = 0, b = 0, c = 0, d = 0;
  for (std::size_t e = 0; e < even; e += 4) {
    a += x[e] - x[e];
    b += x[e + 1] - x[e + 1];
    c += x[e + 2] - x[e + 2];
    d += x[e + 3] - x[e + 3];
  }
  for (std::size_t e = even; e < count; ++e) a += x[e] - x[e];
  return a + b + c + d == 0;
}

// A view of a buffer that the points share.
template <class T>
py::array_t<T> view(const Buffer<T>& buffer, std::vector<std::size_t> shape, const Points& points) {
  const py::capsule owner(new Points(points), [](void* kept) { delete static_cast<Points*>(kept); });
  py::array_t<T> array(shape, buffer.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace

py::object points_to_python(const Points& points) {
  return std::visit(
      [&](const auto& storage) -> py::object {
        if constexpr (requires { storage.starts; }) {
          const std::vector<std::int64_t> starts(storage.starts.begin(), storage.starts.end());
          return py::make_tuple(view(storage.values, {storage.values.size()}, points),
                                view(storage.indices, {storage.indices.size()}, points), to_array(starts),
                                py::make_tuple(storage.rows, storage.cols));
        } else {
          return view(storage.values, {storage.rows, storage.cols}, points);
        }
      },
      points.storage());
}

void add_points(py::module_& module) {
  py::class_<Points>(module, "Points", "Rows of numbers and objects.")
      .def_property_readonly("rows", &Points::rows)
      .def_property_readonly("columns", &Points::cols)
      .def_property_readonly("is_sparse", &Points::sparse)
      .def_property_readonly("names", &Points::names)
      .def("numbers", &points_to_python)
      .def("with_objects", &Points::with_objects, "columns"_a)
      .def("with_ids", &Points::with_ids, "ids"_a)
      .def_property_readonly("of_kernel_values", [](const Points& points) { return !points.ids().empty(); })
      .def_property_readonly("objects", &Points::objects);
  module.def("all_finite", &all_finite<float>, "numbers"_a.noconvert());
  module.def("all_finite", &all_finite<double>, "numbers"_a.noconvert());
  const auto names = "names"_a = std::vector<std::string>{};
  module.def("dense", &dense<float>, "rows"_a.noconvert(), names);
  module.def("dense", &dense<double>, "rows"_a.noconvert(), names);
  module.def("sparse", &sparse<float>, "values"_a.noconvert(), "indices"_a.noconvert(),
             "starts"_a.noconvert(), "shape"_a, names);
  module.def("sparse", &sparse<double>, "values"_a.noconvert(), "indices"_a.noconvert(),
             "starts"_a.noconvert(), "shape"_a, names);
}

}  // namespace mercer::python

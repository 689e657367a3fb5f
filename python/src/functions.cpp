// Functions written in Python inside kernel expressions. They are called on blocks of rows, with Python's
// lock taken for the call alone, by whichever thread needs the values.
#include "conversions.hpp"
#include "mercer/error.hpp"
#include "mercer/user_kernel.hpp"

namespace mercer::python {

namespace {

/// Objects as lists: texts as str, sets of vectors and images as arrays.
py::list objects_between(const Objects& objects, std::size_t begin, std::size_t end) {
  py::list list;
  for (std::size_t i = begin; i < end; ++i) {
    if (const auto* texts = std::get_if<Texts>(&objects.storage())) {
      list.append(py::str((*texts)[i].data(), (*texts)[i].size()));
    } else if (const auto* bags = std::get_if<Bags>(&objects.storage())) {
      list.append(py::array_t<double>({bags->size(i), bags->columns},
                                      bags->values.data() + bags->starts[i] * bags->columns));
    } else if (const auto* images = std::get_if<Images>(&objects.storage())) {
      std::vector<std::size_t> shape{images->heights[i], images->widths[i]};
      if (images->channels > 1) shape.push_back(images->channels);
      list.append(py::array_t<std::uint8_t>(shape, images->pixels.data() + images->starts[i]));
    } else {
      throw Error(ErrorCode::invalid_kernel, "functions of graphs are not supported",
                  {.hint = "give kernel= a function of two lists of graphs"});
    }
  }
  return list;
}

/// Rows [begin, end) as the function sees them: an array over the same memory, which it cannot write to, or a
/// CSR matrix.
py::object block_of(const Points& points, std::size_t begin, std::size_t end) {
  if (points.cols() == 0 && points.objects().size() == 1)
    return objects_between(points.objects()[0], begin, end);
  if (!points.objects().empty())
    throw Error(ErrorCode::invalid_kernel, "functions of rows take rows of numbers; these have objects",
                {.hint = "say of which objects: of=\"text\""});
  return std::visit(
      [&](const auto& held) -> py::object {
        using Number = std::decay_t<decltype(held.values[0])>;
        if constexpr (requires { held.starts; }) {
          const std::size_t first = held.starts[begin], last = held.starts[end];
          std::vector<std::int64_t> starts;
          for (std::size_t i = begin; i <= end; ++i) starts.push_back(std::int64_t(held.starts[i] - first));
          const py::array_t<Number> values(last - first, held.values.data() + first);
          const py::array_t<std::int32_t> indices(last - first, held.indices.data() + first);
          return py::module_::import("scipy.sparse")
              .attr("csr_matrix")(py::make_tuple(values, indices, to_array(std::move(starts))),
                                  "shape"_a = py::make_tuple(end - begin, held.cols));
        } else {
          const py::capsule owner(new Points(points), [](void* kept) { delete static_cast<Points*>(kept); });
          py::array_t<Number> array({end - begin, held.cols}, held.row(begin), owner);
          py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
          return array;
        }
      },
      points.storage());
}

/// What a function returned, as an array of real numbers; `what` is how messages call the function.
AnyArray<double> numbers_of(const py::object& returned, const std::string& what) {
  const auto array = py::array::ensure(returned);
  if (!array) PyErr_Clear();
  if (!array || std::string_view("fiub").find(array.dtype().kind()) == std::string_view::npos)
    throw Error(ErrorCode::invalid_kernel, what + " must return an array of real numbers");
  return array.cast<AnyArray<double>>();
}

std::string shape_of(const py::array& array) {
  std::string shape;
  for (py::ssize_t d = 0; d < array.ndim(); ++d) shape += (d ? " × " : "") + std::to_string(array.shape(d));
  return shape.empty() ? "a single number" : "an array of " + shape;
}

/// f or φ: an array of as many rows; one of one dimension is a column.
UserFunction function_of_rows(const std::string& name, const std::shared_ptr<Kept>& function) {
  return {name,
          [name, function](const Points& points) {
            const std::string what = "the function '" + name + "'";
            const std::size_t n = points.rows(),
                              most = std::max<std::size_t>(
                                  256, (1 << 19) / std::max<std::size_t>(1, points.cols()));
            Dense<double> images{n, 0, {}};
            for (std::size_t begin = 0; begin == 0 || begin < n; begin += most) {
              const std::size_t rows = std::min(most, n - begin);
              const py::gil_scoped_acquire python;
              const AnyArray<double> block =
                  numbers_of(function->object()(block_of(points, begin, begin + rows)), what);
              if (block.ndim() < 1 || block.ndim() > 2 || std::size_t(block.shape(0)) != rows)
                throw Error(ErrorCode::invalid_kernel,
                            what + " returned " + shape_of(block) + " for " + std::to_string(rows) + " rows",
                            {.hint = "it must return one row of numbers for each"});
              const std::size_t cols = block.ndim() == 2 ? std::size_t(block.shape(1)) : 1;
              if (begin == 0) images = {n, cols, Buffer<double>(n * cols)};
              if (cols != images.cols)
                throw Error(ErrorCode::invalid_kernel, what + " returned " + std::to_string(cols) +
                                                           " columns for row " + std::to_string(begin + 1) +
                                                           " and the next, but " +
                                                           std::to_string(images.cols) + " for those before");
              const double* from = block.data();
              const py::gil_scoped_release others;
              std::copy_n(from, rows * cols, images.values.data() + begin * cols);
            }
            return images;
          },
          function};
}

/// k(X, Z): an array of rows of X × rows of Z.
UserFunction kernel_function(const std::string& name, const std::shared_ptr<Kept>& function, bool psd) {
  const TileFunction tile = [name, function](const Points& x, Range rows, const Points& z, Range columns,
                                             double* out) {
    const std::string what = "the kernel function '" + name + "'";
    const py::gil_scoped_acquire python;
    const AnyArray<double> values = numbers_of(
        function->object()(block_of(x, rows.begin, rows.end), block_of(z, columns.begin, columns.end)), what);
    if (values.ndim() != 2 || std::size_t(values.shape(0)) != rows.size() ||
        std::size_t(values.shape(1)) != columns.size())
      throw Error(ErrorCode::invalid_kernel,
                  what + " returned " + shape_of(values) + " for " + std::to_string(rows.size()) + " and " +
                      std::to_string(columns.size()) + " rows",
                  {.hint = "it must return one number for each pair"});
    const double* from = values.data();
    const py::gil_scoped_release others;
    std::copy_n(from, rows.size() * columns.size(), out);
  };
  return {name, tile, psd, function};
}

UserFunction function_with(const std::string& name, const py::object& function, bool kernel, bool psd,
                           const std::optional<std::string>& of) {
  const auto kept = std::make_shared<Kept>(function);
  const UserFunction made = kernel ? kernel_function(name, kept, psd) : function_of_rows(name, kept);
  return of ? made.of(domain_named(*of)) : made;
}

std::optional<std::string> domain_of(const UserFunction& function) {
  return function.domain() ? std::optional(std::string(name_of(*function.domain()))) : std::nullopt;
}

py::object callable_of(const UserFunction& function) {
  return static_cast<const Kept*>(function.owner().get())->object();
}

}  // namespace

void add_functions(py::module_& module) {
  py::class_<UserFunction>(module, "UserFunction", "A Python function inside a kernel expression.")
      .def(py::init(&function_with), "name"_a, "function"_a, "kernel"_a = false, "psd"_a = false,
           "of"_a = py::none())
      .def_property_readonly("of", &domain_of)
      .def_property_readonly("name", &UserFunction::name)
      .def_property_readonly("function", &callable_of)
      .def_property_readonly("kernel", &UserFunction::is_kernel)
      .def(py::pickle(
          [](const UserFunction& f) {
            return py::make_tuple(f.name(), callable_of(f), f.is_kernel(), f.psd(), domain_of(f));
          },
          [](const py::tuple& parts) {
            return function_with(parts[0].cast<std::string>(), parts[1], parts[2].cast<bool>(),
                                 parts[3].cast<bool>(), parts[4].cast<std::optional<std::string>>());
          }));
}

}  // namespace mercer::python

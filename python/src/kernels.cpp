#include <pybind11/operators.h>

#include "conversions.hpp"
#include "mercer/catalogue.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/geometry.hpp"
#include "mercer/kernel_objects.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/user_kernel.hpp"
#include "mercer/spectral_density.hpp"
#include "mercer/validity.hpp"
#include "mercer/word_vectors.hpp"
#include "running.hpp"

namespace mercer::python {

namespace {

Kernel parse(const std::string& text, const std::vector<UserFunction>& functions) {
  return Kernel::parse(text, functions);
}

/// Word vectors as Python holds them: shared with the kernels.
struct Words {
  SharedWords vectors;
};

std::vector<Words> words_in(const Kernel& kernel) {
  std::vector<Words> words;
  for (const SharedWords& vectors : word_vectors_in(kernel)) words.push_back({vectors});
  return words;
}

Words words_of_vectors(const std::vector<std::string>& words, const AnyArray<double>& vectors) {
  if (vectors.ndim() != 2 || std::size_t(vectors.shape(0)) != words.size())
    throw Error(ErrorCode::invalid_data, "word vectors: one row of numbers is needed for each word");
  return {word_vectors(words, {vectors.data(), std::size_t(vectors.size())}, std::size_t(vectors.shape(1)))};
}

Words words_of_pairs(const std::vector<std::tuple<std::string, std::string, double>>& pairs) {
  std::vector<WordPair> list;
  for (const auto& [first, second, similarity] : pairs) list.push_back({first, second, similarity});
  return {word_similarities(list)};
}

py::tuple words_state(const Words& words) {
  const WordVectors::Storage& s = words.vectors->storage();
  return py::make_tuple(s.words, py::bytes(s.bytes), s.starts, s.first, to_array(s.values));
}

Words words_from(const py::tuple& state) {
  return {shared_words(WordVectors({.words = state[0].cast<std::vector<std::size_t>>(),
                                    .bytes = state[1].cast<std::string>(),
                                    .starts = state[2].cast<std::vector<std::size_t>>(),
                                    .first = state[3].cast<std::vector<std::size_t>>(),
                                    .values = to_vector(state[4].cast<AnyArray<double>>())}))};
}

py::array_t<double> gram(const Kernel& kernel, const Points& rows, const Points* columns, int threads) {
  const std::size_t n = rows.rows(), width = columns ? columns->rows() : n;
  return to_array(run([&](const Progress& progress) {
                    const OperatorOptions options{.threads = threads, .progress = progress};
                    std::vector<double> values(n * width);
                    (columns ? KernelOperator<double>(kernel, rows, *columns, options)
                             : KernelOperator<double>(kernel, rows, options))
                        .matrix(values);
                    return values;
                  }),
                  {n, width});
}

// k(x, x) of each row; `scale` and the mean of center(k) are those of the points themselves.
py::array_t<double> diagonal(const Kernel& kernel, const Points& points) {
  return to_array(
      run([&](const Progress&) { return self_similarities(kernel.resolve(points), points, points); }));
}

// Distances, angles and means in feature space; `columns` null: the rows themselves.
py::array_t<double> geometry(const Kernel& kernel, const std::string& what, const Points& rows,
                             const Points* columns, int threads) {
  const Points& z = columns ? *columns : rows;
  const bool one_column = what == "to_mean" || what == "mean_embedding";
  return to_array(run([&](const Progress& progress) {
                    const OperatorOptions options{.threads = threads, .progress = progress};
                    return what == "angles"           ? angles(kernel, rows, z, options)
                           : what == "mean_embedding" ? mean_embedding(kernel, rows, z, options)
                           : what == "to_mean"        ? squared_distances_to_mean(kernel, rows, z, options)
                                                      : squared_distances(kernel, rows, z, options);
                  }),
                  one_column ? std::vector{rows.rows()} : std::vector{rows.rows(), z.rows()});
}

py::dict properties(const Kernel& kernel) {
  const ExpressionInfo info = describe(kernel);
  const Properties& p = info.properties;
  const Proof& proof = info.proof;
  constexpr std::string_view maps[] = {"none", "exact", "truncated"};  // of ExpressionInfo::Map
  return py::dict("psd"_a = proof.psd, "because"_a = proof.because,
                  "conditional_order"_a = p.conditional_order,
                  "translation_invariant"_a = p.translation_invariant, "radial"_a = p.radial,
                  "bound"_a = p.bound, "diagonal"_a = p.diagonal, "explicit_map"_a = maps[int(info.map)],
                  "spectral_density"_a = info.spectral_density);
}

py::dict spectrum(const Kernel& kernel) {
  SpectralDensity found = run([&](const Progress&) { return spectral_density(kernel); });
  py::list lines;
  for (const auto& line : found.lines) lines.append(py::make_tuple(line.frequency, line.mass));
  return py::dict("frequencies"_a = to_array(std::move(found.frequencies)),
                  "density"_a = to_array(std::move(found.density)), "lines"_a = lines,
                  "terms"_a = found.terms, "variance"_a = found.variance, "decay"_a = found.decay,
                  "resolution"_a = found.resolution, "penalty"_a = found.penalty);
}

py::list numbers_inside(const Kernel& kernel) {
  py::list list;
  for (const KernelParameter& p : numeric_parameters(kernel))
    list.append(py::make_tuple(p.name, p.value, p.interval.low, p.interval.high));
  return list;
}

py::list compared(const Kernel& kernel) {
  py::list list;
  for (const ComparedColumn& column : compared_columns(kernel))
    list.append(py::make_tuple(column.column, names_of(column.domains)));
  return list;
}

constexpr std::string_view verdicts[] = {"valid", "not proved", "invalid", "useless", "conditional"};

py::dict check(const Kernel& kernel, const Points& points, const Target& target, std::size_t sample,
               std::uint64_t seed, int threads) {
  Validity v = run([&](const Progress& progress) {
    return check_kernel(kernel, points, target,
                        {.sample = sample, .seed = seed, .threads = threads, .progress = progress});
  });
  py::object witness = py::none();
  if (v.witness) witness = py::make_tuple(v.witness->value, v.witness->rows, v.witness->coefficients);
  return py::dict("verdict"_a = verdicts[int(v.verdict)], "reason"_a = v.reason, "kernel"_a = v.kernel.text(),
                  "psd"_a = v.proof.psd, "because"_a = v.proof.because, "symmetric"_a = v.symmetric,
                  "asymmetry"_a = v.asymmetry, "rows"_a = to_array(std::move(v.rows)),
                  "eigenvalues"_a = to_array(std::move(v.eigenvalues)), "tolerance"_a = v.tolerance,
                  "effective_rank"_a = v.effective_rank, "alignment"_a = v.alignment, "culprit"_a = v.culprit,
                  "warnings"_a = v.warnings, "witness"_a = witness,
                  "conditional_minimum"_a = v.conditional_minimum);
}

py::list catalogue() {
  constexpr std::string_view kinds[] = {"leaf", "rule", "map", "function"};
  py::list list;
  for (const KernelInfo& info : kernel_catalogue()) {
    py::list parameters;
    for (const auto& p : info.parameters)
      parameters.append(py::dict("name"_a = p.name, "default"_a = p.standard, "range"_a = p.range,
                                 "meaning"_a = p.meaning, "instead"_a = p.instead));
    list.append(py::dict("kind"_a = kinds[int(info.kind)], "name"_a = info.name, "formula"_a = info.formula,
                         "summary"_a = info.summary, "parameters"_a = parameters,
                         "domains"_a = names_of(info.domains), "several"_a = info.several));
  }
  return list;
}

}  // namespace

void add_kernels(py::module_& module) {
  py::class_<Words>(module, "WordVectors", "Vectors of words, for bow(similarity=…).")
      .def(py::init(&words_of_vectors), "words"_a, "vectors"_a)
      .def_static("of_pairs", &words_of_pairs, "pairs"_a)
      .def_property_readonly("checksum", [](const Words& words) { return words.vectors->checksum(); })
      .def("__len__", [](const Words& words) { return words.vectors->rows(); })
      .def(py::pickle(&words_state, &words_from));
  py::class_<Kernel>(module, "Kernel", "A kernel expression.")
      .def(py::init(&parse), "text"_a, "functions"_a = std::vector<UserFunction>())
      .def("functions", &user_functions)
      .def("words", &words_in)
      .def(py::self == py::self)
      .def("text", &Kernel::text)
      .def_property_readonly("precomputed", &Kernel::precomputed)
      .def(py::pickle(
          [](const Kernel& kernel) -> py::object {
            return py::make_tuple(kernel.text(), user_functions(kernel), words_in(kernel));
          },
          [](const py::object& state) {  // the text alone: of version 0.7 and before
            if (py::isinstance<py::str>(state)) return Kernel::parse(state.cast<std::string>());
            const auto parts = state.cast<py::tuple>();
            // Held while the text that names them is read; files of version 0.7 and before have none.
            const auto words = parts.size() > 2 ? parts[2].cast<std::vector<Words>>() : std::vector<Words>();
            return parse(parts[0].cast<std::string>(), parts[1].cast<std::vector<UserFunction>>());
          }))
      .def("resolve", &Kernel::resolve, "points"_a, py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("resolved", &Kernel::resolved)
      .def("properties", &properties)
      .def("spectral_density", &spectrum)
      .def("numbers", &numbers_inside)
      .def(
          "with_numbers",
          [](const Kernel& kernel, const std::vector<double>& values) {
            return with_parameters(kernel, values);
          },
          "values"_a)
      .def("parts", &Kernel::parts)
      .def("compared", &compared)
      .def("gram", &gram, "rows"_a, "columns"_a = nullptr, "threads"_a = 0)
      .def("diagonal", &diagonal, "points"_a)
      .def("geometry", &geometry, "what"_a, "rows"_a, "columns"_a = nullptr, "threads"_a = 0);
  module.def("check_kernel", &check, "kernel"_a, "points"_a, "target"_a, "sample"_a = 1000, "seed"_a = 1,
             "threads"_a = 0);
  module.def("kernels", &catalogue);
}

}  // namespace mercer::python

// Between Mercer's models and LIBSVM's. Both keep a multi-class machine as one block of support vectors per
// class with classes − 1 coefficients each, and a pair's score is positive for its first class, so nothing is
// computed anew.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/copy_of.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/kernels/precomputed.hpp"
#include "mercer/methods.hpp"
#include "model/consistency.hpp"
#include "model/model_file.hpp"

namespace mercer {

Kernel libsvm_kernel(LibsvmKernel kernel, int degree, double gamma, double coef0) {
  const char sign = coef0 < 0 ? '-' : '+';
  switch (kernel) {
    case LibsvmKernel::linear:
      return Kernel::parse("linear");
    case LibsvmKernel::polynomial:
      if (gamma == 0) return Kernel::parse(fmt::format("{}*constant(c=1)", std::pow(coef0, degree)));
      if (degree == 0)
        return Kernel::parse(fmt::format("polynomial({}*linear {} constant(c={}), coefficients=[1])", gamma,
                                         sign, std::abs(coef0)));
      if (gamma > 0 && coef0 >= 0)
        return Kernel::parse(fmt::format("poly(degree={}, scale={}, offset={})", degree, gamma, coef0));
      return Kernel::parse(
          fmt::format("({}*linear {} constant(c={}))^{}", gamma, sign, std::abs(coef0), degree));
    case LibsvmKernel::rbf:
      return Kernel::parse(gamma == 0 ? "constant(c=1)" : fmt::format("rbf(gamma={})", gamma));
    case LibsvmKernel::sigmoid:
      return Kernel::parse(fmt::format("sigmoid(scale={}, offset={})", gamma, coef0));
    case LibsvmKernel::precomputed:
      break;
  }
  return Kernel::parse("precomputed");
}

namespace {

[[noreturn]] void cannot(const std::string& what) {
  throw Error(ErrorCode::unsupported, fmt::format("a LIBSVM model file cannot hold {}", what),
              {.hint = "save to a .mercer file"});
}

// --- Kernels.
double parameter(const Leaf& leaf, std::string_view name) {
  for (const Leaf::Parameter& parameter : leaf.parameters())
    if (parameter.name == name)
      if (const auto value = parameter.get(leaf)) return std::get<double>(*value);
  return 0;
}

bool is_polynomial_of_dot_products(const Kernel& kernel) {
  if (const Leaf* leaf = kernel.node().leaf()) return leaf->name() == "linear" || leaf->name() == "constant";
  return kernel.node().columns().empty() &&
         std::ranges::all_of(kernel.parts(), is_polynomial_of_dot_products);
}

// (γ·linear ± constant(c=|coef0|))^degree, as libsvm_kernel() makes a polynomial that is not proved or has
// degree 0. The exponent is no continuous number of the expression; at γ·xᵀz + coef0 = 2 the value shows it.
bool set_tilted_polynomial(LibsvmModel& m, const Kernel& kernel) {
  const std::vector<KernelParameter> numbers = numeric_parameters(kernel);
  if (numbers.size() < 2 || !is_polynomial_of_dot_products(kernel)) return false;
  m.kernel = LibsvmKernel::polynomial;
  m.gamma = numbers.front().value;
  for (const double sign : {1.0, -1.0}) {
    m.coef0 = sign * numbers.back().value;
    using Rows = std::vector<std::vector<double>>;
    const Points one(Rows{{1}}), at(Rows{{(2 - m.coef0) / m.gamma}});
    double value = 0;
    KernelOperator<double>(kernel, one, at, {.threads = 1, .note_overflow = true}).matrix({&value, 1});
    const double degree = std::round(std::log2(value));
    if (!(degree >= 0 && degree < 1024)) continue;
    m.degree = std::int32_t(degree);
    if (libsvm_kernel(m.kernel, m.degree, m.gamma, m.coef0) == kernel) return true;
  }
  return false;
}

void set_kernel(LibsvmModel& m, const Kernel& kernel) {
  const Leaf* leaf = kernel.node().leaf();
  const std::string_view name = leaf ? leaf->name() : "";
  if (name == "linear" || name == "precomputed") {
    m.kernel = name == "linear" ? LibsvmKernel::linear : LibsvmKernel::precomputed;
  } else if (name == "rbf") {
    m.kernel = LibsvmKernel::rbf;
    const double sigma = parameter(*leaf, "sigma");
    m.gamma = sigma > 0 ? 0.5 / (sigma * sigma) : parameter(*leaf, "gamma");
  } else if (name == "poly" || name == "sigmoid") {
    m.kernel = name == "poly" ? LibsvmKernel::polynomial : LibsvmKernel::sigmoid;
    m.gamma = parameter(*leaf, "scale");
    m.coef0 = parameter(*leaf, "offset");
    m.degree = std::int32_t(parameter(*leaf, "degree"));
  } else if (!set_tilted_polynomial(m, kernel)) {
    cannot(fmt::format("the kernel {}", kernel.text()));
  }
}

// --- Methods.
constexpr std::string_view methods_of_types[] = {Svm::name, NuSvm::name, OneClass::name, Svr::name,
                                                 NuSvr::name};  // in the order of LibsvmType

LibsvmType type_of(const Model& model) {
  const auto found = std::ranges::find(methods_of_types, model.method->name());
  if (found == std::end(methods_of_types)) cannot(fmt::format("the method {}", model.method->name()));
  return LibsvmType(found - methods_of_types);
}

std::int32_t whole_label(const std::string& label) {
  std::int32_t number = 0;
  const char* begin = label.data() + (label.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, label.data() + label.size(), number);
  if (error != std::errc() || end != label.data() + label.size())
    cannot(fmt::format("the label '{}', which is not a whole number", label));
  return number;
}

Sparse<double> copied(const Sparse<double>& rows) {
  return {rows.rows, rows.cols, copy_of(rows.starts), copy_of(rows.indices), copy_of(rows.values)};
}

Points numbered_points(const std::vector<std::int32_t>& serials) {
  std::vector<std::size_t> ids;
  for (const std::int32_t serial : serials) ids.push_back(std::size_t(serial) - 1);
  const std::size_t columns = ids.empty() ? 0 : std::ranges::max(ids) + 1;
  return known_by_ids(std::move(ids), columns);
}

}  // namespace

LibsvmModel to_libsvm(const Model& model) {
  const Fitted& f = model.fitted;
  if (f.rule == Rule::one_vs_rest) cannot("a one-against-rest machine");
  if (model.map) cannot("a kernel approximation");
  if (model.scaling.kind() != Scaling::Kind::none) cannot("the scaling of the columns");
  LibsvmModel m;
  m.type = type_of(model);
  set_kernel(m, model.kernel());
  const Expansion e = over_support(f);
  m.total_sv = e.points.rows();
  m.rho = f.rho;
  m.prob_a = f.noise_scale ? std::vector{*f.noise_scale} : f.slopes;
  m.prob_b = f.offsets;
  m.prob_density_marks = f.density_marks;
  m.first_index = model.schema.first_index.value_or(1);
  if (m.classifies()) {
    m.nr_class = std::int32_t(model.labels.size());
    for (const std::string& label : model.labels) m.label.push_back(whole_label(label));
    m.nr_sv.assign(e.blocks.begin(), e.blocks.end());
  }
  m.coefs = Buffer<double>(m.total_sv * e.width);
  for (std::size_t s = 0; s < m.total_sv; ++s)
    for (std::size_t c = 0; c < e.width; ++c) m.coefs[c * m.total_sv + s] = e.coefficients[s * e.width + c];
  if (m.kernel == LibsvmKernel::precomputed) {
    for (const std::size_t id : e.points.ids()) m.serials.push_back(std::int32_t(id) + 1);
    return m;
  }
  const Points sparse = e.points.to_sparse().with_precision(Precision::float64);
  m.support = copied(std::get<Sparse<double>>(sparse.storage()));
  return m;
}

Model from_libsvm(const std::string& path, const LibsvmModel& m) {
  if (m.classifies() && m.nr_class < 2)
    throw Error(ErrorCode::invalid_file, path + ": the model has one class only; it predicts nothing");
  Fitted fitted{.expansion = {.kernel = libsvm_kernel(m.kernel, m.degree, m.gamma, m.coef0)}};
  Expansion& e = fitted.expansion;
  e.points = m.kernel == LibsvmKernel::precomputed ? numbered_points(m.serials) : Points(copied(m.support));
  e.width = m.classifies() ? std::size_t(m.nr_class - 1) : 1;
  e.blocks = m.classifies() ? std::vector<std::size_t>(m.nr_sv.begin(), m.nr_sv.end())
                            : std::vector<std::size_t>{m.total_sv};
  e.coefficients.resize(m.total_sv * e.width);
  for (std::size_t s = 0; s < m.total_sv; ++s)
    for (std::size_t c = 0; c < e.width; ++c) e.coefficients[s * e.width + c] = m.coefs[c * m.total_sv + s];
  fitted.rule = m.classifies()                    ? Rule::one_vs_one
                : m.type == LibsvmType::one_class ? Rule::novelty
                                                  : Rule::value;
  fitted.rho = m.rho;
  if (m.classifies())
    fitted.slopes = m.prob_a, fitted.offsets = m.prob_b;
  else if (m.type == LibsvmType::one_class)
    fitted.density_marks = m.prob_density_marks;
  else if (!m.prob_a.empty())
    fitted.noise_scale = m.prob_a[0];
  fitted.report.support_vectors = m.total_sv;
  fitted.report.warnings = {"read from a LIBSVM model, which does not say how the fit went"};
  Model model{.method = method_named(methods_of_types[std::size_t(m.type)]), .fitted = std::move(fitted)};
  for (const std::int32_t label : m.label) model.labels.push_back(std::to_string(label));
  model.columns = model.fitted.expansion.points.cols();
  model.schema.first_index = m.kernel == LibsvmKernel::precomputed ? 0 : m.first_index;
  check_consistency(model, [&](std::string_view field, const std::string& what) {
    throw Error(ErrorCode::invalid_file, fmt::format("field '{}': {}", field, what), {.file = path});
  });
  return model;
}

}  // namespace mercer

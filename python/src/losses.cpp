// Losses and regularisers that are Python functions. They are called with all rows at once, with Python's
// lock taken for the call alone.
#include "conversions.hpp"
#include "mercer/error.hpp"
#include "mercer/loss.hpp"
#include "mercer/methods/rerm.hpp"

namespace mercer::python {

namespace {

py::array_t<double> copied(std::span<const double> numbers) {
  return py::array_t<double>(numbers.size(), numbers.data());
}

OwnLoss::OfMany function_of_many(const std::string& loss, const std::string& part,
                                 const py::object& function) {
  if (function.is_none()) return {};
  return [what = "the " + part + " of the loss '" + loss + "'", function = std::make_shared<Kept>(function)](
             std::span<const double> y, std::span<const double> f, std::span<double> out) {
    const py::gil_scoped_acquire python;
    const auto array = py::array::ensure(function->object()(copied(y), copied(f)));
    if (!array) PyErr_Clear();
    if (!array || array.ndim() != 1 || std::size_t(array.shape(0)) != y.size() ||
        std::string_view("fiub").find(array.dtype().kind()) == std::string_view::npos)
      throw Error(ErrorCode::invalid_argument,
                  what + " must return an array of " + std::to_string(y.size()) + " real numbers",
                  {.hint = "one for each y and f"});
    const auto numbers = array.cast<AnyArray<double>>();
    std::copy_n(numbers.data(), out.size(), out.data());
  };
}

AnyLoss own_loss(const std::string& name, const std::string& target, const py::object& value,
                 const py::object& derivative, const py::object& second, const py::object& conjugate) {
  for (const LossTarget one : {LossTarget::real, LossTarget::counts, LossTarget::signs})
    if (target_name(one) == target)
      return make_loss({.name = name,
                        .target = one,
                        .value = function_of_many(name, "value", value),
                        .derivative = function_of_many(name, "derivative", derivative),
                        .second = function_of_many(name, "second derivative", second),
                        .conjugate = function_of_many(name, "conjugate", conjugate)});
  throw Error::of_parameter("", "target", "must be 'real', 'counts' or 'signs'", target);
}

Regularizer own_omega(const py::object& value, const py::object& derivative) {
  const auto of_number = [](const py::object& function) {
    return [function = std::make_shared<Kept>(function)](double t) {
      const py::gil_scoped_acquire python;
      return function->object()(t).cast<double>();
    };
  };
  return {of_number(value), of_number(derivative)};
}

}  // namespace

AnyMethod risk_with(const py::dict& parameters) {
  Rerm method;
  if (parameters.contains("loss") && py::isinstance<AnyLoss>(parameters["loss"])) {
    method.own_loss = parameters["loss"].cast<AnyLoss>();
    method.loss = "user:" + std::string((*method.own_loss)->name());
  }
  if (parameters.contains("omega") && py::isinstance<Regularizer>(parameters["omega"])) {
    method.own_omega = parameters["omega"].cast<Regularizer>();
    method.omega = Rerm::Omega::user;
  }
  return method;
}

void add_losses(py::module_& module) {
  py::class_<AnyLoss>(module, "OwnLoss", "A loss that is made of Python functions.")
      .def(py::init(&own_loss), "name"_a, "target"_a, "value"_a, "derivative"_a, "second"_a = py::none(),
           "conjugate"_a = py::none());
  py::class_<Regularizer>(module, "OwnOmega", "Ω that is made of Python functions.")
      .def(py::init(&own_omega), "value"_a, "derivative"_a);
}

}  // namespace mercer::python

#include "options.hpp"

#include <pybind11/stl.h>

#include <map>
#include <tuple>

namespace mercer::python {

namespace py = pybind11;

FitOptions fit_options(const py::dict& values) {
  FitOptions o;
  const std::map<std::string, std::function<void(const py::handle&)>> setters{
      {"tolerance", [&](const py::handle& v) { o.tolerance = v.cast<double>(); }},
      {"threads", [&](const py::handle& v) { o.threads = v.cast<int>(); }},
      {"memory", [&](const py::handle& v) { o.memory = v.cast<std::size_t>(); }},
      {"seconds", [&](const py::handle& v) { o.seconds = v.cast<double>(); }},
      {"shrinking", [&](const py::handle& v) { o.shrinking = v.cast<bool>(); }},
      {"most_steps", [&](const py::handle& v) { o.most_steps = v.cast<std::size_t>(); }},
      {"solver", [&](const py::handle& v) { o.solver = v.cast<std::string>(); }},
      {"approx", [&](const py::handle& v) { o.approx = v.cast<std::string>(); }},
      {"seed", [&](const py::handle& v) { o.seed = v.cast<std::uint64_t>(); }},
      {"class_weights",
       [&](const py::handle& v) { o.class_weights = v.cast<std::vector<std::pair<std::string, double>>>(); }},
      {"balanced", [&](const py::handle& v) { o.balanced = v.cast<bool>(); }},
      {"bounds",
       [&](const py::handle& v) {
         for (const auto& [name, low, high] : v.cast<std::vector<std::tuple<std::string, double, double>>>())
           o.bounds.push_back({name, low, high});
       }},
      {"allow_indefinite", [&](const py::handle& v) { o.allow_indefinite = v.cast<bool>(); }},
      {"probabilities", [&](const py::handle& v) { o.probabilities = v.cast<bool>(); }}};
  for (const auto& [key, value] : values) {
    const auto found = setters.find(key.cast<std::string>());
    if (found == setters.end()) throw py::key_error(key.cast<std::string>());
    found->second(value);
  }
  return o;
}

AnyMethod method_with(const std::string& name, const py::dict& parameters) {
  AnyMethod method = method_named(name);
  for (const auto& [key, value] : parameters) {
    const std::string parameter = key.cast<std::string>();
    if (value.is_none())
      method->set(parameter, Word{std::string(not_given)});
    else if (py::isinstance<py::str>(value))
      method->set(parameter, Word{value.cast<std::string>()});
    else
      method->set(parameter, value.cast<double>());
  }
  return method;
}

}  // namespace mercer::python

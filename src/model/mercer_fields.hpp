// The JSON of a .mercer file. Each struct names its fields once, in walk(): FieldWriter makes JSON of them,
// in this order, and Fields reads them back. `later`: files of older versions do not have it; `given`: it is
// not written where it is empty.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>

#include "mercer/model.hpp"
#include "model/point_tensors.hpp"

namespace mercer {

using Json = nlohmann::ordered_json;

inline constexpr std::string_view date_names[] = {"none", "year_first", "day_first", "month_first"};

template <class T, class Wanted>
concept Is = std::same_as<std::remove_const_t<T>, Wanted>;

void walk(Is<Diagnostic> auto& d, auto& to) {
  to("id", d.id);
  to("label", d.label);
  to("values", d.values);
  to("unit", d.unit);
  to("names", d.names);
  to("list", d.list);
}

void walk(Is<FitReport> auto& r, auto& to) {
  to("converged", r.converged);
  to("cut_short", r.cut_short);
  to("objective", r.objective);
  to.later("certificate", r.certificate);
  to("violation", r.violation);
  to.later("tolerance", r.tolerance);
  to("gap", r.gap);
  to("iterations", r.iterations);
  to("kernel_evaluations", r.kernel_evaluations);
  to("support_vectors", r.support_vectors);
  to("bounded_support_vectors", r.bounded_support_vectors);
  to("seconds", r.seconds);
  to.later("solver", r.solver);
  to.later("diagnostics", r.diagnostics);
  to("warnings", r.warnings);
  to.given("norm", r.norm);
  to.given("loss", r.loss);
  to.given("degrees_of_freedom", r.degrees_of_freedom);
}

void walk(Is<Schema::Column> auto& column, auto& to) {
  to("name", column.name);
  to("categories", column.categories);
  to("mean", column.mean);
  to.given("dates", column.dates);
  to.given("objects", column.objects);
}

void walk(Is<Schema> auto& schema, auto& to) {
  to("columns", schema.columns);
  to("target", schema.target);
  to("weights", schema.weights);
  to.given("left_out", schema.left_out);
  to.given("bag", schema.bag);
  to.given("first_index", schema.first_index);
}

void walk(Is<ObjectColumn> auto& column, auto& to) {
  to("name", column.name);
  to("domain", column.domain);
}

struct FieldWriter {
  Json json = Json::object();

  void operator()(const char* name, const auto& value) { json[name] = made_of(value); }
  void later(const char* name, const auto& value) { (*this)(name, value); }
  template <class T>
  void given(const char* name, const T& value) {
    if (value != T{}) (*this)(name, value);
  }

  // JSON has no infinity.
  static Json made_of(double value) {
    return std::isfinite(value) ? Json(value) : Json(value > 0 ? "inf" : "-inf");
  }
  static Json made_of(Domain value) { return name_of(value); }
  static Json made_of(Schema::Dates value) { return date_names[int(value)]; }
  static Json made_of(CertificateKind value) { return name_of(value); }
  static Json made_of(const std::vector<Note>& notes) { return said(notes); }
  template <class T>
  static Json made_of(const std::optional<T>& value) {
    return made_of(*value);
  }
  template <class T>
  static Json made_of(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(made_of(value));
    return list;
  }
  template <class T>
  static Json made_of(const T& value) {
    if constexpr (requires(FieldWriter to) { walk(value, to); }) {
      FieldWriter to;
      walk(value, to);
      return std::move(to.json);
    } else {
      return value;
    }
  }
};

/// Every field is looked up by name, so that a refusal can name it.
class Fields {
 public:
  Fields(const Safetensors& file, const Json& json, std::string path)
      : file_(file), json_(json), path_(std::move(path)) {}

  void operator()(const char* name, auto& value) const { read(name, value); }
  void later(const char* name, auto& value) const {
    if (has(name)) read(name, value);
  }
  void given(const char* name, auto& value) const { later(name, value); }

  /// A struct whose fields these are.
  template <class T>
  T as() const {
    T made;
    walk(made, *this);
    return made;
  }
  template <class T>
  T get(const char* name) const {
    const Json& value = at(name);
    try {
      if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
        if (!value.is_number_unsigned()) refuse(name, "is not a whole number ≥ 0");
      return value.get<T>();
    } catch (const Json::exception&) {
      refuse(name, "has the wrong type");
    }
  }
  double real(const char* name) const { return real(name, at(name)); }
  bool has(const char* name) const { return json_.is_object() && json_.contains(name); }
  const Json& at(const char* name) const {
    if (!has(name)) refuse(name, "is missing");
    return json_.at(name);
  }
  Fields inside(const char* name) const { return {file_, at(name), full(name)}; }
  /// The objects of a list.
  std::vector<Fields> each(const char* name) const {
    std::vector<Fields> all;
    for (const Json& one : list(name)) all.push_back({file_, one, full(name) + "[]"});
    return all;
  }
  template <std::size_t N>
  int choice(const char* name, const std::string_view (&names)[N]) const {
    const std::string text = get<std::string>(name);
    for (std::size_t i = 0; i < N; ++i)
      if (names[i] == text) return int(i);
    refuse(name, fmt::format("is '{}', which this version does not know", text));
  }
  [[noreturn]] void refuse(const char* name, const std::string& what) const {
    file_.refuse(full(name), what);
  }

 private:
  std::string full(const char* name) const { return path_ + "." + name; }
  const Json& list(const char* name) const {
    if (!at(name).is_array()) refuse(name, "is not a list");
    return at(name);
  }
  double real(const char* name, const Json& value) const {
    if (value.is_number()) return value.get<double>();
    if (value == "inf") return std::numeric_limits<double>::infinity();
    if (value == "-inf") return -std::numeric_limits<double>::infinity();
    refuse(name, "is not a number");
  }

  void read(const char* name, double& value) const { value = real(name); }
  void read(const char* name, Domain& value) const { value = domain_named(get<std::string>(name)); }
  void read(const char* name, Schema::Dates& value) const { value = Schema::Dates(choice(name, date_names)); }
  /// Files of version 0.7 and before have the label.
  void read(const char* name, CertificateKind& value) const {
    const auto text = get<std::string>(name);
    for (int kind = 0; kind <= int(CertificateKind::objective_change); ++kind)
      if (value = CertificateKind(kind); name_of(value) == text || label_of(value) == text) return;
    refuse(name, fmt::format("is '{}', which no fit has", text));
  }
  void read(const char* name, std::vector<Note>& notes) const {
    for (std::string& text : get<std::vector<std::string>>(name)) notes.push_back(std::move(text));
  }
  void read(const char* name, std::vector<double>& values) const {
    for (const Json& value : list(name)) values.push_back(real(name, value));
  }
  template <class T>
  void read(const char* name, std::optional<T>& value) const {
    read(name, value.emplace());
  }
  template <class T>
  void read(const char* name, T& value) const {
    if constexpr (requires(typename T::value_type one) { walk(one, *this); })
      for (const Fields& one : each(name)) value.push_back(one.as<typename T::value_type>());
    else
      value = get<T>(name);
  }

  const Safetensors& file_;
  const Json& json_;
  std::string path_;
};

}  // namespace mercer

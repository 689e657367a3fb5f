// What the tests of models share: models of every method and storage, comparison bit for bit, and model files
// with one field changed.
#pragma once

#include <map>
#include <nlohmann/json.hpp>

#include "data/scratch.hpp"
#include "methods/problems.hpp"
#include "model/model_file.hpp"
#include "model/safetensors.hpp"
#include "random_points.hpp"

namespace mercer::testing {

inline Points stored_as(const Points& points, Kind kind) {
  const Points kept =
      kind == Kind::sparse64 || kind == Kind::sparse32 ? points.to_sparse() : points.to_dense();
  return kept.with_precision(kind == Kind::dense32 || kind == Kind::sparse32 ? Precision::float32
                                                                             : Precision::float64);
}

/// The method, fitted to data with a few zeros.
inline Model example_model(const AnyMethod& method, Kind kind = Kind::dense64, const std::string& kernel = "",
                           Scaling::Kind scaling = Scaling::Kind::none) {
  Dataset data = data_for(*method, 40);
  data.points = as_points(random_rows(40, 4, 11), kind);
  const char* usual = method->traits().needs_columns ? "linear" : "rbf(gamma=0.3)";
  return fit(method, Kernel::parse(kernel.empty() ? usual : kernel), data, {}, scaling);
}

inline Points example_rows(Kind kind = Kind::dense64) { return as_points(random_rows(15, 4, 21), kind); }

inline std::string written(const Method& method, std::string_view parameter) {
  const Argument value = method.get(parameter);
  const double* number = std::get_if<double>(&value);
  return number ? nlohmann::json(*number).dump() : std::get<Word>(value).text;
}

inline void expect_same_model(const Model& a, const Model& b, const Points& rows) {
  const Predictions p = a.predict(rows), q = b.predict(rows);
  EXPECT_EQ(p.scores, q.scores);
  EXPECT_EQ(p.codes, q.codes);
  EXPECT_EQ(p.values, q.values);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.kernel().text(), b.kernel().text());
  EXPECT_EQ(a.method->name(), b.method->name());
  for (const MethodParameter& parameter : a.method->parameters())
    EXPECT_EQ(written(*a.method, parameter.name), written(*b.method, parameter.name)) << parameter.name;
  EXPECT_TRUE(same_points(a.fitted.expansion.points, b.fitted.expansion.points));
  EXPECT_EQ(a.fitted.expansion.points.names(), b.fitted.expansion.points.names());
  EXPECT_EQ(a.fitted.expansion.coefficients, b.fitted.expansion.coefficients);
  EXPECT_EQ(a.fitted.expansion.blocks, b.fitted.expansion.blocks);
  EXPECT_EQ(a.fitted.rho, b.fitted.rho);
  EXPECT_EQ(a.fitted.rule, b.fitted.rule);
}

/// A model file taken apart, to be changed and written again.
class Parts {
 public:
  using Json = nlohmann::ordered_json;
  explicit Parts(const std::string& path) : file_(path), json(Json::parse(file_.metadata().at("mercer"))) {
    for (const char* name :
         {"coefficients", "levels", "blocks", "points", "points.starts", "points.indices", "points.values",
          "scaling.shift", "scaling.scale", "slopes", "offsets", "noise_scale", "density_marks"})
      if (file_.has(name)) tensors[name] = file_.tensor(name);
  }
  void write(const std::string& path) const {
    std::vector<TensorView> list;
    for (const auto& [name, tensor] : tensors) list.push_back(tensor);
    write_safetensors(path, {{"mercer", json.dump()}}, list);
  }
  /// Numbers of our own in place of a tensor's.
  template <class T>
  void put(const std::string& name, std::vector<std::size_t> shape, const std::vector<T>& values) {
    tensors[name] = {name, dtype_of<T>, std::move(shape), values.data()};
  }

 private:
  Safetensors file_;

 public:
  Json json;
  std::map<std::string, TensorView> tensors;
};

}  // namespace mercer::testing

// Model files that somebody else wrote: a file taken apart into its description and tensors, changed in one
// or more places, and put together again. The container stays sound, so that what is tested is the model
// inside.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "model/model_file.hpp"
#include "model/safetensors.hpp"

namespace mercer::testing {

struct ForeignFile {
  using Json = nlohmann::ordered_json;
  struct Tensor {
    Dtype dtype;
    std::vector<std::size_t> shape;
    std::string bytes;
  };
  Json json;
  std::map<std::string, Tensor> tensors;

  explicit ForeignFile(const Model& model) {
    const std::string whole = model.bytes();
    const SafetensorsHeader header = parse_safetensors_header("model", whole);
    json = Json::parse(header.metadata.at("mercer"));
    for (const TensorView& t : header.tensors) {
      const char* data = static_cast<const char*>(t.data);
      tensors[t.name] = {t.dtype, t.shape, std::string(data, data + t.count() * dtype_info(t.dtype).bytes)};
    }
  }
  std::string bytes() const {
    std::vector<TensorView> views;
    for (const auto& [name, t] : tensors) views.push_back({name, t.dtype, t.shape, t.bytes.data()});
    std::string all;
    const Sink append = [&](std::string_view piece) { all += piece; };
    write_safetensors(append, "model", {{"mercer", json.dump()}}, views);
    return all;
  }
  /// Another shape, with the numbers repeated or cut to fill it.
  void reshape(const std::string& name, std::vector<std::size_t> shape) {
    Tensor& t = tensors.at(name);
    std::size_t count = dtype_info(t.dtype).bytes;
    for (const std::size_t extent : shape) count *= extent;
    const std::string old = t.bytes.empty() ? std::string(8, '\0') : t.bytes;
    t.bytes.resize(count);
    for (std::size_t b = 0; b < count; ++b) t.bytes[b] = old[b % old.size()];
    t.shape = std::move(shape);
  }
  template <class T>
  void set(const std::string& name, std::size_t element, T value) {
    std::memcpy(tensors.at(name).bytes.data() + element * sizeof(T), &value, sizeof(T));
  }
};

/// One way to change a file; changes of other places can follow it, so each leaves alone what is no longer
/// there.
struct Change {
  std::string what;
  std::function<void(ForeignFile&)> apply;
};

namespace detail {

using Json = ForeignFile::Json;
using Pointer = nlohmann::json_pointer<std::string>;

inline std::vector<Json> other_values(const Json& now, const std::string& field) {
  std::vector<Json> others;
  if (now.is_number_unsigned()) {
    const auto v = now.get<std::uint64_t>();
    for (const std::uint64_t other :
         {std::uint64_t(0), std::uint64_t(1), v + 1, v - 1, 2 * v, std::uint64_t(1) << 40})
      others.emplace_back(other);
  } else if (now.is_number()) {
    for (const double other : {0.0, 1.0, -1.0, 3.0, 1e300}) others.emplace_back(other);
  } else if (now.is_array()) {
    others.push_back(Json::array());
    if (!now.empty()) {
      Json more = now, fewer = now;
      more.push_back(now.back());
      fewer.erase(fewer.size() - 1);
      others.push_back(more);
      others.push_back(fewer);
    }
  } else if (field == "rule") {
    for (const char* rule :
         {"value", "novelty", "one_vs_one", "one_vs_rest", "softmax", "shares", "rate", "projection"})
      others.emplace_back(rule);
  } else if (field == "method") {
    for (const char* method :
         {"svm", "pca", "knn", "nadaraya_watson", "lwlr", "gp", "kmeans", "mean_distance", "mmd"})
      others.emplace_back(method);
  } else if (field == "scaling") {
    for (const char* scaling : {"none", "standard", "minmax"}) others.emplace_back(scaling);
  } else if (field == "domain" || field == "objects") {
    for (const char* domain : {"text", "sequence", "symbols", "molecule", "vectors", "graph", "image"})
      others.emplace_back(domain);
  } else if (field == "kernel") {
    for (const char* kernel :
         {"linear", "rbf(gamma=1)", "precomputed", "linear@3", "scaled(rbf(gamma=1), by=[1,2,3])",
          "rbf(gamma=1)@[1,2]", "spectrum(k=2)", "wl(iterations=1)", "set(rbf(gamma=1))",
          "quadratic_form(A=[1,0;0,1])", "center(rbf(gamma=1))", "histogram(levels=2)"})
      others.emplace_back(kernel);
  } else if (field == "text") {
    for (const char* map : {"explicit", "nystrom:3", "fourier:6", "sketch:8"}) others.emplace_back(map);
  }
  return others;
}

inline void each_place(const Json& json, const std::string& path, const std::string& field,
                       std::vector<Change>& all) {
  if (path.starts_with("/report")) return;
  for (const Json& other : other_values(json, field))
    all.push_back({path + " = " + other.dump(), [path, other](ForeignFile& file) {
                     if (file.json.contains(Pointer(path))) file.json[Pointer(path)] = other;
                   }});
  if (json.is_object())
    for (const auto& [name, value] : json.items()) each_place(value, path + "/" + name, name, all);
  if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i)
      each_place(json[i], path + "/" + std::to_string(i), field, all);
}

/// What the description says of a tensor's shape, brought in line with it.
inline void follow(ForeignFile& file, const std::string& name) {
  const std::vector<std::size_t>& shape = file.tensors.at(name).shape;
  if (name == "coefficients" && shape.size() == 2) file.json["width"] = shape[1];
  if (name == "points" && shape.size() == 2)
    file.json["columns"] = shape[1], file.json["names"] = Json::array();
  if (name == "levels" && shape.size() == 1) {
    Json& labels = file.json["labels"];
    while (!labels.empty() && labels.size() > shape[0]) labels.erase(labels.size() - 1);
    while (!labels.empty() && labels.size() < shape[0])
      labels.push_back("more " + std::to_string(labels.size()));
  }
}

/// Sets whose members have other columns than they had, and are right in themselves.
inline void widen_members(const std::string& sets, std::vector<Change>& all) {
  for (const std::int64_t columns : {1, 2, 4, 7})
    all.push_back({sets + " with members of " + std::to_string(columns), [sets, columns](ForeignFile& f) {
                     if (!f.tensors.contains(sets + ".values") || !f.tensors.contains(sets + ".columns"))
                       return;
                     std::int64_t now = 0;
                     std::memcpy(&now, f.tensors.at(sets + ".columns").bytes.data(), sizeof now);
                     if (now <= 0) return;
                     f.set(sets + ".columns", 0, columns);
                     f.reshape(sets + ".values", {f.tensors.at(sets + ".values").bytes.size() / 8 /
                                                  std::size_t(now) * std::size_t(columns)});
                   }});
}

inline void tensor_changes(const ForeignFile& file, std::vector<Change>& all) {
  for (const auto& [name, tensor] : file.tensors) {
    all.push_back({"no " + name, [name = name](ForeignFile& f) { f.tensors.erase(name); }});
    if (name.ends_with(".columns")) widen_members(name.substr(0, name.size() - 8), all);
    std::vector<std::vector<std::size_t>> shapes{{}};
    for (std::size_t d = 0; d < tensor.shape.size(); ++d)
      for (const std::size_t extent : {std::size_t(0), tensor.shape[d] - (tensor.shape[d] > 0),
                                       tensor.shape[d] + 1, 2 * tensor.shape[d]}) {
        shapes.push_back(tensor.shape);
        shapes.back()[d] = extent;
      }
    if (tensor.shape.size() == 2) {
      shapes.push_back({tensor.shape[1], tensor.shape[0]});
      shapes.push_back({tensor.shape[0] * tensor.shape[1]});
    }
    for (const auto& shape : shapes)
      for (const bool followed : {false, true})
        all.push_back(
            {name + " reshaped to " + Json(shape).dump(), [name = name, shape, followed](ForeignFile& f) {
               if (!f.tensors.contains(name)) return;
               f.reshape(name, shape);
               if (followed) follow(f, name);
             }});
    if (tensor.dtype != Dtype::i64 && tensor.dtype != Dtype::i32) continue;
    const std::size_t size = dtype_info(tensor.dtype).bytes, count = tensor.bytes.size() / size;
    for (const std::size_t place : {std::size_t(0), count / 2, count - 1})
      for (const std::int64_t value : {std::int64_t(-1), std::int64_t(0), std::int64_t(1), std::int64_t(3),
                                       std::int64_t(1) << 30, INT64_MAX})
        all.push_back({name + "[" + std::to_string(place) + "] = " + std::to_string(value),
                       [name = name, place, size, value](ForeignFile& f) {
                         if (!f.tensors.contains(name) ||
                             (place + 1) * size > f.tensors.at(name).bytes.size())
                           return;
                         if (size == 8)
                           f.set(name, place, value);
                         else
                           f.set(name, place, std::int32_t(value));
                       }});
  }
}

}  // namespace detail

/// Every count, shape, index and word of the file, each changed in several ways.
inline std::vector<Change> changes_of(const ForeignFile& file) {
  std::vector<Change> all;
  detail::each_place(file.json, "", "", all);
  detail::tensor_changes(file, all);
  return all;
}

}  // namespace mercer::testing

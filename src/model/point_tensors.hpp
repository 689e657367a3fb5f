// Points in a .mercer file: the tensor `points` (dense), or `points.starts`, `points.indices` and
// `points.values` (sparse rows); `points.ids` of rows of a kernel matrix; and `points.objects.0.starts`, …
// for each column of objects, whose names and domains stand in the JSON.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "mercer/points.hpp"
#include "model/safetensors.hpp"

namespace mercer {

struct ObjectColumn {
  std::string name;
  Domain domain = Domain::text;
};

/// Adds the tensors of the points; what they refer to that is not the points' own is put into `kept`.
void add_points(std::vector<TensorView>& tensors, const std::string& name, const Points& points,
                std::deque<std::vector<std::int64_t>>& kept);
/// Error{data} naming the tensor that is wrong.
Points read_points(const Safetensors& file, const std::string& name, std::size_t rows, std::size_t cols,
                   std::vector<std::string> names, const std::vector<ObjectColumn>& objects);

template <class T>
TensorView view(std::string name, std::vector<std::size_t> shape, const T* data) {
  return {std::move(name), dtype_of<T>, std::move(shape), data};
}

}  // namespace mercer

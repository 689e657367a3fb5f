// Columns of objects in a .mercer file: tensors `points.objects.0.starts`, … for each column, and its name
// and domain in the JSON.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "mercer/points.hpp"
#include "model/safetensors.hpp"

namespace mercer {

struct ObjectColumn {
  std::string name;
  Domain domain;
};

/// Adds the tensors of all columns; what they point to that is not the points' own is put into `kept`.
void add_objects(std::vector<TensorView>& tensors, const std::string& points_name,
                 const std::vector<Objects>& columns, std::deque<std::vector<std::int64_t>>& kept);
/// Error{data} naming the tensor that is wrong.
std::vector<Objects> read_objects(const Safetensors& file, const std::string& points_name,
                                  const std::vector<ObjectColumn>& columns, std::size_t rows);

}  // namespace mercer

// Where the support vectors of a model lie, in the units of the data.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mercer/model.hpp"

namespace mercer {

/// Whether the method is a support vector machine, so that some of the rows it learned from do not matter to
/// it.
bool has_support_vectors(const Model& model);

/// The support vectors' values in these columns, support vectors × columns, row-major. None where the model
/// does not keep them: a linear one, which is a vector of weights, or one of a kernel approximation.
std::optional<std::vector<double>> support_places(const Model& model, std::span<const std::size_t> columns);

/// The support vectors themselves, in the units of the data; none as above.
std::optional<Points> support_rows(const Model& model);

}  // namespace mercer

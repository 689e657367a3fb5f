// A classifier seen in the space of its kernel.
#pragma once

#include "mercer/model_pictures.hpp"

namespace mercer {

/// regions_picture() over components.
std::string component_regions(const Model& model, const Dataset& data, const RegionsOptions& options);

}  // namespace mercer

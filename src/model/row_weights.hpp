// How much each row counts in a fit: the data's weights times those of the classes.
#pragma once

#include "mercer/fit.hpp"

namespace mercer {

/// One per row, or none where all count the same. Throws Error{data} for a weight that is none, Error{usage}
/// for class weights that have no meaning here.
std::vector<double> row_weights(const Dataset& data, const FitOptions& options);

}  // namespace mercer

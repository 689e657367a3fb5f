// Online learning, continued: a model that learns on from more rows (MethodTraits::online).
#pragma once

#include "mercer/model.hpp"

namespace mercer {

/// The model after these rows too. Its kernel, scaling, kernel approximation, columns and classes stay as
/// they were: throws Error{usage} where others are asked for, Error{data} where the rows have other columns
/// or a class that the model does not know. Budget and epochs may be others.
Model learn_on(const Model& earlier, const AnyMethod& method, const Kernel& kernel, const Dataset& data,
               const FitOptions& options, Scaling::Kind scaling);

}  // namespace mercer

// Predictions of rows by models that have not seen them.
#pragma once

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

/// `fold`: of each row. Each fold is predicted by a fit on the others; codes are indices into the data's
/// labels. A class whose rows are all in one fold is not predicted there; that fold's rows have scores of 0.
/// `fitted`, where given, sees the model of each fold.
Predictions cross_validate(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                           const std::vector<std::size_t>& fold, const FitOptions& options = {},
                           Scaling::Kind scaling = Scaling::Kind::none,
                           const std::function<void(const Model&)>& fitted = {});

}  // namespace mercer

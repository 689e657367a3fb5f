// Pictures of losses, of data seen by a kernel and of how good a model is: each function gives SVG text (mercer/picture.hpp).
#pragma once

#include <string>
#include <vector>

#include "mercer/loss.hpp"

namespace mercer {

/// Losses as functions: of the margin y·f those of signs (and of two classes), of the residual y − f those of numbers, of the
/// answer f those of counts, each kind in a panel of its own. Throws Error{usage} where there are none.
std::string loss_picture(const std::vector<AnyLoss>& losses);

}  // namespace mercer

// The error of rows left out along a path of penalties: too small a penalty learns the noise, too large a one
// learns nothing.
#include <fmt/format.h>

#include <algorithm>

#include "mercer/error.hpp"
#include "mercer/pictures.hpp"
#include "plot/chart.hpp"
#include "plot/svg.hpp"

namespace mercer {

std::string lambda_path_picture(const LambdaPath& path, const std::string& title) {
  if (path.lambda.empty() || path.best >= path.lambda.size())
    throw Error(ErrorCode::unsupported, "the path has no values of lambda to draw");
  std::vector<double> both = path.leave_one_out;
  both.insert(both.end(), path.generalised.begin(), path.generalised.end());
  const auto [smallest, largest] = std::ranges::minmax(both);
  const bool wide = smallest > 0 && largest > 8 * smallest;  // a tiny penalty would hide the valley
  const Axis lambda = axis_over("penalty λ", path.lambda, 0.02, true);
  Chart errors(title, lambda, axis_over("leave-one-out RMSE", both, 0.06, wide), 480, 400);
  errors.line(path.lambda, path.generalised,
              {.colour = 2, .label = "generalised cross-validation", .width = 1.5, .dashed = true});
  errors.line(path.lambda, path.leave_one_out, {.colour = 0, .label = "leave-one-out", .width = 2});
  const double at[] = {path.lambda[path.best]}, error[] = {path.leave_one_out[path.best]};
  errors.points(at, error, {.colour = 1, .label = "best", .marker = Marker::ring, .size = 6});
  errors.note(fmt::format("best: λ = {}, RMSE {}", label_text(at[0]), label_text(error[0])));
  Chart degrees("Degrees of freedom", lambda, axis_over("degrees of freedom", path.degrees_of_freedom), 480,
                400);
  degrees.line(path.lambda, path.degrees_of_freedom, {.colour = 0, .width = 2});
  const double freedom[] = {path.degrees_of_freedom[path.best]};
  degrees.points(at, freedom, {.colour = 1, .marker = Marker::ring, .size = 6});
  degrees.note(fmt::format("at the best λ: {}", label_text(freedom[0])));
  const std::vector<Chart> panels{std::move(errors), std::move(degrees)};
  return Chart::side_by_side(panels);
}

}  // namespace mercer

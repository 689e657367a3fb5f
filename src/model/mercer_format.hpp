// A .mercer file: tensors `points` (dense) or `points.starts`, `points.indices`, `points.values` (sparse
// rows), `coefficients`, `levels`, `blocks` and, where columns are scaled, `scaling.shift` and
// `scaling.scale`; of a calibrated model `slopes` and `offsets`, `noise_scale` or `density_marks`;
// `precision` of a Gaussian process, `state` of methods that need more to predict; `points.objects.0.…` of
// columns of objects (object_tensors.hpp); `points.ids` of rows of a kernel matrix; `map.points` (landmarks)
// and `map.matrix` of Nyström features; and one text `mercer` of JSON with everything else.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace mercer {

using Json = nlohmann::ordered_json;

inline constexpr std::string_view format_name = "mercer";
inline constexpr int format_version = 1;
inline constexpr std::string_view rule_names[] = {"value",   "novelty", "one_vs_one", "one_vs_rest",
                                                  "softmax", "shares",  "rate",       "projection"};
inline constexpr std::string_view scaling_names[] = {"none", "standard", "minmax"};
inline constexpr std::string_view date_names[] = {"none", "year_first", "day_first", "month_first"};

}  // namespace mercer

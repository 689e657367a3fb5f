// What kind of learning something is: of a target, a method, a metric, a loss.
#pragma once

#include <string_view>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

enum class Task {
  none,            ///< of a target: there is none
  classification,  ///< the target is a class
  regression,      ///< the target is one number, or several
  either,          ///< of a method: classification or regression, whichever the target is
  novelty,         ///< the rest has no target: whether a row is like those seen,
  clustering,      ///< groups of rows,
  projection,      ///< coordinates of rows
};
constexpr std::string_view name_of(Task task) noexcept {
  constexpr std::string_view names[] = {"none",    "classification", "regression", "either",
                                        "novelty", "clustering",     "projection"};
  return names[int(task)];
}
/// Whether it is learned from a target.
constexpr bool supervised(Task task) noexcept {
  return task == Task::classification || task == Task::regression || task == Task::either;
}

}  // namespace mercer

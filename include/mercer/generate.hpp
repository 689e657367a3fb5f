// Toy data: the lectures' experiments and the usual shapes, the same on every machine for a given seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mercer/dataset.hpp"

namespace MERCER_EXPORT mercer {

struct GenerateOptions {
  std::size_t n = 200;
  std::optional<double> noise = std::nullopt;  ///< a standard deviation; none: the generator's default
  std::size_t dim = 0;      ///< columns, where the generator leaves them free; 0: its default
  std::size_t classes = 0;  ///< classes, where the generator leaves them free; 0: its default
  std::uint64_t seed = 1;
};

struct Generator {
  std::string_view name, summary;
  Task task;
  double default_noise;
  std::size_t default_dim;
  std::size_t least_dim;  ///< the smallest `dim` that may be asked for; 0: the dimension is fixed
  std::size_t default_classes;
  bool free_classes;                   ///< whether `classes` may be asked for
  std::optional<Domain> objects = {};  ///< what it draws; none: rows of numbers
};

/// Every generator, in the order in which help lists them.
std::span<const Generator> generators();

/// n rows of dense float64 points with columns x1, x2, …, or of one column of objects, and the target y. Row
/// i is of class i mod classes, so classes are balanced, and does not depend on n. An option that the
/// generator has no use for is refused with Error{usage}, as are an unknown name and impossible sizes.
Dataset generate(std::string_view name, const GenerateOptions& options = {});

}  // namespace mercer

// Pictures of models and of kernels as self-contained SVG text, legible on light and dark pages. All of them
// draw at most a few thousand rows, drawn at random where there are more, and say so below the picture.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

/// What the plane of a picture of regions is spanned by.
enum class Projection {
  columns,     ///< two columns, the others held at their medians (of categories: at the most frequent one)
  components,  ///< the two leading principal components of the rows in the space of the model's kernel
};
Projection projection_named(std::string_view name);  ///< throws Error{usage} for an unknown name

struct RegionsOptions {
  std::string title = {};  ///< empty: the method and the kernel
  Projection projection = Projection::columns;
  /// Names, or numbers counted from 1; empty: the two that move the answer most.
  std::vector<std::string> columns = {};
  int threads = 0;
  Progress progress = {};
};

/// What a model answers over a plane: the regions of the classes, with the margin of two-class support vector
/// machines (scores of −1, 0 and 1); the region inside of novelty; the value of regression as a heat map.
/// Rows are points in the colour of their class or value, support vectors are ringed. Over components there
/// are no regions, since no point of that plane is one row: the points show the classes, and a cross those
/// that the model gives another.
std::string regions_picture(const Model& model, const Dataset& data, const RegionsOptions& options = {});

struct CurveOptions {
  std::string title = {};   ///< empty: the methods and the kernel
  std::string column = {};  ///< a name, or a number counted from 1; empty: the one that moves the answer most
  int threads = 0;
  Progress progress = {};
};

/// What models of numbers answer over one column, the others held at their medians, with the rows as points.
/// One Gaussian process has bands of two standard deviations, of the function and of new observations; one
/// support vector regression its tube; models of quantiles a band between the outermost two.
std::string curve_picture(std::span<const Model> models, const Dataset& data,
                          const CurveOptions& options = {});

struct KernelPictureOptions {
  std::string title = {};  ///< empty: the kernel
  int threads = 0;
  Progress progress = {};
};

/// The rows on the two leading principal components of the space of the kernel, in the colour of their class
/// or value. The components are those of at most 2,000 rows.
std::string components_picture(const Kernel& kernel, const Dataset& data,
                               const KernelPictureOptions& options = {});

/// The Gram matrix with the rows in the order of their classes, so that a kernel that suits them shows as
/// blocks; of at most 1,024 rows.
std::string gram_picture(const Kernel& kernel, const Dataset& data, const KernelPictureOptions& options = {});

/// The same for a matrix that is there already: values, distances or others, a row and a column for each
/// entry of the target.
std::string matrix_picture_by_class(const Points& matrix, const Target& target, const std::string& title);

}  // namespace mercer

// Columns of objects as a kernel sees them: which column it compares, and rows of numbers made of the
// objects' features.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "mercer/leaf.hpp"
#include "mercer/points.hpp"

namespace mercer {

/// The one column that a kernel of these domains can compare. Texts of all kinds can be read as each other;
/// the kernel sees them as the domain of its own. Error{usage} where there is none, or more than one: what
/// the columns are, and how one is named.
Objects object_column(const Points& points, std::span<const Domain> domains, std::string_view kernel);

/// Adds the features of object i to the row.
using FeaturesOfObject = std::function<void(const Objects&, std::size_t i, FeatureRow& row)>;

struct ObjectFeatures {
  std::string key;  ///< what they are: they are kept with the objects under it
  FeaturesOfObject of_object;
  bool by_rarity = false;                                  ///< as Leaf::weighs_by_rarity()
  SharedWords words = {};                                  ///< as Leaf::words()
  std::function<std::string(const Objects&)> layout = {};  ///< as Leaf::layout(); empty: they have none
};

/// Rows of the features of every object. The columns are those of `reference`, an image of the same kind, and
/// behind them those it does not have; null: the features found, by ascending keys, or the coordinates of the
/// vectors over which they are spread. Error{data} where the layout is not that of `reference`.
Points feature_image(const Objects& objects, const ObjectFeatures& features, const Points* reference,
                     int threads);

/// Points as a kernel of rows of numbers sees them: unchanged where they have numbers; of one column of sets
/// of symbols or texts alone, how often each word occurs; of images of one size, their pixels. Error{usage}
/// for other objects, with kernels for them. The objects stay beside the numbers.
Points with_numbers_of_objects(const Points& points, std::string_view kernel, const Points* reference,
                               int threads);

}  // namespace mercer

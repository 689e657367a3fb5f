// A kernel expression made ready for tiles: which pairwise statistics it needs, over which images of the
// points, which numbers belong to single points, and one formula over all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/node.hpp"
#include "mercer/formula.hpp"

namespace mercer {

struct CompiledKernel {
  /// The points as a part of the expression sees them: those of `parent` through a map. View 0: as given.
  struct View {
    std::string key;
    int parent = 0;
    std::optional<PointMap> map = {};
    std::string reads_numbers = {};  ///< a kernel that compares rows of numbers here, or empty
    bool non_negative = false;       ///< a kernel over it is defined for coordinates ≥ 0 only
    std::string needed_by = {};      ///< that kernel
  };
  struct Statistic {
    enum class Kind {
      dot,             ///< xᵀz
      centred_dot,     ///< (x − c)ᵀ(z − c), for squared distances; c is chosen by the Gram operator
      coordinate_sum,  ///< Σₖ coordinate(xₖ, zₖ)
      tile             ///< filled by a function
    };
    Kind kind;
    int view;
    std::string key;
    Formula coordinate = {};  ///< coordinate_sum: xₖ is row value 0, zₖ column value 0
    bool minimum = false;     ///< coordinate_sum: min(xₖ, zₖ) of numbers ≥ 0, so 0 where either is
    Formula coordinate_pairs = {};  ///< the same with xₖ as column value 0 and zₖ as column value 1
    TileFunction tile = {};         ///< k(x, z) with z a reference point
    std::function<void(const Points&)> check_reference = {};  ///< of tile: may be empty
  };
  /// A number that belongs to one point.
  struct Value {
    enum class Kind {
      self,      ///< s(x, x) of statistic `statistic`
      function,  ///< f(x)
      formula,   ///< a formula over earlier values, as column values
      mean,      ///< mean of k(x, r) over the reference points r
      all_mean   ///< mean of value `statistic` (a mean) over the reference points; the same for all points
    };
    Kind kind;
    int view = 0;
    std::string key;
    int statistic = 0;
    PointFunction function = {};
    Formula formula = {};
    std::vector<Kernel> inner = {};  ///< mean: the kernel (one)
  };

  std::vector<View> views;
  std::vector<Statistic> statistics;
  std::vector<Value> values;
  Formula formula;   ///< k(x, z)
  Formula diagonal;  ///< k(x, x), over values as column values

  explicit CompiledKernel(const Kernel& kernel);
  /// The points in each view. `reference`: those of the reference points; null: `points` are those.
  std::vector<Points> views_of(const Points& points, const std::vector<Points>* reference, int threads) const;
};

/// Some part of the kernel takes a mean over the reference points, or weighs features by how rare they are
/// among them, so that none of them may be left out.
bool looks_at_all_points(const Kernel& kernel);
/// Some part of the kernel fills its tiles pair by pair, which is slow: better hold K than compute it twice.
bool compares_pairs(const Kernel& kernel);

/// Moves what depends on x alone or on z alone out of `formula` into new point values, so that it is computed
/// once per point and not once per pair.
void hoist_point_values(Formula& formula, std::vector<CompiledKernel::Value>& values);

/// Σₐ Σ_b k(a, b) over the members of two objects, for a tile of pairs of objects: one tile of K between all
/// their members, summed by blocks. (Haussler 1999; Gärtner, Flach, Kowalczyk & Smola 2002 for sets.)
/// Error{budget} where one pair takes more than 10¹¹ values of k.
TileFunction member_sums(const MemberMap& members, const Kernel& k);

}  // namespace mercer

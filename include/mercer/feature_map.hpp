// Low-rank feature maps φ with φ(x)ᵀφ(z) ≈ k(x, z) and far fewer features than there are rows: a linear
// method on φ(x) is then nearly the kernel method, in time linear in the rows. A map is named by a text:
//   nystrom:2000           2000 landmark rows by randomly pivoted Cholesky; any kernel
//                                                                    Williams & Seeger 2000, Chen et al. 2024
//   nystrom:500:uniform    landmarks drawn uniformly
//   nystrom:500:kmeans++   landmarks far from each other in feature space         Arthur & Vassilvitskii 2007
//   fourier:4096           orthogonal random frequencies; translation-invariant kernels
//                                                                         Rahimi & Recht 2007, Yu et al. 2016
//   sketch:1024            tensor sketch; linear, poly and their multiples and powers        Pham & Pagh 2013
//   explicit               every monomial, exactly; linear, poly and what the rules make of them
//                                                                                       (mercer/features.hpp)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mercer/kernel.hpp"
#include "mercer/progress.hpp"

namespace MERCER_EXPORT mercer {

class MERCER_HIDDEN RowMap;

struct FeatureMapOptions {
  std::uint64_t seed = 1;
  int threads = 0;                            ///< 0: all
  std::size_t memory = std::size_t(1) << 32;  ///< bytes that making the map may take
  Progress progress = {};
};

/// Immutable and cheap to copy.
class FeatureMap {
 public:
  /// Makes the map that `text` names for a kernel on these training points (`scale`, `auto` and `median` are
  /// resolved on them). Error{usage} for an unknown map, a count of 0, and a kernel for which there is no
  /// such map; Error{budget} where the map itself would not fit the memory.
  static FeatureMap make(std::string_view text, const Kernel& kernel, const Points& points,
                         const FeatureMapOptions& options = {});

  const std::string& text() const noexcept { return state().text; }  ///< as given, normalised
  bool exact() const noexcept;            ///< φ(x)ᵀφ(z) = k(x, z), not only nearly
  const Kernel& kernel() const noexcept;  ///< the kernel that is approximated, resolved
  std::size_t columns() const noexcept { return state().columns; }  ///< of the points
  std::size_t features() const noexcept;

  /// φ of every row: dense float64, rows × features(); the same bits for any number of threads. Error{data}
  /// for points with another number of columns and where a feature is not finite.
  Points apply(const Points& points, int threads = 0) const;
  /// k(x, x) − ‖φ(x)‖² of every row, at least 0: what the map leaves out there.
  std::vector<double> left_out(const Points& points, int threads = 0) const;
  /// Σ left out / Σ k(x, x) over training rows: those that landmarks were pivoted among, which are all where
  /// the memory allows it; else at most 1000, evenly spaced.
  double trace_left() const noexcept { return state().trace_left; }

  /// The map as solvers take it.
  std::shared_ptr<const RowMap> row_map() const;

  /// What a model file needs beside the kernel. Random maps are drawn again from the seed.
  struct State {
    std::string text;
    std::uint64_t seed = 1;
    std::size_t columns = 0;
    /// Of the columns, where they have any: the kernel may speak of them.
    std::vector<std::string> names = {};
    Points landmarks = {};            ///< nystrom: m rows
    std::vector<double> matrix = {};  ///< nystrom: features × m, row-major; φ(x) = matrix · k(landmarks, x)
    double trace_left = 0;
    /// nystrom, of a map just made: where the landmarks stand among the rows. Files do not keep it.
    std::vector<std::size_t> rows = {};
  };
  const State& state() const noexcept;
  /// Error{data} where the parts contradict each other or the kernel; Error{budget} where the map would not
  /// fit the memory.
  static FeatureMap restore(State state, const Kernel& kernel, std::size_t memory = std::size_t(1) << 32);

 private:
  class MERCER_HIDDEN Implementation;
  explicit FeatureMap(std::shared_ptr<const Implementation> implementation);
  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace mercer

#include "kernels/catalogue.hpp"

#include "mercer/kernels.hpp"

#define MERCER_COMBINATORS(X) \
  X(exp)                      \
  X(polynomial)               \
  X(normalize)                \
  X(center) X(weighted) X(mapped) X(scaled) X(mkl) X(orbit) X(patches) X(set) X(general_set) X(mmd)

namespace mercer {

#define MERCER_DECLARE(name) extern const Combinator name##_combinator;
MERCER_COMBINATORS(MERCER_DECLARE)
#undef MERCER_DECLARE

const std::vector<AnyLeaf>& leaves() {
  static const auto all =
      [](auto... maker) {
        std::vector<AnyLeaf> list;
        (list.push_back(maker.leaf()), ...);
        return list;
      }(linear, poly, rbf, laplace, exponential, quadratic_form, constant, delta, intersection, matern,
        rational_quadratic, chi2, cosine, manhattan, anova, periodic, sigmoid, precomputed, spectrum,
        mismatch, gkm, weighted_degree, subsequence, edit, wl, shortest_path, random_walk, graphlet, tanimoto,
        histogram, hog, jaccard, bow, arc_cosine, ntk, spectral_mixture, distance, multiquadric, thin_plate);
  return all;
}

const std::vector<const Combinator*>& combinators() {
  static const std::vector<const Combinator*> all{
#define MERCER_LIST(name) &name##_combinator,
      MERCER_COMBINATORS(MERCER_LIST)
#undef MERCER_LIST
  };
  return all;
}

}  // namespace mercer

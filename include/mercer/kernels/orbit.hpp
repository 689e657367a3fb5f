#pragma once
#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

/// The small changes that leave an image what it is.
struct Orbit {
  int shifts = 1;  ///< pixels, in each of the four directions and both at once: (2·shifts + 1)² places
  double rotations = 5;  ///< degrees, to the left and to the right; 0: none
  int width = 0;         ///< of rows of numbers that are images: pixels of a line; 0: they are square
};

/// mean over the changed images a of x and b of z of k(a, b): a kernel that hardly sees where an image is and
/// how it is turned.                                      DeCoste & Schölkopf 2002; Haasdonk & Burkhardt 2007
Kernel orbit(const Kernel& k, Orbit changes = {});

}  // namespace mercer

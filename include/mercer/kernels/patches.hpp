#pragma once
#include "mercer/set_kernels.hpp"

namespace MERCER_EXPORT mercer {

/// How an image is cut into overlapping squares.
struct Patches {
  int size = 8;    ///< side of a patch in pixels
  int stride = 4;  ///< pixels from one patch to the next, down and across
  SetNormalize normalize = SetNormalize::size;
  int width = 0;  ///< of rows of numbers that are images: pixels of a line; 0: they are square
};

/// Σ k(a, b) over the patches a of image x and b of image z: the set kernel of two images as sets of patches.
///                                                  Haussler 1999; Grauman & Darrell 2007 for sets of
///                                                  features
Kernel patches(const Kernel& k, Patches cut = {});

}  // namespace mercer

// What a kernel believes before it has seen data: functions drawn from the Gaussian process f ~ GP(0, k) of
// one variable (Rasmussen & Williams 2006, §2.2), beside the frequencies that they are made of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

struct PriorPicture {
  std::string title = {};     ///< empty: the kernel's text
  double low = -5, high = 5;  ///< of the variable
  std::size_t samples = 5;    ///< functions to draw, from 1 to 100
  std::uint64_t seed = 1;
};

/// f at each of `places`, for each of `samples` functions. Error{usage} for kernels that are not proved
/// positive semidefinite or do not take rows of one number.
std::vector<std::vector<double>> draw_prior(const Kernel& kernel, std::span<const double> places,
                                            std::size_t samples, std::uint64_t seed = 1);

/// SVG text (mercer/picture.hpp): the functions with the band that holds 95 % of f at each place, and of a
/// translation-invariant kernel the spectral density.
std::string prior_picture(const Kernel& kernel, const PriorPicture& options = {});

}  // namespace mercer

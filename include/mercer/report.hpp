// What was learned from a table, as a page to read and to send on: the data, the choice, pictures, the
// certificate, the examples behind it.
#pragma once

#include <cstdint>
#include <string>

#include "mercer/automatic.hpp"

namespace MERCER_EXPORT mercer {

struct ReportInput {
  const Dataset& data;  ///< as learned from
  const AutomaticFit& fit;
  std::string name = {};     ///< of the data file
  std::string command = {};  ///< that gives the same model and page
  std::uint64_t seed = 1;    ///< of the fit
  int threads = 0;
  Progress progress = {};
};

/// One self-contained page of HTML: no scripts, no outside files, light and dark, from a phone's width to a
/// desk's. Parts that do not apply are left out; in place of a picture that cannot be drawn stands the
/// reason.
std::string report_page(const ReportInput& input);

}  // namespace mercer

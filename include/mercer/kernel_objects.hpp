// Which columns of a table a kernel compares as objects, so that they are read as such: tanimoto@smiles needs
// molecules of column smiles.
#pragma once

#include <vector>

#include "mercer/dataset.hpp"
#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

/// A column that a part of a kernel compares as objects, and what these may be. A part without @ compares the
/// one column there is: its name is empty.
struct ComparedColumn {
  std::string column;
  std::vector<Domain> domains;
};
std::vector<ComparedColumn> compared_columns(const Kernel& kernel);

/// Each column that a part of the kernel compares as texts of some kind, for ReadOptions::objects. A part
/// without @ compares the one column of texts there is: its name is empty. Objects that are no texts (graphs,
/// images, bags) are read as they are.
std::vector<ReadOptions::Kept> objects_compared(const Kernel& kernel);

/// The columns that a kernel of sets (jaccard, intersection) is given with @. It compares histograms of
/// numbers, too, so that the column decides: one of texts is meant as sets of symbols, since its categories
/// would have nothing in common.
std::vector<std::string> set_columns(const Kernel& kernel);

}  // namespace mercer

// Fits that all ranks do at the same time, each with the whole table, by the code of one machine, which
// shares the work where there are ranks (base/ranks.hpp): support vector machines share the columns of K, or
// pairs of classes; searches their candidates, assessments their folds. All ranks read the files, which must
// be the same. Rank 0 speaks and writes.
#pragma once

#include <string>

#include "cli/fit_options.hpp"
#include "cluster/communicator.hpp"

namespace mercer::cluster {

/// "svm, nu_svm, …": the methods.
std::string shared_methods();

/// Whether the fit is one of these.
bool is_shared(const cli::FitCommand& options);

/// To be called by all ranks together. `checkpoint`: the file of one, or empty; `every`: seconds between two.
void fit_shared(const cli::FitCommand& options, cli::Session& session, const Communicator& ranks,
                const std::string& checkpoint = {}, double every = 60);

}  // namespace mercer::cluster

// The commands of mercer-mpi. Reading the arguments is one step, which all ranks end together; the work is
// the next.
#pragma once

#include <functional>

#include "cli/commands.hpp"
#include "cluster/communicator.hpp"

namespace mercer::cluster {

/// What the arguments ask for; empty where that was help, or nothing.
std::function<void(const Communicator&)>& pending_work();

cli::AddCommand add_cluster_fit, add_cluster_predict;

}  // namespace mercer::cluster

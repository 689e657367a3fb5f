// mercer-mpi: `mercer` on the ranks of an MPI job. Rank 0 speaks. An error that all ranks know of ends the
// job in good order with the exit code of `mercer`; one that a single rank meets in the middle of the common
// work ends it at once, with a message that names the rank.
#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <optional>
#include <thread>

#include "cli/program.hpp"
#include "cluster/commands.hpp"
#include "cluster/petsc.hpp"
#include "cluster/shared_fit.hpp"
#include "cluster/spread_fit.hpp"
#include "cluster/spread_read.hpp"
#include "mercer/one_thread.hpp"
#include "mercer/version.hpp"

namespace mercer::cluster {

namespace {

using namespace mercer::cli;

const CommandGroup groups[] = {{"Models", {{"fit", add_cluster_fit}, {"predict", add_cluster_predict}}}};

std::string elsewhere(std::string_view command) {
  return fmt::format(
      "mercer-mpi: '{}' is a command of mercer, which runs on one machine; mercer-mpi has fit (methods: {}, "
      "{}) and predict",
      command, spread_methods(), shared_methods());
}

// Cores that this rank may use: those that the launcher bound it to, or its share of all.
int threads_of_rank(const Communicator& ranks) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int all = int(std::max(1u, std::thread::hardware_concurrency()));
  const int bound = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : all;
  const int here = ranks.ranks_on_this_machine();
  return bound < int(sysconf(_SC_NPROCESSORS_ONLN)) ? bound : std::max(1, bound / here);
}

// A job of different programs would exchange blocks that do not fit, or do other work than the rest.
void check_programs(const Communicator& ranks) {
  std::string first = version();
  ranks.broadcast(first);
  in_step(ranks, [&] {
    if (first != version())
      throw Error(ErrorCode::unsupported,
                  fmt::format("this is mercer-mpi {}, but rank 0 runs {}", version(), first),
                  {.hint = "start the same program on all machines"});
  });
  std::optional<bool> same = is_same_file(ranks, "/proc/self/exe");
  in_step(ranks, [&] {
    if (same == false)
      throw Error(ErrorCode::unsupported,
                  fmt::format("this is another build of mercer-mpi {} than rank 0 runs", version()),
                  {.hint = "start the same program on all machines"});
  });
}

void share_machine(Session& session, const Communicator& ranks) {
  const int here = ranks.ranks_on_this_machine();
  if (session.threads == 0) session.threads = threads_of_rank(ranks);
  if (session.memory == 0) session.memory = session.memory_bytes() / std::size_t(here);
}

int run_job(const Communicator& ranks, int argc, char** argv) {
  Session session;
  const int parsed =
      run_program({"mercer-mpi",
                   "Mercer on many machines: fits whose rows are spread over the ranks of an MPI job.\n"
                   "mpirun -n 4 mercer-mpi fit DATA --target y --method ridge -o MODEL",
                   groups, elsewhere},
                  session, argc, argv);
  if (const int code = int(ranks.most(parsed)); code != 0 || !pending_work()) return code;
  check_programs(ranks);
  share_machine(session, ranks);
  std::optional<OneThread> alone;
  if (session.threads == 1) alone.emplace();
  pending_work()(ranks);
  return session.exit_code;
}

int run(const Communicator& ranks, int argc, char** argv) {
  if (!ranks.first()) Session::be_silent();
  try {
    return run_job(ranks, argc, argv);
  } catch (const AgreedError&) {
    const Failure failure = current_failure("mercer-mpi");
    if (!failure.message.empty()) Session::complain(failure.message);
    return failure.exit_code;
  } catch (...) {
    const Failure failure = current_failure(
        ranks.size() == 1 ? "mercer-mpi"
                          : fmt::format("mercer-mpi: rank {} of {}", ranks.rank(), ranks.size()));
    if (!failure.message.empty()) std::fprintf(stderr, "%s\n", failure.message.c_str());
    if (ranks.size() > 1) MPI_Abort(ranks.ranks(), failure.exit_code);
    return failure.exit_code;
  }
}

}  // namespace

}  // namespace mercer::cluster

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  int level = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    return mercer::cli::bar_not_met;
  mercer::cli::handle_interrupts();
  mercer::cli::handle_lost_pages();  // Open MPI has a handler of its own, which says where, not what
  // Launchers end a job by SIGTERM: as Ctrl-C.
  std::signal(SIGTERM, [](int) { std::raise(SIGINT); });
  int code = 0;
  {
    const mercer::cluster::Communicator ranks(MPI_COMM_WORLD);
    code = mercer::cluster::run(ranks, argc, argv);
    mercer::cluster::Petsc::end();
  }
  MPI_Finalize();
  return code;
}

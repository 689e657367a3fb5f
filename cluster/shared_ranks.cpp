#include "cluster/shared_ranks.hpp"

#include <chrono>
#include <optional>
#include <thread>

namespace mercer::cluster {

std::vector<std::string> SharedRanks::gather(const std::string& own) const {
  std::vector<std::size_t> sizes;
  const std::vector<std::byte> bytes =
      ranks_.gather_bytes(std::as_bytes(std::span(own.data(), own.size())), true, &sizes);
  std::vector<std::string> all;
  std::size_t place = 0;
  for (const std::size_t size : sizes) {
    all.emplace_back(reinterpret_cast<const char*>(bytes.data()) + place, size);
    place += size;
  }
  return all;
}

// The end of the work is met on a communicator of its own: one that failed comes there while others may still
// be at the messages of the work.
void work_together(const Communicator& ranks, const std::function<void()>& work, double patience) {
  const Communicator end(ranks.ranks());
  std::optional<Error> failed;
  try {
    work();
  } catch (const Error& error) {
    failed.emplace(error);
  } catch (const std::bad_alloc&) {
    failed.emplace(ErrorCode::out_of_memory, "out of memory");
  }
  MPI_Request met = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(end.ranks(), &met), "the end of the common work");
  const auto start = std::chrono::steady_clock::now();
  for (int done = 0; !done;) {
    check_mpi(MPI_Test(&met, &done, MPI_STATUS_IGNORE), "the end of the common work");
    if (done) break;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (failed && waited.count() > patience) {
      end.leave();
      throw Error(*failed);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(waited.count() < 0.1 ? 1 : 10));
  }
  agree_on(end, failed ? &*failed : nullptr);
}

}  // namespace mercer::cluster

#include "cluster/shared_ranks.hpp"

#include <chrono>
#include <optional>
#include <thread>

namespace mercer::cluster {

std::vector<std::string> SharedRanks::gathered(const std::string& own, bool to_all) const {
  std::vector<std::size_t> sizes;
  const std::vector<std::byte> bytes =
      ranks_.gather_bytes(std::as_bytes(std::span(own.data(), own.size())), to_all, &sizes);
  std::vector<std::string> all;
  if (bytes.empty() && !to_all && !ranks_.first()) return all;
  std::size_t place = 0;
  for (const std::size_t size : sizes) {
    all.emplace_back(reinterpret_cast<const char*>(bytes.data()) + place, size);
    place += size;
  }
  return all;
}

// The file has how long each solution is, after their number, and then their numbers.
SolutionFile::SolutionFile(const Communicator& ranks, const std::string& path, double every,
                           std::uint64_t fingerprint)
    : first_(ranks.first()), alone_(MPI_COMM_SELF), checkpoint_(alone_, path, every, fingerprint) {
  const auto earlier = Checkpoint(ranks, path, every, fingerprint).read_all();
  if (!earlier) return;
  resumed_ = true;
  written_ = earlier->iterations;
  const std::vector<double>& all = earlier->X;
  const auto count = std::size_t(all.at(0));
  std::size_t place = 1 + count;
  for (std::size_t p = 0; p < count; ++p) {
    const auto begin = all.begin() + std::ptrdiff_t(place);
    solutions_.emplace_back(begin, begin + std::ptrdiff_t(all[1 + p]));
    place += solutions_.back().size();
  }
}

void SolutionFile::keep(std::size_t problem, std::span<const double> solution) {
  if (solutions_.size() <= problem) solutions_.resize(problem + 1);
  solutions_[problem].assign(solution.begin(), solution.end());
  if (!first_) return;
  std::vector<double> all{double(solutions_.size())};
  for (const auto& one : solutions_) all.push_back(double(one.size()));
  for (const auto& one : solutions_) all.insert(all.end(), one.begin(), one.end());
  checkpoint_.write(all, 1, ++written_);
}

std::vector<double> SolutionFile::kept(std::size_t problem) const {
  return problem < solutions_.size() ? solutions_[problem] : std::vector<double>();
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

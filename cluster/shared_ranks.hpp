// The ranks of a job for work that all of them do on the same rows (base/ranks.hpp): support vector machines
// and searches. Each rank has the whole table.
#pragma once

#include <functional>
#include <string>

#include "base/ranks.hpp"
#include "cluster/checkpoint.hpp"
#include "cluster/communicator.hpp"

namespace mercer::cluster {

class SharedRanks : public Ranks {
 public:
  explicit SharedRanks(const Communicator& ranks) : ranks_(ranks) {}

  int rank() const noexcept override { return ranks_.rank(); }
  int size() const noexcept override { return ranks_.size(); }
  bool any(bool here) const override { return ranks_.any(here); }
  std::size_t sum(std::size_t number) const override { return ranks_.sum(number); }
  void join(std::span<double> values, std::span<const std::size_t> begins) const override {
    ranks_.join(values, begins);
  }
  void take_first(std::span<double> values) const override {
    ranks_.broadcast(std::as_writable_bytes(values));
  }
  std::vector<std::string> gather(const std::string& own) const override { return gathered(own, true); }
  std::vector<std::string> gather_on_first(const std::string& own) const override {
    return gathered(own, false);
  }
  KeptSolutions* solutions() const override { return solutions_; }
  void keep_in(KeptSolutions* solutions) noexcept { solutions_ = solutions; }

 private:
  std::vector<std::string> gathered(const std::string& own, bool to_all) const;

  const Communicator& ranks_;
  KeptSolutions* solutions_ = nullptr;
};

/// The solutions so far in a checkpoint, which rank 0 writes: all ranks have the same ones.
class SolutionFile : public KeptSolutions {
 public:
  /// By all ranks together. Error where the file is that of another fit, or damaged.
  SolutionFile(const Communicator& ranks, const std::string& path, double every, std::uint64_t fingerprint);

  bool due() const override { return first_ && checkpoint_.due(); }
  void keep(std::size_t problem, std::span<const double> solution) override;
  std::vector<double> kept(std::size_t problem) const override;
  std::size_t written() const noexcept { return written_; }  ///< times, in earlier runs, too
  bool resumed() const noexcept { return resumed_; }

 private:
  bool first_;
  Communicator alone_;  // rank 0 writes without the others
  Checkpoint checkpoint_;
  std::vector<std::vector<double>> solutions_;
  std::size_t written_ = 0;
  bool resumed_ = false;
};

/// Work that all ranks do, with messages in it. An error that all of them meet is thrown on all as
/// AgreedError; where one fails and the others do not within `patience` seconds, its error is thrown as it
/// is: the caller has to end the job, as the others may wait for it forever.
void work_together(const Communicator& ranks, const std::function<void()>& work, double patience = 10);

}  // namespace mercer::cluster

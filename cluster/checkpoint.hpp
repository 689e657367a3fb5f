// A file from which an iterative fit goes on: the solution so far of all rows, in their order, so that any
// number of ranks can take it up. It is written by rank 0 to a file beside it that is then renamed: what is
// there is always whole. A fingerprint of the rows, the kernel and the parameters tells whether it belongs to
// the fit.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"

namespace mercer::cluster {

/// FNV-1a over what a fit depends on.
class Fingerprint {
 public:
  Fingerprint& add(std::span<const std::byte> bytes) noexcept;
  Fingerprint& add(std::string_view text) noexcept {
    add(std::as_bytes(std::span(text.data(), text.size())));
    const std::uint64_t length = text.size();
    return add(std::as_bytes(std::span(&length, 1)));
  }
  Fingerprint& add(std::span<const double> numbers) noexcept { return add(std::as_bytes(numbers)); }
  std::uint64_t value() const noexcept { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037u;
};

class Checkpoint {
 public:
  /// An empty path: nothing is written and nothing found. `fingerprint`: of rank 0.
  Checkpoint(const Communicator& ranks, std::string path, double every, std::uint64_t fingerprint);

  struct State {
    std::size_t iterations = 0;
    std::vector<double> X;  ///< own rows × columns
  };
  /// What the file has for this rank's rows; none where there is no file. Error where it belongs to another
  /// fit or is damaged. By all ranks together.
  std::optional<State> read(std::size_t own_rows, std::size_t columns) const;
  /// The same of a file of which the rows are not known: all numbers, on each of the ranks.
  std::optional<State> read_all() const;
  /// Whether it is time to write; the same on all ranks, if rank 0 tells them.
  bool due() const noexcept;
  /// By all ranks together.
  void write(std::span<const double> X, std::size_t columns, std::size_t iterations);
  /// After a fit that came to its end and was saved.
  void remove() const;
  const std::string& path() const noexcept { return path_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// The numbers of the file, where it is that of this fit.
  std::span<const std::byte> checked(std::string_view text, std::optional<std::size_t> rows,
                                     std::size_t columns, std::uint64_t& iterations) const;
  const Communicator& ranks_;
  std::string path_;
  double every_;
  std::uint64_t fingerprint_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace mercer::cluster

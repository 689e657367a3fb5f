// Processes, on one machine or many, that do the same work on the same rows at the same time (cluster/). Each
// does a share of what is worth sharing and gets the rest from the others; whatever is decided is decided
// from numbers that all of them have to the bit. Without ranks all of this is one process's.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mercer/error.hpp"

namespace mercer {

/// Solutions so far of the problems of a fit, by their numbers, which a later run goes on from.
class KeptSolutions {
 public:
  virtual ~KeptSolutions() = default;
  virtual bool due() const = 0;  ///< whether it is time to keep one; on one rank alone
  virtual void keep(std::size_t problem, std::span<const double> solution) = 0;
  /// Of an earlier run, the same on all ranks; empty: none.
  virtual std::vector<double> kept(std::size_t problem) const = 0;
};

/// To be called by all ranks alike, by the thread that began the work.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  bool first() const noexcept { return rank() == 0; }

  /// Whether it is so on some rank.
  virtual bool any(bool here) const = 0;
  virtual std::size_t sum(std::size_t number) const = 0;
  /// Rank r has the values of [begins[r], begins[r + 1]); afterwards all have all.
  virtual void join(std::span<double> values, std::span<const std::size_t> begins) const = 0;
  /// What rank 0 has, on all.
  virtual void take_first(std::span<double> values) const = 0;
  /// The bytes of each rank.
  virtual std::vector<std::string> gather(const std::string& own) const = 0;
  /// The same on the first rank; nothing on the others.
  virtual std::vector<std::string> gather_on_first(const std::string& own) const {
    return first() ? gather(own) : (gather(own), std::vector<std::string>());
  }

  /// Where the solutions of this fit are kept; null: nowhere.
  virtual KeptSolutions* solutions() const { return nullptr; }

  /// `own`: the error that this rank met in work of its own, or null. Where there is one, that of the first
  /// rank that has one is thrown on all.
  void agree_on(const Error* own) const;

  /// Where the share of each rank of n things begins, as even as can be; the last number is n.
  std::vector<std::size_t> shares(std::size_t n) const;
  /// Whether this rank does the work of that number.
  bool owns(std::size_t number) const noexcept { return int(number % std::size_t(size())) == rank(); }
};

/// While it lives, the work that this thread begins is shared with these ranks; null: with nobody. Scopes may
/// be nested.
class SharedWork {
 public:
  explicit SharedWork(const Ranks* ranks) noexcept;
  ~SharedWork();
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  /// Of this thread; null where there are none.
  static const Ranks* ranks() noexcept;

 private:
  const Ranks* outer_;
};

/// Work of each rank without messages in it: an error of one is thrown on all.
template <class Work>
void agreed(const Ranks* ranks, const Work& work) {
  if (!ranks) return work();
  std::optional<Error> failed;
  try {
    work();
  } catch (const Error& error) {
    failed.emplace(error);
  }
  ranks->agree_on(failed ? &*failed : nullptr);
}

/// Work that is not shared: this process does it, where there are ranks the first one alone. An error of it
/// is one of all.
template <class Work>
void by_first(const Ranks* ranks, const Work& work) {
  const SharedWork alone(nullptr);
  agreed(ranks, [&] {
    if (!ranks || ranks->first()) work();
  });
}

}  // namespace mercer

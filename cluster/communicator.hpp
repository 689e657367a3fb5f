// The ranks of a job, as the solvers here see them: sums over all ranks, rows gathered and handed out, blocks
// sent from rank to rank while others are computed. What is sent is counted, so that tests compare it with
// the cost model of docs/cluster.md. An error of MPI is thrown as Error.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "mercer/error.hpp"
#include "mercer/kernel.hpp"

namespace mercer::cluster {

/// What this rank has sent: blocks to single ranks, and its share of sums and gatherings over all of them.
struct Traffic {
  std::size_t messages = 0, bytes = 0;            ///< from rank to rank
  std::size_t collectives = 0, shared_bytes = 0;  ///< all-reduced, gathered, broadcast

  Traffic operator-(const Traffic& other) const noexcept {
    return {messages - other.messages, bytes - other.bytes, collectives - other.collectives,
            shared_bytes - other.shared_bytes};
  }
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// An error that all ranks know of: each ends in good order, and one of them tells of it.
class AgreedError : public Error {
 public:
  explicit AgreedError(const Error& error) : Error(error) {}
};

class Communicator {
 public:
  /// Works on a copy of `ranks`, so that its messages meet no others.
  explicit Communicator(MPI_Comm ranks);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  bool first() const noexcept { return rank_ == 0; }
  MPI_Comm ranks() const noexcept { return ranks_; }
  const Traffic& traffic() const noexcept { return traffic_; }
  int ranks_on_this_machine() const;

  /// Each number becomes its sum over all ranks; the same bits everywhere.
  void sum(std::span<double> numbers) const;
  double sum(double number) const;
  std::size_t sum(std::size_t number) const;
  double most(double number) const;
  double least(double number) const { return -most(-number); }

  /// What rank 0 has, on all.
  void broadcast(std::span<std::byte> bytes) const;
  template <class T>
  void broadcast(std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::size_t count = values.size();
    broadcast(std::as_writable_bytes(std::span(&count, 1)));
    values.resize(count);
    broadcast(std::as_writable_bytes(std::span(values)));
  }
  void broadcast(std::string& text) const;
  template <class T>
  requires std::is_arithmetic_v<T>
  void broadcast(T& value) const { broadcast(std::as_writable_bytes(std::span(&value, 1))); }

  /// The values of all ranks, those of rank 0 first: on rank 0, or on all; else nothing.
  std::vector<std::byte> gather_bytes(std::span<const std::byte> own, bool to_all,
                                      std::vector<std::size_t>* counts = nullptr) const;
  template <class T>
  std::vector<T> gather(std::span<const T> own, bool to_all = false) const {
    return values_of<T>(gather_bytes(std::as_bytes(own), to_all));
  }
  template <class T>
  static std::vector<T> values_of(const std::vector<std::byte>& bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  /// Rank r has the values of [begins[r], begins[r + 1]); afterwards all have all.
  void join(std::span<double> values, std::span<const std::size_t> begins) const;

  /// Rank 0 hands out one block to each rank, itself included, making one at a time: block_of(rank). On the
  /// others it is not called.
  std::vector<std::byte> hand_out(const std::function<std::vector<std::byte>(int rank)>& block_of) const;

  /// A block on its way. It must arrive, or have been sent, before what it is read from or written to is
  /// gone: the destructor waits.
  class Transfer {
   public:
    explicit Transfer(std::vector<MPI_Request> parts = {}) : parts_(std::move(parts)) {}
    Transfer(Transfer&& other) noexcept : parts_(std::exchange(other.parts_, {})) {}
    Transfer& operator=(Transfer&& other) noexcept;
    ~Transfer();
    void wait();
    /// Lets MPI move on; it does so inside of its calls alone.
    void poke() noexcept;

   private:
    std::vector<MPI_Request> parts_;
  };
  /// `tag`: tells the blocks between two ranks apart that are on their way at the same time.
  Transfer send(std::span<const std::byte> bytes, int to, int tag) const;
  Transfer receive(std::span<std::byte> bytes, int from, int tag) const;

  /// Messages may be under way that never arrive, as the job is about to be aborted: nothing is waited for.
  void leave() const noexcept { ranks_ = MPI_COMM_NULL; }

  /// Whether `failed` on some rank.
  bool any(bool failed) const { return most(failed ? 1 : 0) > 0; }

 private:
  mutable MPI_Comm ranks_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  mutable Traffic traffic_;
};

/// Throws where a call of MPI did not succeed.
void check_mpi(int code, const char* what);

/// Which rows a rank has: those of rank 0 first, as even as can be. The cut depends on the number of ranks
/// alone.
struct Share {
  std::size_t rows = 0;
  int ranks = 1;
  Range of(int rank) const noexcept {
    const auto cut = [&](int r) {
      return rows / std::size_t(ranks) * std::size_t(r) + std::min(std::size_t(r), rows % std::size_t(ranks));
    };
    return {cut(rank), cut(rank + 1)};
  }
};

/// Where an error was thrown on this rank, or null: after it all ranks throw the same, or none does. To be
/// called by all of them.
void agree_on(const Communicator& ranks, const Error* own);

/// On rank 0 `work`, and when it is over `end`, which tells the others; on those `help`, which returns then.
/// An error of the work is thrown on all ranks.
void lead(const Communicator& ranks, const std::function<void()>& work, const std::function<void()>& end,
          const std::function<void()>& help);

/// Does a step on every rank and ends it together: where it throws an Error on some rank, all ranks throw
/// AgreedError; the message names the rank unless all of them failed. There must be no message to other ranks
/// inside.
template <class Step>
auto in_step(const Communicator& ranks, const Step& step) {
  using Result = std::invoke_result_t<const Step&>;
  const auto attempt = [&](const auto& work) {
    try {
      work();
      agree_on(ranks, nullptr);
    } catch (const AgreedError&) {
      throw;
    } catch (const Error& error) {
      agree_on(ranks, &error);
    } catch (const std::bad_alloc&) {
      const Error error(ErrorCode::out_of_memory, "out of memory");
      agree_on(ranks, &error);
    }
  };
  if constexpr (std::is_void_v<Result>) {
    attempt(step);
  } else {
    std::optional<Result> result;
    attempt([&] { result.emplace(step()); });
    return std::move(*result);
  }
}

}  // namespace mercer::cluster

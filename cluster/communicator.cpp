#include "cluster/communicator.hpp"

#include <fmt/format.h>

#include <exception>
#include <limits>

namespace mercer::cluster {

namespace {

// MPI counts in int: longer blocks are sent in parts.
constexpr std::size_t longest = std::size_t(1) << 30;

template <class Call>
void in_parts(std::size_t bytes, const Call& call) {
  for (std::size_t begin = 0; begin < bytes; begin += longest)
    call(begin, int(std::min(longest, bytes - begin)));
}

}  // namespace

void check_mpi(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(ErrorCode::file_access,
              fmt::format("{}: {}", what, std::string_view(text, std::size_t(length))),
              {.hint = "see whether all machines of the job are up and reach each other"});
}

Communicator::Communicator(MPI_Comm ranks) {
  check_mpi(MPI_Comm_dup(ranks, &ranks_), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(ranks_, &rank_);
  MPI_Comm_size(ranks_, &size_);
}

Communicator::~Communicator() {
  int finished = 0;
  MPI_Finalized(&finished);
  if (!finished && ranks_ != MPI_COMM_NULL) MPI_Comm_free(&ranks_);
}

int Communicator::ranks_on_this_machine() const {
  MPI_Comm near = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(ranks_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &near),
            "MPI_Comm_split_type");
  int count = 1;
  MPI_Comm_size(near, &count);
  MPI_Comm_free(&near);
  return count;
}

void Communicator::sum(std::span<double> numbers) const {
  ++traffic_.collectives;
  traffic_.shared_bytes += numbers.size_bytes();
  in_parts(numbers.size_bytes(), [&](std::size_t begin, int bytes) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, numbers.data() + begin / sizeof(double),
                            bytes / int(sizeof(double)), MPI_DOUBLE, MPI_SUM, ranks_),
              "a sum over all ranks");
  });
}

double Communicator::sum(double number) const {
  sum(std::span(&number, 1));
  return number;
}

std::size_t Communicator::sum(std::size_t number) const {
  unsigned long long value = number;
  ++traffic_.collectives;
  traffic_.shared_bytes += sizeof value;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, ranks_),
            "a sum over all ranks");
  return std::size_t(value);
}

double Communicator::most(double number) const {
  ++traffic_.collectives;
  traffic_.shared_bytes += sizeof number;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, ranks_), "a maximum over all ranks");
  return number;
}

void Communicator::broadcast(std::span<std::byte> bytes) const {
  ++traffic_.collectives;
  traffic_.shared_bytes += bytes.size();
  in_parts(bytes.size(), [&](std::size_t begin, int count) {
    check_mpi(MPI_Bcast(bytes.data() + begin, count, MPI_BYTE, 0, ranks_), "a broadcast");
  });
}

void Communicator::broadcast(std::string& text) const {
  std::vector<char> letters(text.begin(), text.end());
  broadcast(letters);
  text.assign(letters.begin(), letters.end());
}

// Blocks may be longer than MPI's counts: those of the others come one after the other to rank 0.
std::vector<std::byte> Communicator::gather_bytes(std::span<const std::byte> own, bool to_all,
                                                  std::vector<std::size_t>* counts) const {
  unsigned long long count = own.size();
  std::vector<unsigned long long> all(static_cast<std::size_t>(size_));
  check_mpi(MPI_Allgather(&count, 1, MPI_UNSIGNED_LONG_LONG, all.data(), 1, MPI_UNSIGNED_LONG_LONG, ranks_),
            "the sizes of blocks");
  ++traffic_.collectives;
  traffic_.shared_bytes += own.size();
  if (counts) counts->assign(all.begin(), all.end());
  std::size_t total = 0;
  for (const auto one : all) total += one;
  constexpr int tag = 1;
  std::vector<std::byte> whole;
  if (first()) {
    whole.resize(total);
    std::copy(own.begin(), own.end(), whole.begin());
    std::size_t place = own.size();
    for (int from = 1; from < size_; ++from) {
      in_parts(all[std::size_t(from)], [&](std::size_t begin, int bytes) {
        check_mpi(
            MPI_Recv(whole.data() + place + begin, bytes, MPI_BYTE, from, tag, ranks_, MPI_STATUS_IGNORE),
            "gathering blocks");
      });
      place += all[std::size_t(from)];
    }
  } else {
    in_parts(own.size(), [&](std::size_t begin, int bytes) {
      check_mpi(MPI_Send(own.data() + begin, bytes, MPI_BYTE, 0, tag, ranks_), "gathering blocks");
    });
  }
  if (to_all) {
    whole.resize(total);
    broadcast(std::span(whole));
  }
  return whole;
}

// MPI counts in int: of longer values each rank's are broadcast in parts.
void Communicator::join(std::span<double> values, std::span<const std::size_t> begins) const {
  ++traffic_.collectives;
  const auto own = std::size_t(rank_);
  traffic_.shared_bytes += (begins[own + 1] - begins[own]) * sizeof(double);
  if (values.size() <= std::size_t(std::numeric_limits<int>::max())) {
    std::vector<int> counts, places;
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
      counts.push_back(int(begins[r + 1] - begins[r]));
      places.push_back(int(begins[r]));
    }
    check_mpi(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values.data(), counts.data(), places.data(),
                             MPI_DOUBLE, ranks_),
              "joining the values of all ranks");
    return;
  }
  for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
    const auto part = std::as_writable_bytes(values.subspan(begins[r], begins[r + 1] - begins[r]));
    in_parts(part.size(), [&](std::size_t begin, int count) {
      check_mpi(MPI_Bcast(part.data() + begin, count, MPI_BYTE, int(r), ranks_),
                "joining the values of all ranks");
    });
  }
}

std::vector<std::byte> Communicator::hand_out(
    const std::function<std::vector<std::byte>(int rank)>& block_of) const {
  constexpr int size_tag = 2, tag = 1;
  ++traffic_.collectives;
  unsigned long long size = 0;
  const auto size_bytes = std::as_writable_bytes(std::span(&size, 1));
  if (first()) {
    for (int to = 1; to < size_; ++to) {
      const std::vector<std::byte> block = block_of(to);
      size = block.size();
      send(size_bytes, to, size_tag).wait();
      send(block, to, tag).wait();
    }
    return block_of(0);
  }
  receive(size_bytes, 0, size_tag).wait();
  std::vector<std::byte> own(size);
  receive(own, 0, tag).wait();
  return own;
}

Communicator::Transfer& Communicator::Transfer::operator=(Transfer&& other) noexcept {
  std::swap(parts_, other.parts_);
  return *this;
}

// While an error ends the work, nobody may be there to wait for: the job is about to be aborted.
Communicator::Transfer::~Transfer() {
  if (!parts_.empty() && std::uncaught_exceptions() == 0)
    MPI_Waitall(int(parts_.size()), parts_.data(), MPI_STATUSES_IGNORE);
}

void Communicator::Transfer::wait() {
  if (parts_.empty()) return;
  const int code = MPI_Waitall(int(parts_.size()), parts_.data(), MPI_STATUSES_IGNORE);
  parts_.clear();
  check_mpi(code, "a block from rank to rank");
}

void Communicator::Transfer::poke() noexcept {
  int ignored = 0;
  if (!parts_.empty()) MPI_Testall(int(parts_.size()), parts_.data(), &ignored, MPI_STATUSES_IGNORE);
}

auto Communicator::send(std::span<const std::byte> bytes, int to, int tag) const -> Transfer {
  ++traffic_.messages;
  traffic_.bytes += bytes.size();
  std::vector<MPI_Request> parts;
  in_parts(bytes.size(), [&](std::size_t begin, int count) {
    check_mpi(MPI_Isend(bytes.data() + begin, count, MPI_BYTE, to, tag, ranks_, &parts.emplace_back()),
              "a block from rank to rank");
  });
  return Transfer(std::move(parts));
}

auto Communicator::receive(std::span<std::byte> bytes, int from, int tag) const -> Transfer {
  std::vector<MPI_Request> parts;
  in_parts(bytes.size(), [&](std::size_t begin, int count) {
    check_mpi(MPI_Irecv(bytes.data() + begin, count, MPI_BYTE, from, tag, ranks_, &parts.emplace_back()),
              "a block from rank to rank");
  });
  return Transfer(std::move(parts));
}

void agree_on(const Communicator& ranks, const Error* own) {
  const double failed = ranks.sum(own ? 1.0 : 0.0);
  if (failed == 0) return;
  if (failed == ranks.size()) throw AgreedError(*own);
  // The first that failed tells the others.
  const int none = std::numeric_limits<int>::max();
  const int teller = int(ranks.least(own ? ranks.rank() : none));
  const std::string said = own && teller == ranks.rank() ? own->what() : "";
  const std::vector<char> text = ranks.gather(std::span(said.data(), said.size()), true);
  const double code = ranks.most(own && teller == ranks.rank() ? double(own->code()) : -1);
  if (teller == 0 && ranks.first()) throw AgreedError(*own);  // in its own words: the others are silent
  throw AgreedError(Error(ErrorCode(int(code)), fmt::format("rank {} of {}: {}", teller, ranks.size(),
                                                            std::string_view(text.data(), text.size()))));
}

void lead(const Communicator& ranks, const std::function<void()>& work, const std::function<void()>& end,
          const std::function<void()>& help) {
  std::optional<Error> failed;
  if (ranks.first()) {
    try {
      work();
    } catch (const AgreedError&) {
      throw;
    } catch (const Error& error) {
      failed.emplace(error);
    }
    end();
  } else {
    help();
  }
  agree_on(ranks, failed ? &*failed : nullptr);
}

}  // namespace mercer::cluster

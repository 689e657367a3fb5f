#include "cluster/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/file.hpp"

namespace mercer::cluster {

namespace {

struct Head {
  char mark[8] = {'m', 'e', 'r', 'c', 'h', 'k', 'p', '1'};
  std::uint64_t fingerprint = 0, rows = 0, columns = 0, iterations = 0;
  std::uint64_t numbers = 0;  // their fingerprint
};

[[noreturn]] void fail(const std::string& path, const std::string& what, std::string hint = {}) {
  throw Error(ErrorCode::file_access, what, {.file = path, .hint = std::move(hint)});
}

// Through a file beside it, on the disk before it takes the place of the one before.
void write_durably(const std::string& path, std::span<const std::span<const std::byte>> parts) {
  const std::string temporary = path + ".part";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(path, fmt::format("the checkpoint cannot be written: {}", std::strerror(errno)));
  const auto give_up = [&](int fault) {
    ::close(file);
    ::unlink(temporary.c_str());
    fail(path, fmt::format("the checkpoint cannot be written: {}", std::strerror(fault)));
  };
  for (std::span<const std::byte> rest : parts)
    while (!rest.empty()) {
      const ssize_t written = ::write(file, rest.data(), std::min(rest.size(), std::size_t(1) << 30));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) give_up(errno);
      rest = rest.subspan(std::size_t(written));
    }
  if (::fsync(file) != 0) give_up(errno);
  ::close(file);
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int fault = errno;
    ::unlink(temporary.c_str());
    fail(path, fmt::format("the checkpoint cannot be put in place: {}", std::strerror(fault)));
  }
}

}  // namespace

Fingerprint& Fingerprint::add(std::span<const std::byte> bytes) noexcept {
  // Eight bytes at a time: the order of bytes within them does not matter on one kind of machine.
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    hash_ = (hash_ ^ word) * 1099511628211u;
    hash_ ^= hash_ >> 29;
  }
  for (; i < bytes.size(); ++i) hash_ = (hash_ ^ std::uint64_t(bytes[i])) * 1099511628211u;
  return *this;
}

Checkpoint::Checkpoint(const Communicator& ranks, std::string path, double every, std::uint64_t fingerprint)
    : ranks_(ranks), path_(std::move(path)), every_(every), fingerprint_(fingerprint) {}

std::span<const std::byte> Checkpoint::checked(std::string_view text, std::optional<std::size_t> rows,
                                               std::size_t columns, std::uint64_t& iterations) const {
  Head head;
  const Head expected;
  if (text.size() < sizeof head || std::memcmp(text.data(), expected.mark, sizeof expected.mark) != 0)
    throw Error(ErrorCode::invalid_file, "this is not a checkpoint",
                {.file = path_, .hint = "name another file, or remove this one to begin anew"});
  std::memcpy(&head, text.data(), sizeof head);
  if (head.fingerprint != fingerprint_ || (rows && head.rows != *rows) || head.columns != columns)
    throw Error(ErrorCode::invalid_file,
                "the checkpoint is that of another fit: the rows, the kernel or a parameter differ",
                {.file = path_, .hint = "name another file, or remove this one to begin anew"});
  const auto numbers = std::as_bytes(std::span(text.data(), text.size())).subspan(sizeof head);
  if (numbers.size() != head.rows * columns * sizeof(double) ||
      Fingerprint().add(numbers).value() != head.numbers)
    throw Error(ErrorCode::invalid_file, "the checkpoint is damaged",
                {.file = path_, .hint = "remove it to begin anew"});
  iterations = head.iterations;
  return numbers;
}

auto Checkpoint::read_all() const -> std::optional<State> {
  if (path_.empty()) return {};
  std::vector<std::byte> bytes;
  std::uint64_t iterations = 0;
  bool found = false;
  in_step(ranks_, [&] {
    if (!ranks_.first() || !std::filesystem::exists(path_)) return;
    const MappedFile file(path_);
    const std::span<const std::byte> numbers = checked(file.text(), {}, 1, iterations);
    bytes.assign(numbers.begin(), numbers.end());
    found = true;
  });
  ranks_.broadcast(iterations);
  if (!ranks_.any(found)) return {};
  ranks_.broadcast(bytes);
  return State{std::size_t(iterations), Communicator::values_of<double>(bytes)};
}

auto Checkpoint::read(std::size_t own_rows, std::size_t columns) const -> std::optional<State> {
  if (path_.empty()) return {};
  const std::size_t rows = ranks_.sum(own_rows);
  const std::vector<std::size_t> counts = ranks_.gather(std::span<const std::size_t>(&own_rows, 1), true);
  std::vector<std::vector<std::byte>> blocks;
  std::uint64_t iterations = 0;
  bool found = false;
  in_step(ranks_, [&] {
    if (!ranks_.first() || !std::filesystem::exists(path_)) return;
    const MappedFile file(path_);
    const std::span<const std::byte> numbers = checked(file.text(), rows, columns, iterations);
    std::size_t place = 0;
    for (const std::size_t count : counts) {
      const auto part = numbers.subspan(place, count * columns * sizeof(double));
      blocks.emplace_back(part.begin(), part.end());
      place += part.size();
    }
    found = true;
  });
  ranks_.broadcast(iterations);
  if (!ranks_.any(found)) return {};
  return State{std::size_t(iterations), Communicator::values_of<double>(
                                            ranks_.hand_out([&](int r) { return blocks[std::size_t(r)]; }))};
}

bool Checkpoint::due() const noexcept {
  return !path_.empty() && std::chrono::duration<double>(Clock::now() - last_).count() >= every_;
}

void Checkpoint::write(std::span<const double> X, std::size_t columns, std::size_t iterations) {
  const std::vector<double> all = ranks_.gather(X);
  in_step(ranks_, [&] {
    if (!ranks_.first()) return;
    Head head;
    head.fingerprint = fingerprint_;
    head.rows = all.size() / columns;
    head.columns = columns;
    head.iterations = iterations;
    head.numbers = Fingerprint().add(std::span<const double>(all)).value();
    const std::span<const std::byte> parts[] = {std::as_bytes(std::span(&head, 1)),
                                                std::as_bytes(std::span(all))};
    write_durably(path_, parts);
  });
  last_ = Clock::now();
}

void Checkpoint::remove() const {
  if (!path_.empty() && ranks_.first()) ::unlink(path_.c_str());
}

}  // namespace mercer::cluster

#include "data/left_out.hpp"

#include <utility>

namespace mercer {

namespace {

thread_local LeftOut* listening = nullptr;

}  // namespace

LeftOut::LeftOut() noexcept : outer_(std::exchange(listening, this)) {}

LeftOut::~LeftOut() { listening = outer_; }

void LeftOut::tell(const std::vector<char>& left) {
  if (!listening) return;
  const std::vector<std::size_t> before = std::exchange(listening->rows_, {});
  std::size_t next = 0, row = 0;  // of those before; of the file
  const auto pass_those_before = [&] {
    for (; next < before.size() && before[next] == row; ++next) listening->rows_.push_back(row++);
  };
  for (const char now : left) {
    pass_those_before();
    if (now) listening->rows_.push_back(row);
    ++row;
  }
  pass_those_before();
}

void LeftOut::forget() noexcept {
  if (listening) listening->rows_.clear();
}

}  // namespace mercer

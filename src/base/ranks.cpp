#include "base/ranks.hpp"

#include <algorithm>

#include "base/byte_message.hpp"

namespace mercer {

namespace {

thread_local const Ranks* ranks_of_thread = nullptr;

}  // namespace

std::vector<std::size_t> Ranks::shares(std::size_t n) const {
  const auto count = std::size_t(size());
  std::vector<std::size_t> begins;
  for (std::size_t r = 0; r <= count; ++r) begins.push_back(n / count * r + std::min(r, n % count));
  return begins;
}

void Ranks::agree_on(const Error* own) const {
  if (!any(own != nullptr)) return;
  std::string told;
  if (own) {
    append_value(told, own->code());
    told += own->what();
  }
  const std::vector<std::string> all = gather(told);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].empty()) continue;
    if (own && int(r) == rank()) throw Error(*own);
    std::string_view rest = all[r];
    const auto code = take_value<ErrorCode>(rest);
    throw Error(code, std::string(rest));
  }
}

SharedWork::SharedWork(const Ranks* ranks) noexcept : outer_(ranks_of_thread) { ranks_of_thread = ranks; }
SharedWork::~SharedWork() { ranks_of_thread = outer_; }
const Ranks* SharedWork::ranks() noexcept { return ranks_of_thread; }

}  // namespace mercer

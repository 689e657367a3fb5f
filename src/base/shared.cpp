#include "mercer/shared.hpp"

#include <atomic>

namespace mercer::detail {

struct Count {
  std::atomic<long> owners{1};
};

Count* new_count() { return new Count; }

void add_owner(Count* count) noexcept { count->owners.fetch_add(1, std::memory_order_relaxed); }

bool drop_owner(Count* count) noexcept {
  if (count->owners.fetch_sub(1, std::memory_order_acq_rel) > 1) return false;
  delete count;
  return true;
}

}  // namespace mercer::detail

#include <fmt/format.h>

#include "base/file.hpp"
#include "data/writers.hpp"

namespace mercer {

void write_rows(const std::string& path, std::string head, std::size_t rows,
                const std::function<void(std::size_t row, std::string& out)>& append) {
  constexpr std::size_t block_bytes = 1 << 20;
  AtomicFile file(path);
  std::string out = std::move(head);
  for (std::size_t i = 0; i < rows; ++i) {
    append(i, out);
    if (out.size() < block_bytes) continue;
    file.write(out);
    out.clear();
  }
  file.write(out);
  file.commit();
}

}  // namespace mercer

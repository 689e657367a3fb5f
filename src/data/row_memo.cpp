#include "data/row_memo.hpp"

#include <cstring>

namespace mercer {

RowMemo::Image RowMemo::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = images_.find(key);
  return found == images_.end() ? nullptr : found->second;
}

void RowMemo::keep(const std::string& key, Image image) const {
  constexpr std::size_t most = (std::size_t(512) << 20) / sizeof(double);
  const std::lock_guard lock(mutex_);
  const std::size_t size = image->values.size();
  if (size > most - kept_ || !images_.emplace(key, std::move(image)).second) return;
  kept_ += size;
}

std::shared_ptr<const RowMemo> RowMemo::select_rows(std::span<const std::size_t> rows) const {
  auto chosen = std::make_shared<RowMemo>();
  const std::lock_guard lock(mutex_);
  for (const auto& [key, image] : images_) {
    auto part = std::make_shared<Dense<double>>(
        Dense<double>{rows.size(), image->cols, Buffer<double>(rows.size() * image->cols)});
    if (image->cols > 0)
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::memcpy(part->values.data() + i * image->cols, image->row(rows[i]), image->cols * sizeof(double));
    chosen->kept_ += part->values.size();
    chosen->images_.emplace(key, std::move(part));
  }
  return chosen;
}

}  // namespace mercer

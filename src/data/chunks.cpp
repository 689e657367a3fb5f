#include "data/chunks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

#include "base/parallel.hpp"
#include "data/byte_counts.hpp"

namespace mercer {

namespace {

/// Where the record under way at `cut` ends; `inside` tells whether `cut` is between quotes.
std::size_t record_end(std::string_view text, std::size_t cut, bool inside) noexcept {
  if (cut > 0 && !inside && text[cut - 1] == '\n') return cut;
  for (; cut < text.size(); ++cut) {
    if (text[cut] == '"') inside = !inside;
    if (text[cut] == '\n' && !inside) return cut + 1;
  }
  return text.size();
}

std::vector<std::string_view> cut_at(std::string_view text, std::size_t chunk_bytes,
                                     const std::vector<char>& inside) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (std::size_t piece = 1; begin < text.size(); ++piece) {
    const std::size_t cut = std::min(text.size(), piece * chunk_bytes);
    if (cut < begin) continue;  // a record longer than a piece has run past this cut
    const std::size_t end = record_end(text, cut, piece < inside.size() && inside[piece]);
    if (end == begin) continue;
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

}  // namespace

std::vector<std::string_view> cut_at_lines(std::string_view text, std::size_t chunk_bytes) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t line_end = text.find('\n', std::min(text.size(), begin + chunk_bytes) - 1);
    const std::size_t end = line_end == text.npos ? text.size() : line_end + 1;
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

std::vector<std::string_view> cut_at_records(const TextSource& source, std::string_view text,
                                             std::size_t chunk_bytes, int threads) {
  // Whether a cut lies between quotes is the parity of the quotes before it (RFC 4180 doubles a quote
  // within).
  const std::size_t pieces = text.size() / chunk_bytes + 1;
  std::vector<char> inside(pieces + 1, 0);
  for_each_chunk(pieces, threads, [&](std::size_t i) {
    const std::string_view piece = text.substr(i * chunk_bytes, chunk_bytes);
    inside[i + 1] = char(piece.find('"') == piece.npos ? 0 : count_lines(piece).quotes % 2);
    source.forget(piece);
  });
  for (std::size_t i = 1; i <= pieces; ++i) inside[i] = char(inside[i] ^ inside[i - 1]);
  return cut_at(text, chunk_bytes, inside);
}

void for_each_chunk(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> lowest{count};
  parallel_for(count, threads, [&](std::size_t i) {
    if (i > lowest.load()) return;
    try {
      task(i);
    } catch (...) {
      failures[i] = std::current_exception();
      for (std::size_t seen = lowest.load(); i < seen && !lowest.compare_exchange_weak(seen, i);) {
      }
    }
  });
  if (lowest < count) std::rethrow_exception(failures[lowest]);
}

}  // namespace mercer

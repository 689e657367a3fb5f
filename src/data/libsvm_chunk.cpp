#include "data/libsvm_chunk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "data/decimal.hpp"
#include "data/libsvm_entry.hpp"
#include "data/refusals.hpp"

namespace mercer {

namespace {

/// Parses one chunk into its part of the arrays.
template <class T>
class ChunkParser {
 public:
  ChunkParser(const TextSource& source, const ReadOptions& options, LibsvmChunk& chunk, Sparse<T>& out,
              Parts& parts)
      : source_(source), options_(options), chunk_(chunk), out_(out), parts_(parts) {}

  void parse() {
    const char* p = chunk_.text.data();
    last_ = p + chunk_.text.size();
    row_ = chunk_.first_row;
    entry_ = chunk_.first_entry;
    while (p != last_) {
      p = skip_spaces(p, last_);
      if (p != last_ && *p != '\n' && *p != '#') {
        const char* const line = p;
        has_query_ = false;
        p = parse_entries(parse_label(p));
        if (has_query_)
          ++chunk_.queries;
        else if (!chunk_.without_query)
          chunk_.without_query = line;
        out_.starts[++row_] = entry_;
      }
      if (p != last_ && *p == '#') p = std::find(p, last_, '\n');
      if (p != last_) ++p;
    }
    chunk_.rows = row_ - chunk_.first_row;
    chunk_.entries = entry_ - chunk_.first_entry;
  }

 private:
  const char* parse_label(const char* p) {
    const char* const end = field_end(p, last_);
    const std::string_view label(p, std::size_t(end - p));
    const bool colon = label.find(':') != label.npos;
    if (!parts_.has_target) return colon ? p : end;  // a label that is not asked for is passed over
    if (colon)
      source_.refuse(p, fmt::format("the line starts with {}, not with a label", in_quotes(label)),
                     "write label index:value …, or set target to none");
    parts_.labels.read(source_, chunk_.number, row_, label);
    return end;
  }

  const char* parse_entries(const char* p) {
    std::int64_t previous = -1;
    for (;;) {
      p = skip_spaces(p, last_);
      if (p == last_ || *p == '\n' || *p == '#') break;
      const char* const first = p;
      std::int64_t index = 0;
      const char* const value = parse_index(first, last_, index);
      if (!value) {
        p = parse_query(first, previous >= 0);
        continue;
      }
      if (index <= previous || index > largest_index) refuse_index(source_, first, index, previous);
      previous = index;
      p = parse_value(value, index);
    }
    chunk_.last_index = std::max(chunk_.last_index, previous);
    return p;
  }

  const char* parse_value(const char* p, std::int64_t index) {
    double value;
    const char* end;
    if (last_ - p >= 2 && detail::is_digit(*p) && p[1] <= ' ') {  // 0/1 features are most of many files
      value = *p - '0';
      end = p + 1;
    } else {
      end = parse_decimal(p, last_, value);
    }
    if (!end || !ends_field(end, last_)) {
      end = field_end(p, last_);
      value = unusual_value(source_, {p, std::size_t(end - p)}, options_.missing);
    }
    T stored;
    if (!narrow(value, {p, std::size_t(end - p)}, stored)) refuse_float(source_, {p, std::size_t(end - p)});
    chunk_.zero_based |= index == 0;
    if (value != 0) {  // the first pass has made room: an entry whose value is not 0 was counted there
      out_.indices[entry_] = std::int32_t(index - 1);
      out_.values[entry_++] = stored;
    }
    return end;
  }

  /// qid:N; any other field is refused.
  const char* parse_query(const char* p, bool behind_entry) {
    const char* const end = field_end(p, last_);
    const std::string_view field(p, std::size_t(end - p));
    if (!field.starts_with("qid:")) refuse_entry(source_, field);
    std::int64_t query = 0;
    const auto [stop, error] = std::from_chars(p + 4, end, query);
    if (error != std::errc{} || stop != end)
      source_.refuse(p, fmt::format("{} is not a query number", in_quotes(field)),
                     "write for example qid:12");
    if (has_query_)
      source_.refuse(p, fmt::format("{} is the second qid of the line", in_quotes(field)), "write one");
    if (behind_entry)
      source_.refuse(p, fmt::format("{} stands behind an entry", in_quotes(field)),
                     "write it right behind the label");
    has_query_ = true;
    parts_.queries[row_] = query;
    return end;
  }

  const TextSource& source_;
  const ReadOptions& options_;
  LibsvmChunk& chunk_;
  Sparse<T>& out_;
  Parts& parts_;
  const char* last_ = nullptr;
  std::size_t row_ = 0, entry_ = 0;
  bool has_query_ = false;
};

}  // namespace

template <class T>
void parse_libsvm_chunk(const TextSource& source, const ReadOptions& options, LibsvmChunk& chunk,
                        Sparse<T>& out, Parts& parts) {
  ChunkParser<T>(source, options, chunk, out, parts).parse();
}

template void parse_libsvm_chunk(const TextSource&, const ReadOptions&, LibsvmChunk&, Sparse<float>&, Parts&);
template void parse_libsvm_chunk(const TextSource&, const ReadOptions&, LibsvmChunk&, Sparse<double>&,
                                 Parts&);

}  // namespace mercer

#include "mercer/word_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "data/text_source.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_data, "word vectors: " + what);
}

/// Whether the starts of `rows` pieces ascend from 0 to `end`.
bool cuts(const std::vector<std::size_t>& starts, std::size_t rows, std::size_t end) {
  return starts.size() == rows + 1 && starts.front() == 0 && starts.back() == end &&
         std::ranges::is_sorted(starts);
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string checksum_of(const WordVectors::Storage& storage) {
  std::uint64_t key = key_of(storage.bytes);
  key = key_of(bytes_of(storage.words), key);
  key = key_of(bytes_of(storage.starts), key);
  key = key_of(bytes_of(storage.first), key);
  return fmt::format("{:016x}", key_of(bytes_of(storage.values), key));
}

bool equal(const WordVectors::Storage& a, const WordVectors::Storage& b) {
  return a.bytes == b.bytes && a.words == b.words && a.starts == b.starts && a.first == b.first &&
         a.values == b.values;
}

/// The vectors that the program has, by their checksums, as long as someone else holds them.
struct Known {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<const WordVectors>> by_checksum;
};
Known& known() {
  static Known all;
  return all;
}

SharedWords words_known_as(const std::string& checksum) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().by_checksum.find(checksum);
  return found == known().by_checksum.end() ? nullptr : found->second.lock();
}

constexpr std::size_t checksum_digits = 16;

/// Where the checksum of "words.tsv#0123456789abcdef" begins; npos where the name has none.
std::size_t place_of_checksum(std::string_view text) {
  if (text.size() <= checksum_digits) return std::string_view::npos;
  const std::size_t mark = text.size() - checksum_digits - 1;
  const bool digits = std::ranges::all_of(
      text.substr(mark + 1), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  return text[mark] == '#' && digits ? mark + 1 : std::string_view::npos;
}

void collect(const Kernel& kernel, std::vector<SharedWords>& found) {
  for (const Leaf* leaf : {kernel.node().leaf(), kernel.node().lender()})
    if (const SharedWords words = leaf ? leaf->words() : nullptr;
        words && std::ranges::find(found, words) == found.end())
      found.push_back(words);
  for (const Kernel& part : kernel.parts()) collect(part, found);
}

}  // namespace

WordVectors::WordVectors(Storage storage) : storage_(std::move(storage)) {
  const Storage& s = storage_;
  const std::size_t n = s.first.size();
  if (n == 0) refuse("there are none");
  if (n > std::size_t(1) << 31) refuse("there are more than 2147483648");
  if (!cuts(s.words, n, s.bytes.size()) || !cuts(s.starts, n, s.values.size()))
    refuse("the places where words and their numbers begin contradict each other");
  for (std::size_t w = 0; w < n; ++w) {
    const std::size_t size = s.starts[w + 1] - s.starts[w];
    constexpr std::size_t most = std::size_t(1) << 31;
    if (s.first[w] > most || size > most - s.first[w])
      refuse(fmt::format("{} has a coordinate beyond {}", in_quotes(word(w)), most));
    dimensions_ = std::max(dimensions_, s.first[w] + size);
    if (word(w).empty()) refuse(fmt::format("word {} is empty", w + 1));
    if (!std::ranges::all_of(vector(w), [](double v) { return std::isfinite(v); }))
      refuse(fmt::format("that of {} has a number that is not finite", in_quotes(word(w))));
  }
  rows_.reserve(n);
  for (std::size_t w = 0; w < n; ++w)
    if (!rows_.emplace(key_of(word(w)), std::uint32_t(w)).second)
      refuse(fmt::format("{} comes twice", in_quotes(word(w))));
  checksum_ = checksum_of(storage_);
}

SharedWords word_vectors(std::span<const std::string> words, std::span<const double> vectors,
                         std::size_t dimensions) {
  if (dimensions == 0 || vectors.size() != words.size() * dimensions)
    refuse(fmt::format("{} words need {} × {} numbers, at least one each, not {}", words.size(), words.size(),
                       dimensions, vectors.size()));
  WordVectors::Storage storage{.values = {vectors.begin(), vectors.end()}};
  for (const std::string& word : words) {
    storage.bytes += word;
    storage.words.push_back(storage.bytes.size());
    storage.starts.push_back(storage.starts.back() + dimensions);
    storage.first.push_back(0);
  }
  return shared_words(WordVectors(std::move(storage)));
}

SharedWords shared_words(WordVectors vectors) {
  const std::lock_guard lock(known().mutex);
  std::erase_if(known().by_checksum, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const WordVectors>& place = known().by_checksum[vectors.checksum()];
  if (const SharedWords held = place.lock()) {
    if (equal(held->storage(), vectors.storage())) return held;
    refuse(fmt::format("two that are not the same have the checksum {}", vectors.checksum()));
  }
  auto made = std::make_shared<const WordVectors>(std::move(vectors));
  place = made;
  return made;
}

std::vector<SharedWords> word_vectors_in(const Kernel& kernel) {
  std::vector<SharedWords> found;
  collect(kernel, found);
  return found;
}

namespace detail {

std::optional<Argument> written(const WordSimilarity& value) {
  if (value.name.empty()) return std::nullopt;
  const std::string& checksum = value.vectors ? value.vectors->checksum() : value.checksum;
  return Word{checksum.empty() ? value.name : value.name + "#" + checksum};
}

void assign(WordSimilarity& value, const Argument& argument) {
  const Word* word = std::get_if<Word>(&argument);
  if (!word || word->text.empty())
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("must be the name of a file, or none, not {}", to_text(argument)));
  value = {};
  if (word->text == "none") return;
  const std::size_t checksum = place_of_checksum(word->text);
  if (checksum == std::string::npos) {
    value.name = word->text;
    return;
  }
  value.name = word->text.substr(0, checksum - 1);
  value.checksum = word->text.substr(checksum);
  value.vectors = words_known_as(value.checksum);
}

void load(WordSimilarity& value) {
  const SharedWords read = read_word_vectors(value.name);
  if (!value.checksum.empty() && read->checksum() != value.checksum)
    throw Error(
        ErrorCode::invalid_data,
        fmt::format("the word vectors are not those that the kernel names: their checksum is {}, not {}",
                    read->checksum(), value.checksum),
        {.file = value.name, .hint = "leave out the # and what follows to take the file as it is"});
  value.vectors = read;
}

}  // namespace detail

}  // namespace mercer

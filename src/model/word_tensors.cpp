#include "model/word_tensors.hpp"

#include <fmt/format.h>

#include "mercer/error.hpp"
#include "model/point_tensors.hpp"

namespace mercer {

namespace {

std::string prefix_of(std::size_t number) { return fmt::format("words.{}", number); }

std::vector<std::size_t> read_counts(const Safetensors& file, const std::string& name) {
  std::vector<std::size_t> counts;
  for (const std::int64_t count : file.get<std::int64_t>(name, {file.tensor(name).count()})) {
    if (count < 0) file.refuse(name, "holds a number below 0");
    counts.push_back(std::size_t(count));
  }
  return counts;
}

}  // namespace

void add_words(std::vector<TensorView>& tensors, const std::vector<SharedWords>& words,
               std::deque<std::vector<std::int64_t>>& kept) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    const WordVectors::Storage& from = words[w]->storage();
    const auto add_counts = [&](const char* name, const std::vector<std::size_t>& counts) {
      const auto& copy = kept.emplace_back(counts.begin(), counts.end());
      tensors.push_back(view(fmt::format("{}.{}", prefix_of(w), name), {copy.size()}, copy.data()));
    };
    add_counts("words", from.words);
    add_counts("starts", from.starts);
    add_counts("first", from.first);
    tensors.push_back(view(prefix_of(w) + ".bytes", {from.bytes.size()},
                           reinterpret_cast<const std::uint8_t*>(from.bytes.data())));
    tensors.push_back(view(prefix_of(w) + ".values", {from.values.size()}, from.values.data()));
  }
}

std::vector<SharedWords> read_words(const Safetensors& file, const std::vector<std::string>& checksums) {
  std::vector<SharedWords> words;
  for (std::size_t w = 0; w < checksums.size(); ++w) {
    const std::string prefix = prefix_of(w);
    const auto bytes = file.get<std::uint8_t>(prefix + ".bytes", {file.tensor(prefix + ".bytes").count()});
    const auto values = file.get<double>(prefix + ".values", {file.tensor(prefix + ".values").count()});
    WordVectors::Storage storage{.words = read_counts(file, prefix + ".words"),
                                 .bytes = {bytes.begin(), bytes.end()},
                                 .starts = read_counts(file, prefix + ".starts"),
                                 .first = read_counts(file, prefix + ".first"),
                                 .values = {values.begin(), values.end()}};
    try {
      words.push_back(shared_words(WordVectors(std::move(storage))));
    } catch (const Error& error) {
      file.refuse(prefix, error.what());
    }
    if (words.back()->checksum() != checksums[w])
      file.refuse(prefix, fmt::format("has the checksum {}, not {}", words.back()->checksum(), checksums[w]));
  }
  return words;
}

}  // namespace mercer

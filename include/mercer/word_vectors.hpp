// How alike words are, for bow(similarity=…): a vector for each word, so that two words are as alike as the
// dot product of their vectors. The vectors are given (word2vec, GloVe), or they are the factor of a table of
// similarities, S = VVᵀ.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mercer/buffer.hpp"

namespace MERCER_EXPORT mercer {

class Kernel;

/// Two words and how alike they are.
struct WordPair {
  std::string first, second;
  double similarity = 0;
};

/// Immutable. Word w has the coordinates [first(w), first(w) + vector(w).size()), and 0 elsewhere: words that
/// no pairs connect share none.
class WordVectors {
 public:
  /// As they are kept in a model file.
  struct Storage {
    std::vector<std::size_t> words{0};   ///< rows + 1: where the bytes of each word begin
    std::string bytes = {};              ///< of the words, one behind the other
    std::vector<std::size_t> starts{0};  ///< rows + 1: where the values of each word begin
    std::vector<std::size_t> first = {};
    std::vector<double> values = {};
  };

  /// Throws Error{data} where the storage contradicts itself, a number is not finite or a word comes twice.
  explicit WordVectors(Storage storage);

  std::size_t rows() const noexcept { return storage_.first.size(); }
  std::size_t dimensions() const noexcept { return dimensions_; }
  /// Whether every word has all coordinates: vectors that were given.
  bool whole() const noexcept { return storage_.values.size() == rows() * dimensions_; }
  std::string_view word(std::size_t w) const noexcept {
    return std::string_view(storage_.bytes)
        .substr(storage_.words[w], storage_.words[w + 1] - storage_.words[w]);
  }
  std::size_t first(std::size_t w) const noexcept { return storage_.first[w]; }
  std::span<const double> vector(std::size_t w) const noexcept {
    return std::span(storage_.values)
        .subspan(storage_.starts[w], storage_.starts[w + 1] - storage_.starts[w]);
  }
  /// By key_of(word); none where it has no vector.
  std::optional<std::size_t> find(std::uint64_t key) const {
    const auto found = rows_.find(key);
    return found == rows_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
  }
  const std::string& checksum() const noexcept { return checksum_; }  ///< 16 hexadecimal digits
  const Storage& storage() const noexcept { return storage_; }

 private:
  Storage storage_;
  std::size_t dimensions_ = 0;
  std::string checksum_;
  std::unordered_map<std::uint64_t, std::uint32_t> rows_;
};

using SharedWords = std::shared_ptr<const WordVectors>;

/// One vector for each word, words.size() × dimensions, row-major. Throws Error{data} as WordVectors does.
SharedWords word_vectors(std::span<const std::string> words, std::span<const double> vectors,
                         std::size_t dimensions);
/// The symmetric table with these similarities, 1 of each word with itself unless given, and 0 for pairs not
/// given. Throws Error{data} where it contradicts itself or is not positive semidefinite, with the words at
/// fault and the smallest eigenvalue.
SharedWords word_similarities(std::span<const WordPair> pairs);
/// A text file of either: lines `word v₁ v₂ … v_d`, after word2vec's first line `count d` or without it; or
/// `word<TAB>word<TAB>similarity`. Throws Error{data} naming the line.
SharedWords read_word_vectors(const std::string& path);
/// The vectors themselves, or equal ones that the program has already. An expression names vectors by their
/// checksum, so that text can be parsed again while they are there.
SharedWords shared_words(WordVectors vectors);

/// What bow(similarity=…) takes: a file that resolve() reads, or vectors with a name for the text.
struct WordSimilarity {
  WordSimilarity() = default;
  WordSimilarity(std::string path) : name(std::move(path)) {}
  WordSimilarity(const char* path) : name(path) {}
  WordSimilarity(SharedWords given, std::string called = "words")
      : name(std::move(called)), vectors(std::move(given)) {}

  std::string name = {};      ///< empty: words are alike only if they are equal
  std::string checksum = {};  ///< of what the file must hold, where that is known
  SharedWords vectors = {};   ///< null: not read yet
};

/// The vectors of all bow(similarity=…) in an expression, each once.
std::vector<SharedWords> word_vectors_in(const Kernel& kernel);

}  // namespace mercer

// What the tests of data share: files that vanish, the words of an error, random and damaged data, exact
// comparison.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "base/random.hpp"
#include "data/formats.hpp"
#include "mercer/dataset.hpp"
#include "mercer/error.hpp"

namespace mercer::testing {

/// A folder that is removed with its contents.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mercer_data_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    return path(name);
  }
  static std::string read(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path path_;
};

/// The message of the Error that `action` throws; a note where it throws none.
inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline Dataset libsvm(std::string_view text, const ReadOptions& options = {},
                      std::size_t chunk = default_chunk_bytes) {
  return read_libsvm(TextSource("f", text), options, chunk);
}
inline Dataset csv(std::string_view text, const ReadOptions& options = {},
                   std::size_t chunk = default_chunk_bytes) {
  return read_table(TextSource("f", text), options, ',', chunk);
}
inline std::string libsvm_refusal(std::string_view text, const ReadOptions& options = {},
                                  std::size_t chunk = default_chunk_bytes) {
  return refusal([&] { libsvm(text, options, chunk); });
}
inline std::string csv_refusal(std::string_view text, const ReadOptions& options = {},
                               std::size_t chunk = default_chunk_bytes) {
  return refusal([&] { csv(text, options, chunk); });
}

inline Target classes(std::vector<std::string> labels, std::vector<std::int32_t> codes = {},
                      std::string name = "") {
  return {Task::classification, std::move(name), std::move(labels), std::move(codes), {}};
}
inline Target real(std::vector<double> values) { return {Task::regression, "", {}, {}, std::move(values)}; }
inline Target outputs(std::vector<double> values, std::size_t columns, std::string name = "") {
  return {Task::regression, std::move(name), {}, {}, std::move(values), columns};
}

template <class T>
bool same_bits(const Buffer<T>& a, const Buffer<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
template <class T>
bool same_storage(const Dense<T>& a, const Dense<T>& b) {
  return a.rows == b.rows && a.cols == b.cols && same_bits(a.values, b.values);
}
template <class T>
bool same_storage(const Sparse<T>& a, const Sparse<T>& b) {
  return a.rows == b.rows && a.cols == b.cols && same_bits(a.starts, b.starts) &&
         same_bits(a.indices, b.indices) && same_bits(a.values, b.values);
}
inline bool same_points(const Points& a, const Points& b) {
  if (a.storage().index() != b.storage().index()) return false;
  return std::visit(
      [&](const auto& left) {
        return same_storage(left, std::get<std::decay_t<decltype(left)>>(b.storage()));
      },
      a.storage());
}
inline void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_TRUE(same_points(a.points, b.points));
  EXPECT_EQ(a.target.task, b.target.task);
  EXPECT_EQ(a.target.labels, b.target.labels);
  EXPECT_EQ(a.target.codes, b.target.codes);
  EXPECT_EQ(a.target.values, b.target.values);
  EXPECT_EQ(a.target.outputs, b.target.outputs);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.queries, b.queries);
}

/// Numbers of every size, with zeros among them; never −0, which LIBSVM text leaves out.
template <class T>
T random_number(Random& random) {
  switch (random.below(6)) {
    case 0:
      return 0;
    case 1:
      return T(double(random.below(10)));
    case 2:
      return T(random.normal());
    case 3:
      return T(double(random.below(100000)) / 1000);
    case 4:
      return T(std::ldexp(random.normal(), int(random.below(200)) - 100));
    default:
      return std::numeric_limits<T>::denorm_min() * T(1 + random.below(5));
  }
}

/// Dense points whose last column holds no 0, so that LIBSVM text keeps its width.
template <class T>
Points random_points(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  Dense<T> dense{rows, cols, Buffer<T>(rows * cols)};
  for (T& value : dense.values) value = random_number<T>(random);
  for (std::size_t i = 0; i < rows && cols > 0; ++i)
    if (dense.values[(i + 1) * cols - 1] == 0) dense.values[(i + 1) * cols - 1] = 1;
  return Points(std::move(dense));
}

/// Changes, removes or inserts a few bytes, most of them out of `bytes`, which mean something to the parser.
inline void damage(std::string& text, std::string_view bytes, Random& random) {
  for (std::uint64_t k = 0; k < 1 + random.below(4) && !text.empty(); ++k) {
    const std::size_t at = random.below(text.size());
    const char byte = bytes[random.below(bytes.size())];
    switch (random.below(4)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.erase(at, 1 + random.below(5));
        break;
      case 2:
        text.insert(at, 1, byte);
        break;
      default:
        text[at] = char(random.below(256));
        break;
    }
  }
}

/// Where the public data stand; empty where they are missing.
inline std::filesystem::path public_data() {
  const char* given = std::getenv("MERCER_DATA");
  const std::filesystem::path path =
      given ? std::filesystem::path(given)
            : std::filesystem::path(__FILE__).parent_path() / ".." / ".." / ".." / "shared" / "data";
  return std::filesystem::is_directory(path) ? path : std::filesystem::path();
}

}  // namespace mercer::testing

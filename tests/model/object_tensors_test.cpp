#include "model/object_tensors.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mercer/error.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

struct File {
  std::string path =
      (std::filesystem::temp_directory_path() / "mercer_object_tensors_test.safetensors").string();
  ~File() { std::filesystem::remove(path); }
};

TEST(ObjectTensors, KeepEveryDomainToTheByte) {
  const File file;
  std::vector<Objects> columns;
  std::vector<ObjectColumn> described;
  for (const Domain domain : every_domain) {
    columns.push_back(random_objects(domain, 6, 3, std::string(name_of(domain))));
    described.push_back({columns.back().name(), domain});
  }
  std::vector<TensorView> tensors;
  std::deque<std::vector<std::int64_t>> kept;
  add_objects(tensors, "points", columns, kept);
  write_safetensors(file.path, {}, tensors);
  const std::vector<Objects> read = read_objects(Safetensors(file.path), "points", described, 6);
  ASSERT_EQ(read.size(), columns.size());
  for (std::size_t c = 0; c < read.size(); ++c) {
    EXPECT_EQ(read[c].name(), columns[c].name());
    for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(read[c].equal(i, columns[c], i)) << columns[c].name();
  }
}

TEST(ObjectTensors, ThatContradictThemselvesAreRefusedByName) {
  const File file;
  std::vector<TensorView> tensors;
  const std::vector<std::int64_t> good{0, 1}, negative{0, -1};
  const std::uint8_t byte = 'a';
  const auto refused = [&](const std::vector<std::int64_t>& starts, std::size_t rows) -> std::string {
    write_safetensors(file.path, {},
                      {{"points.objects.0.starts", Dtype::i64, {starts.size()}, starts.data()},
                       {"points.objects.0.bytes", Dtype::u8, {1}, &byte}});
    try {
      read_objects(Safetensors(file.path), "points", {{"t", Domain::text}}, rows);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused(good, 1), "");
  EXPECT_NE(refused(good, 2).find("has 1 objects, but there are 2 rows"), std::string::npos);
  EXPECT_NE(refused(negative, 1).find("'points.objects.0.starts': holds a number below 0"),
            std::string::npos);
  EXPECT_NE(refused({0, 9}, 1).find("points.objects.0"), std::string::npos);
}

}  // namespace
}  // namespace mercer

#include "model/point_tensors.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mercer/error.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

struct File {
  std::string path =
      (std::filesystem::temp_directory_path() / "mercer_point_tensors_test.safetensors").string();
  ~File() { std::filesystem::remove(path); }
};

TEST(PointTensors, KeepEveryDomainToTheByte) {
  const File file;
  std::vector<Objects> columns;
  std::vector<ObjectColumn> described;
  for (const Domain domain : every_domain) {
    columns.push_back(random_objects(domain, 6, 3, std::string(name_of(domain))));
    described.push_back({columns.back().name(), domain});
  }
  std::vector<TensorView> tensors;
  std::deque<std::vector<std::int64_t>> kept;
  add_points(tensors, "points", Points(std::vector<std::vector<double>>(6)).with_objects(columns), kept);
  write_safetensors(file.path, {}, tensors);
  const std::vector<Objects> read =
      read_points(Safetensors(file.path), "points", 6, 0, {}, described).objects();
  ASSERT_EQ(read.size(), columns.size());
  for (std::size_t c = 0; c < read.size(); ++c) {
    EXPECT_EQ(read[c].name(), columns[c].name());
    for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(read[c].equal(i, columns[c], i)) << columns[c].name();
  }
}

TEST(PointTensors, OfObjectsThatContradictThemselvesAreRefusedByName) {
  const File file;
  std::vector<TensorView> tensors;
  const std::vector<std::int64_t> good{0, 1}, negative{0, -1};
  const std::uint8_t byte = 'a';
  const auto refused = [&](const std::vector<std::int64_t>& starts, std::size_t rows) -> std::string {
    write_safetensors(file.path, {},
                      {{"points", Dtype::f64, {rows, 0}, nullptr},
                       {"points.objects.0.starts", Dtype::i64, {starts.size()}, starts.data()},
                       {"points.objects.0.bytes", Dtype::u8, {1}, &byte}});
    try {
      read_points(Safetensors(file.path), "points", rows, 0, {}, {{"t", Domain::text}});
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

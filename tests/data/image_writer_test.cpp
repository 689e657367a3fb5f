#include <gtest/gtest.h>

#include "data/scratch.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::Scratch;

std::size_t entries(const std::string& folder) {
  return std::size_t(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(ImageWriter, WritesAFolderThatReadsBack) {
  const Scratch scratch;
  const Dataset data = generate("colour_images", {.n = 30});
  write(scratch.path("made/"), data);
  EXPECT_EQ(entries(scratch.path("")), 1u) << "nothing else is left";
  EXPECT_TRUE(std::filesystem::exists(scratch.path("made/0/0029.png"))) << "row 29 is of class 28 mod 14";
  const Dataset back = read(scratch.path("made"));
  ASSERT_EQ(back.rows(), 30u);
  EXPECT_EQ(back.target.labels, data.target.labels);
  std::vector<bool> seen(30);
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 30; ++j)
      if (back.points.objects()[0].equal(i, data.points.objects()[0], j)) {
        seen[j] = true;
        EXPECT_EQ(back.target.codes[i], data.target.codes[j]);
      }
  EXPECT_EQ(seen, std::vector<bool>(30, true));
}

TEST(ImageWriter, WritesImagesWithoutClassesInOrder) {
  const Scratch scratch;
  Dataset data = generate("digit_images", {.n = 12});
  data.target = {};
  write(scratch.path("made"), data, Format::images);
  const Dataset back = read(scratch.path("made"));
  EXPECT_EQ(back.target.task, Task::none);
  ASSERT_EQ(back.rows(), 12u);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_TRUE(back.points.objects()[0].equal(i, data.points.objects()[0], i));
}

TEST(ImageWriter, ReplacesAnEmptyFolderAndNothingElse) {
  const Scratch scratch;
  const Dataset data = generate("digit_images", {.n = 3});
  std::filesystem::create_directory(scratch.path("made"));
  write(scratch.path("made"), data);
  EXPECT_EQ(refusal([&] { write(scratch.path("made"), data); }),
            scratch.path("made") + ": exists already; name a folder that does not");
  const std::string file = scratch.write("file", "x");
  EXPECT_EQ(refusal([&] { write(file, data); }), file + ": exists already; name a folder that does not");
  EXPECT_TRUE(refusal([&] {
                write(scratch.path("none/made"), data);
              }).starts_with(scratch.path("none/made") + ": cannot be created: "));
  EXPECT_EQ(entries(scratch.path("")), 2u);
}

TEST(ImageWriter, RefusesWhatAFolderCannotHoldAndLeavesNothingBehind) {
  const Scratch scratch;
  const std::string path = scratch.path("made");
  Dataset data = generate("digit_images", {.n = 3});
  EXPECT_EQ(refusal([&] { write("-", data, Format::images); }),
            "standard output: images are written as a folder; name one");
  EXPECT_EQ(refusal([&] { write(scratch.path("a.csv"), data); }),
            scratch.path("a.csv") + ": images are written as a folder of .png files, not as a table");
  EXPECT_EQ(refusal([&] { write(path, generate("moons"), Format::images); }),
            path +
                ": a folder of images holds one column of images and nothing else; name a .csv file or "
                "another format");
  data.target.labels[1] = "a/b";
  EXPECT_EQ(refusal([&] { write(path, data); }), path + ": class 'a/b' cannot be the name of a folder");
  data.target = testing::real({1, 2, 3});
  EXPECT_EQ(refusal([&] { write(path, data); }),
            path + ": a folder of images has classes alone, no numbers to learn, weights or queries");
  Images none{Buffer<std::size_t>(2, 0), Buffer<std::uint32_t>(1, 0), Buffer<std::uint32_t>(1, 3), 1, {}};
  const Dataset empty{.points = Points(Objects("image", Domain::image, Objects::Storage(std::move(none))))};
  EXPECT_EQ(refusal([&] { write(path, empty); }), path + ": image 1 has no pixels");
  EXPECT_EQ(entries(scratch.path("")), 0u);
}

}  // namespace
}  // namespace mercer

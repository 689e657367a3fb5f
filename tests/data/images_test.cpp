#include <gtest/gtest.h>

#include "data/image.hpp"
#include "data/png_bytes.hpp"
#include "data/scratch.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

using testing::bytes;
using testing::png_file;
using testing::refusal;
using testing::Scratch;

/// A folder with two classes of grey images: 10/x.pgm (1 × 2), 9/b.png and 9/a.PGM (2 × 1).
struct Folder {
  Scratch scratch;
  std::string path = scratch.path("d");
  Folder() {
    for (const char* name : {"d", "d/10", "d/9"}) std::filesystem::create_directory(scratch.path(name));
    scratch.write("d/10/x.pgm", "P2 2 1 255 3 4");
    scratch.write("d/9/b.png", png_file(1, 8, 0, {bytes({7}), bytes({8})}));
    scratch.write("d/9/a.PGM", "P2 1 2 255 5 6");
  }
};

std::vector<int> pixels_of(const Dataset& data, std::size_t i) {
  const Images& images = data.points.objects().at(0).images();
  return {images.pixels.begin() + images.starts[i], images.pixels.begin() + images.starts[i + 1]};
}

TEST(ImageReader, FindsAClassInEachFolderAndReadsFilesInOrder) {
  const Folder folder;
  for (const int threads : {1, 3}) {
    const Dataset data = read(folder.path, {.threads = threads});
    ASSERT_EQ(data.rows(), 3u);
    EXPECT_EQ(data.points.cols(), 0u);
    EXPECT_EQ(data.points.objects().at(0).name(), "image");
    EXPECT_EQ(data.points.objects().at(0).domain(), Domain::image);
    EXPECT_EQ(data.target.task, Task::classification);
    EXPECT_EQ(data.target.name, "class");
    EXPECT_EQ(data.target.labels, (std::vector<std::string>{"9", "10"})) << "numbers ascend";
    EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{0, 0, 1}));
    EXPECT_EQ(pixels_of(data, 0), (std::vector<int>{5, 6}));
    EXPECT_EQ(pixels_of(data, 1), (std::vector<int>{7, 8}));
    EXPECT_EQ(pixels_of(data, 2), (std::vector<int>{3, 4}));
    EXPECT_EQ(data.points.objects()[0].images().heights[0], 2u);
    EXPECT_EQ(data.points.objects()[0].images().widths[2], 2u);
    EXPECT_TRUE(data.notes.empty());
    ASSERT_EQ(data.schema.columns.size(), 1u);
    EXPECT_EQ(data.schema.columns[0].name, "image");
    EXPECT_EQ(data.schema.columns[0].objects, Domain::image);
    EXPECT_EQ(data.schema.target, "class");
  }
}

TEST(ImageReader, MakesAllImagesColouredWhereOneIs) {
  const Folder folder;
  folder.scratch.write("d/10/y.ppm", "P3 1 1 255 1 2 3");
  const Dataset data = read(folder.path);
  EXPECT_EQ(data.points.objects()[0].images().channels, 3u);
  EXPECT_EQ(pixels_of(data, 0), (std::vector<int>{5, 5, 5, 6, 6, 6}));
  EXPECT_EQ(pixels_of(data, 3), (std::vector<int>{1, 2, 3}));
}

TEST(ImageReader, ReadsImagesWithoutClassesAndSingleOnes) {
  const Folder folder;
  const Dataset flat = read(folder.scratch.path("d/9"));
  EXPECT_EQ(flat.rows(), 2u);
  EXPECT_EQ(flat.target.task, Task::none);
  EXPECT_EQ(flat.schema.target, "");
  EXPECT_EQ(pixels_of(read(folder.scratch.path("d/10/x.pgm")), 0), (std::vector<int>{3, 4}));
  EXPECT_EQ(read(folder.path, {.target = "none"}).target.task, Task::none);
  const Dataset real = read(folder.path, {.task = Task::regression});
  EXPECT_EQ(real.target.values, (std::vector<double>{9, 9, 10}));
}

TEST(ImageReader, LeavesOutOtherFilesWithANote) {
  const Folder folder;
  const std::string text = folder.scratch.write("d/9/notes.txt", "x");
  folder.scratch.write("d/9/.hidden", "x");
  EXPECT_EQ(said(read(folder.path).notes),
            std::vector<std::string>{text + " is not an image and is dropped"});
  std::filesystem::create_directory(folder.scratch.path("d/9/inside"));
  const std::string first = folder.scratch.write("d/list.csv", "x");
  const Dataset data = read(folder.path);
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(said(data.notes), std::vector<std::string>{first + " and 2 more are not images and are dropped"});
}

TEST(ImageReader, RefusesBadImagesOrLeavesThemOutIfAsked) {
  const Folder folder;
  const std::string cut = folder.scratch.write("d/10/a.ppm", "P6 2 2 255\n12");
  const std::string empty = folder.scratch.write("d/10/c.png", "");
  const std::string fault = cut +
                            ": an image of 2 × 2 pixels needs at least 12 bytes behind its header, but 2 "
                            "follow; the file is cut off";
  EXPECT_EQ(refusal([&] { read(folder.path); }), fault);
  const Dataset data = read(folder.path, {.skip_bad = true});
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{0, 0, 1}));
  EXPECT_EQ(pixels_of(data, 2), (std::vector<int>{3, 4}));
  EXPECT_EQ(said(data.notes),
            std::vector<std::string>{"2 of 5 images cannot be read and are dropped; the first: " + fault});
  EXPECT_EQ(refusal([&] { read(empty); }), empty + ": the file is empty; an image is needed");
  const std::string other = folder.scratch.write("d/10/b.png", "GIF89a");
  EXPECT_EQ(refusal([&] { read(other); }),
            other + ": neither a PNG image nor a PPM or PGM image; the file is damaged or something else");
  EXPECT_EQ(refusal([&] { read(other, {.skip_bad = true}); }),
            other +
                ": neither a PNG image nor a PPM or PGM image; the file is damaged or something else (and "
                "none of the other 0 images can be read)");
}

TEST(ImageReader, AClassThatLosesItsImagesIsNone) {
  const Folder folder;
  folder.scratch.write("d/9/a.PGM", "P2");
  folder.scratch.write("d/9/b.png", "P2");
  const Dataset data = read(folder.path, {.skip_bad = true});
  EXPECT_EQ(data.target.labels, std::vector<std::string>{"10"});
  EXPECT_EQ(data.target.codes, std::vector<std::int32_t>{0});
}

TEST(ImageReader, SaysWhichFolderIsWrong) {
  const Folder folder;
  const std::string empty = folder.scratch.path("d/e");
  std::filesystem::create_directory(empty);
  EXPECT_EQ(
      refusal([&] { read(folder.path); }),
      empty +
          ": holds no images (.png, .ppm, .pgm), but each folder is a class; remove it or put images there");
  EXPECT_EQ(refusal([&] { read(empty); }), empty +
                                               ": is a directory, and holds neither images (.png, .ppm, "
                                               ".pgm) nor graphs (NAME_A.txt); a data file is needed");
  EXPECT_EQ(refusal([&] { read(empty, {.format = Format::images}); }),
            empty + ": holds no images (.png, .ppm, .pgm)");
  EXPECT_EQ(refusal([&] { read(folder.path, {.format = Format::csv}); }),
            folder.path +
                ": is a directory, and holds neither images (.png, .ppm, .pgm) nor graphs (NAME_A.txt); a "
                "data file is needed");
  std::filesystem::remove(empty);
  const std::string beside = folder.scratch.write("d/x.pgm", "P2 1 1 1 1");
  EXPECT_EQ(refusal([&] { read(folder.path); }), beside +
                                                     ": an image beside the folder '10'; either all images "
                                                     "are in folders, one for each class, or none is");
}

TEST(ImageReader, RefusesOptionsThatImagesDoNotHave) {
  const Folder folder;
  EXPECT_EQ(
      refusal([&] { read(folder.path, {.target = "y"}); }),
      folder.path +
          ": the target is 'y', but the class of an image is the folder it is in; leave it out, or say none");
  EXPECT_EQ(refusal([&] { read(folder.path, {.weights = "w"}); }),
            folder.path + ": images have no weights; leave them out");
  EXPECT_EQ(refusal([&] { read(folder.path, {.bag = "w"}); }),
            folder.path + ": images have no columns; leave out what is said of them");
  EXPECT_EQ(refusal([&] { read(folder.path, {.drop = {"w"}}); }),
            folder.path + ": column 'w' cannot be dropped: only columns of a .csv or .tsv table can");
}

TEST(ImageReader, NamesTheColumnAsTheSchemaDoes) {
  const Folder folder;
  const Schema schema{.columns = {{.name = "mass", .categories = {}},
                                  {.name = "photo", .categories = {}, .objects = Domain::image}},
                      .target = "",
                      .weights = ""};
  EXPECT_EQ(read(folder.path, {.schema = &schema}).points.objects().at(0).name(), "photo");
  const Schema numbers{.columns = {{.name = "mass", .categories = {}}}, .target = "", .weights = ""};
  EXPECT_EQ(refusal([&] { read(folder.path, {.schema = &numbers}); }),
            folder.path + ": holds images, but none were learned from; other data are needed");
}

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

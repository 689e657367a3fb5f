#include <gtest/gtest.h>

#include "data/formats.hpp"
#include "data/scratch.hpp"
#include "mercer/error.hpp"

namespace mercer {
namespace {

TEST(Formats, ByExtensionInAnyCase) {
  EXPECT_EQ(format_by_extension("a/b.csv"), Format::csv);
  EXPECT_EQ(format_by_extension("b.TSV"), Format::tsv);
  EXPECT_EQ(format_by_extension("b.svm"), Format::libsvm);
  EXPECT_EQ(format_by_extension("b.libsvm"), Format::libsvm);
  EXPECT_EQ(format_by_extension("x.y.npy"), Format::npy);
  EXPECT_EQ(format_by_extension("b.npz"), Format::npz);
  for (const char* path : {"b.png", "a.b/c.PPM", "b.pgm", "b.pnm"})
    EXPECT_EQ(format_by_extension(path), Format::images) << path;
  for (const char* path : {"b.fa", "b.FASTA", "b.fna", "b.ffn", "b.faa"})
    EXPECT_EQ(format_by_extension(path), Format::fasta) << path;
  for (const char* path : {"b.txt", "b", "-", "a.csv/b", "a.b/c", "b.data", ""})
    EXPECT_EQ(format_by_extension(path), Format::automatic) << path;
}

TEST(Formats, ByContent) {
  EXPECT_EQ(format_by_content("\x93NUMPY\x01"), Format::npy);
  EXPECT_EQ(format_by_content("PK\x03\x04rest"), Format::npz);
  EXPECT_EQ(format_by_content(">chr1 3:4\nACGT\n"), Format::fasta);
  EXPECT_EQ(format_by_content("+1 1:0.5 3:2\n"), Format::libsvm);
  EXPECT_EQ(format_by_content("1\n2\n1 qid:3 4:5\n"), Format::libsvm);
  EXPECT_EQ(format_by_content("# a comment 1:2\n1\t1:0.5\n"), Format::libsvm);
  EXPECT_EQ(format_by_content("a,b\n1,2\n"), Format::csv);
  EXPECT_EQ(format_by_content("a\tb\n1\t2\n"), Format::tsv);
  EXPECT_EQ(format_by_content("time,x\n12:30,5\n"), Format::csv);
  EXPECT_EQ(format_by_content("1\n2\n"), Format::csv);
  EXPECT_EQ(format_by_content(""), Format::csv);
}

TEST(Formats, OfAFolderByTheFilesInIt) {
  const testing::Scratch scratch;
  EXPECT_EQ(folder_format(scratch.path("none")), Format::automatic);
  std::filesystem::create_directories(scratch.path("d/c/e"));
  scratch.write("d/a.txt", "");
  scratch.write("d/c/e/a.png", "");
  EXPECT_EQ(folder_format(scratch.path("d")), Format::automatic) << "classes have no folders inside";
  scratch.write("d/c/a.pgm", "");
  EXPECT_EQ(folder_format(scratch.path("d")), Format::images);
  EXPECT_EQ(folder_format(scratch.path("d/c")), Format::images);
  scratch.write("d/G_A.txt", "");
  EXPECT_EQ(folder_format(scratch.path("d")), Format::graphs);
}

TEST(Formats, TheExtensionComesFirst) {
  EXPECT_EQ(format_of("x.csv", "1 1:2"), Format::csv);
  EXPECT_EQ(format_of("x.txt", "1 1:2"), Format::libsvm);
}

TEST(WriteRows, PutsTheHeadAndEveryRowInOrderWhateverTheirLength) {
  const testing::Scratch scratch;
  const std::string path = scratch.path("rows.txt");
  for (const std::size_t rows : {0, 1, 3, 5000}) {  // the last in several blocks
    std::string expected = "head\n";
    write_rows(path, "head\n", rows, [&](std::size_t i, std::string& out) {
      const std::string row = std::to_string(i) + std::string(i % 1000, 'x') + "\n";
      out += row;
      expected += row;
    });
    EXPECT_EQ(testing::Scratch::read(path), expected);
  }
}

TEST(WriteRows, LeavesTheOldFileWhereARowIsRefused) {
  const testing::Scratch scratch;
  const std::string path = scratch.path("rows.txt");
  write_rows(path, "old", 0, {});
  EXPECT_THROW(write_rows(path, "new", 2,
                          [](std::size_t i, std::string&) {
                            if (i == 1) throw Error(ErrorCode::invalid_data, "no");
                          }),
               Error);
  EXPECT_EQ(testing::Scratch::read(path), "old");
}

}  // namespace
}  // namespace mercer

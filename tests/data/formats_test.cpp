#include "data/formats.hpp"

#include <gtest/gtest.h>

namespace mercer {
namespace {

TEST(Formats, ByExtensionInAnyCase) {
  EXPECT_EQ(format_by_extension("a/b.csv"), Format::csv);
  EXPECT_EQ(format_by_extension("b.TSV"), Format::tsv);
  EXPECT_EQ(format_by_extension("b.svm"), Format::libsvm);
  EXPECT_EQ(format_by_extension("b.libsvm"), Format::libsvm);
  EXPECT_EQ(format_by_extension("x.y.npy"), Format::npy);
  EXPECT_EQ(format_by_extension("b.npz"), Format::npz);
  for (const char* path : {"b.txt", "b", "-", "a.csv/b", "a.b/c", "b.data", ""})
    EXPECT_EQ(format_by_extension(path), Format::automatic) << path;
}

TEST(Formats, ByContent) {
  EXPECT_EQ(format_by_content("\x93NUMPY\x01"), Format::npy);
  EXPECT_EQ(format_by_content("PK\x03\x04rest"), Format::npz);
  EXPECT_EQ(format_by_content("+1 1:0.5 3:2\n"), Format::libsvm);
  EXPECT_EQ(format_by_content("1\n2\n1 qid:3 4:5\n"), Format::libsvm);
  EXPECT_EQ(format_by_content("# a comment 1:2\n1\t1:0.5\n"), Format::libsvm);
  EXPECT_EQ(format_by_content("a,b\n1,2\n"), Format::csv);
  EXPECT_EQ(format_by_content("a\tb\n1\t2\n"), Format::tsv);
  EXPECT_EQ(format_by_content("time,x\n12:30,5\n"), Format::csv);
  EXPECT_EQ(format_by_content("1\n2\n"), Format::csv);
  EXPECT_EQ(format_by_content(""), Format::csv);
}

TEST(Formats, TheExtensionComesFirst) {
  EXPECT_EQ(format_of("x.csv", "1 1:2"), Format::csv);
  EXPECT_EQ(format_of("x.txt", "1 1:2"), Format::libsvm);
}

}  // namespace
}  // namespace mercer

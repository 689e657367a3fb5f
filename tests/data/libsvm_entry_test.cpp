// The scanning of single entries; the refusals are met in full, with their places, in libsvm_chunk_test.cpp.
#include "data/libsvm_entry.hpp"

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

TEST(LibsvmEntry, AnIndexEndsWithAColon) {
  const auto rest = [](std::string_view text, std::int64_t expected) {
    std::int64_t index = -1;
    const char* const value = parse_index(text.data(), text.data() + text.size(), index);
    EXPECT_EQ(index, expected) << text;
    return value ? std::string(value, text.data() + text.size()) : "none";
  };
  EXPECT_EQ(rest("12:0.5 13:1", 12), "0.5 13:1");
  EXPECT_EQ(rest("0:", 0), "");
  EXPECT_EQ(rest("12", 12), "none");
  EXPECT_EQ(rest(":1", 0), "none");
  EXPECT_EQ(rest("-1:1", 0), "none");
  EXPECT_EQ(rest("", 0), "none");
  EXPECT_EQ(rest("99999999999:1", 99999999999), "1");
  EXPECT_EQ(rest("999999999999:1", 99999999999), "none");  // stops before it could overflow
}

TEST(LibsvmEntry, FieldsEndAtSpacesAndLineEnds) {
  const std::string_view text = " \tab\r\n";
  const char *const first = text.data(), *const last = first + text.size();
  EXPECT_EQ(skip_spaces(first, last), first + 2);
  EXPECT_EQ(field_end(first + 2, last), first + 4);
  EXPECT_EQ(skip_spaces(first + 4, last), first + 5);
  EXPECT_TRUE(ends_field(last, last));
}

TEST(LibsvmEntry, RefusesWithThePlace) {
  const TextSource source("f", "1 2:1 x 2:4");
  EXPECT_EQ(refusal([&] { refuse_entry(source, source.text().substr(6, 1)); }),
            "f:1:7: 'x' is not index:value; write for example 3:0.5");
  EXPECT_EQ(refusal([&] { refuse_index(source, source.text().data() + 8, 2, 2); }),
            "f:1:9: index '2' appears twice in the line; give each index once");
}

}  // namespace
}  // namespace mercer

// What an error says, in the words of the library and in those of an interface.
#include "mercer/error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mercer {
namespace {

std::string shouted(const Hint& hint) {
  return "USE " + std::string(name_of(hint.remedy)) + (hint.value.empty() ? "" : "=" + hint.value);
}

TEST(Error, SaysPlaceOwnerProblemAndHints) {
  const Error bare(ErrorCode::invalid_data, "it is wrong");
  EXPECT_STREQ(bare.what(), "it is wrong");
  const Error full(ErrorCode::invalid_file, "'x' is not a number",
                   {.file = "a.csv",
                    .line = 3,
                    .column = 7,
                    .owner = "svm",
                    .hint = "write one",
                    .hints = {{Remedy::skip_bad_rows}, {Remedy::list_names, "kernels"}},
                    .excerpt = "\n  x\n  ^"});
  EXPECT_STREQ(full.what(),
               "a.csv:3:7: svm: 'x' is not a number; write one, or skip such rows (the catalogue of kernels "
               "lists all)\n  x\n  ^");
  EXPECT_EQ(full.said(shouted),
            "a.csv:3:7: svm: 'x' is not a number; write one, or USE skip_bad_rows (USE list_names=kernels)\n "
            " x\n  ^");
  EXPECT_EQ(full.problem(), "'x' is not a number");
  EXPECT_STREQ(Error(ErrorCode::out_of_memory, "p",
                     {.file = "f", .hints = {{Remedy::more_memory}, {Remedy::approximate, "nystrom:9"}}})
                   .what(),
               "f: p; allow more memory, or use a kernel approximation such as nystrom:9");
}

TEST(Error, OfAParameterHasItsParts) {
  const Error error = Error::of_parameter("svm", "C", "must be > 0", "-1");
  EXPECT_STREQ(error.what(), "svm: C must be > 0, not -1");
  EXPECT_EQ(error.code(), ErrorCode::invalid_parameter);
  EXPECT_EQ(error.details().owner, "svm");
  EXPECT_EQ(error.details().parameter, "C");
  EXPECT_EQ(error.details().requirement, "must be > 0");
  EXPECT_EQ(error.details().value, "-1");
  EXPECT_STREQ(Error::of_parameter("", "k", "cannot be 'x'", "", "choose from a, b").what(),
               "k cannot be 'x'; choose from a, b");
}

TEST(Error, IsToldOfItsOwnerAndItsFileLater) {
  const Error error(ErrorCode::invalid_parameter, "must be a number, not x", {.hint = "try 1"});
  EXPECT_STREQ(error.about("rbf", "gamma").what(), "rbf: gamma must be a number, not x; try 1");
  EXPECT_STREQ(error.about("rbf", "gamma").about("file row 3").what(),
               "file row 3: rbf: gamma must be a number, not x; try 1");
  EXPECT_EQ(error.about("rbf", "gamma").details().parameter, "gamma");
  const Error inside = error.in_file("m.mercer");
  EXPECT_STREQ(inside.what(), "m.mercer: must be a number, not x; try 1");
  EXPECT_EQ(inside.code(), ErrorCode::invalid_file) << "what would be wrong usage is a wrong file";
  EXPECT_STREQ(inside.in_file("other").what(), inside.what());
  EXPECT_EQ(Error(ErrorCode::out_of_memory, "p").in_file("f").code(), ErrorCode::out_of_memory);
}

TEST(Error, EveryCodeHasANameAndAKind) {
  std::set<std::string_view> names;
  ErrorKind last = ErrorKind::usage;
  for (int code = 0; code <= int(ErrorCode::cancelled); ++code) {
    EXPECT_TRUE(names.insert(name_of(ErrorCode(code))).second);
    EXPECT_GE(kind_of(ErrorCode(code)), last);
    last = kind_of(ErrorCode(code));
  }
  EXPECT_EQ(kind_of(ErrorCode::unknown_name), ErrorKind::usage);
  EXPECT_EQ(kind_of(ErrorCode::file_access), ErrorKind::data);
  EXPECT_EQ(kind_of(ErrorCode::not_finite), ErrorKind::data);
  EXPECT_EQ(kind_of(ErrorCode::out_of_memory), ErrorKind::budget);
  EXPECT_EQ(kind_of(ErrorCode::too_large), ErrorKind::budget);
  EXPECT_EQ(kind_of(ErrorCode::cancelled), ErrorKind::cancelled);
  EXPECT_EQ(name_of(ErrorCode::out_of_time), "out_of_time");
  EXPECT_EQ(name_of(ErrorCode::missing_library), "missing_library");
}

TEST(Remedies, HaveNamesAndPlainWords) {
  std::set<std::string_view> names;
  for (int remedy = 0; remedy <= int(Remedy::search_axes); ++remedy) {
    EXPECT_TRUE(names.insert(name_of(Remedy(remedy))).second);
    EXPECT_EQ(plain_words({Remedy(remedy), "it"}).find("{}"), std::string::npos);
  }
  EXPECT_EQ(name_of(Remedy::search_axes), "search_axes");
  EXPECT_EQ(plain_words({Remedy::drop_column, "age"}), "drop column age");
}

TEST(Notes, AreSentencesWithHints) {
  EXPECT_EQ(Note("all is well").said(), "all is well");
  const std::vector<Note> notes{"first", {"second", {{Remedy::name_target}, {Remedy::read_as_classes}}}};
  EXPECT_EQ(said(notes),
            (std::vector<std::string>{"first", "second; name the target column, or read it as classes"}));
  EXPECT_EQ(notes[1].said(shouted), "second; USE name_target, or USE read_as_classes");
}

}  // namespace
}  // namespace mercer

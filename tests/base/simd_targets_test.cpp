#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <optional>
#include <set>

#include "operators/entries.hpp"
#include "operators/simd/evaluate.hpp"
#include "solvers/simd/smo_steps.hpp"
#include "base/simd/targets.hpp"

namespace mercer::simd {
namespace {

/// MERCER_SIMD is `value` while this lives.
class Forced {
 public:
  explicit Forced(const std::string& value) {
    if (const char* before = std::getenv("MERCER_SIMD")) kept_ = before;
    setenv("MERCER_SIMD", value.c_str(), 1);
  }
  ~Forced() {
    if (kept_)
      setenv("MERCER_SIMD", kept_->c_str(), 1);
    else
      unsetenv("MERCER_SIMD");
  }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;

 private:
  std::optional<std::string> kept_;
};

TEST(SimdTargets, AreNamedOnceInLowerCase) {
  const auto sets = instruction_sets();
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(std::set<std::string>(sets.begin(), sets.end()).size(), sets.size());
  for (const std::string& set : sets) {
    EXPECT_FALSE(set.empty());
    for (const unsigned char c : set) EXPECT_FALSE(std::isupper(c)) << set;
  }
}

TEST(SimdTargets, HaveAPlaceOfTheirOwnInTheTables) {
  const auto sets = instruction_sets();
  std::set<std::size_t> places;
  for (const std::string& set : sets) places.insert(table_index(set));
  EXPECT_EQ(places.size(), sets.size());
  EXPECT_FALSE(places.contains(0));  // where Highway chooses by itself
  EXPECT_EQ(table_index(""), table_index(sets.front()));
}

TEST(SimdTargets, AreChosenByTheEnvironment) {
  const auto sets = instruction_sets();
  for (const std::string& set : sets) {
    const Forced forced(set);
    EXPECT_EQ(table_index(), table_index(set)) << set;
    EXPECT_EQ(&functions(), &functions(set)) << set;
    EXPECT_EQ(&steps<float>(), &steps<float>(set)) << set;
    EXPECT_EQ(&steps<double>(), &steps<double>(set)) << set;
  }
  const Forced forced("");
  EXPECT_EQ(table_index(), table_index(sets.front()));
  EXPECT_EQ(&functions(), &functions(sets.front()));
}

TEST(SimdTargets, RefuseOtherNames) {
  for (const std::string name : {"mmx", "AVX2", " ", "avx"}) {
    const Forced forced(name);
    for (const Error& error :
         {thrown_by([] { (void)table_index(); }), thrown_by([&] { (void)table_index(name); }),
          thrown_by([] { functions(); }), thrown_by([] { (void)steps<float>(); })}) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_TRUE(contains(
          error.what(), "MERCER_SIMD=" + name + " is not an instruction set of this machine; choose from "))
          << error.what();
      for (const std::string& set : instruction_sets())
        EXPECT_TRUE(contains(error.what(), set)) << error.what();
    }
  }
}

}  // namespace
}  // namespace mercer::simd

#include "base/ranks.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/byte_message.hpp"

namespace mercer {
namespace {

class Alone : public Ranks {
 public:
  Alone(int rank, int size) : rank_(rank), size_(size) {}
  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  bool any(bool here) const override { return here; }
  std::size_t sum(std::size_t number) const override { return number; }
  void join(std::span<double>, std::span<const std::size_t>) const override {}
  void take_first(std::span<double>) const override {}
  std::vector<std::string> gather(const std::string& own) const override { return {own}; }

 private:
  int rank_, size_;
};

TEST(Ranks, ShareThingsEvenly) {
  EXPECT_EQ(Alone(0, 3).shares(11), (std::vector<std::size_t>{0, 4, 8, 11}));
  EXPECT_EQ(Alone(0, 4).shares(2), (std::vector<std::size_t>{0, 1, 2, 2, 2}));
  EXPECT_EQ(Alone(0, 1).shares(0), (std::vector<std::size_t>{0, 0}));
  for (std::size_t number = 0; number < 12; ++number) {
    int owners = 0;
    for (int rank = 0; rank < 5; ++rank) owners += Alone(rank, 5).owns(number);
    EXPECT_EQ(owners, 1) << number;
  }
}

TEST(Ranks, ThrowTheErrorOfTheFirstThatHasOne) {
  const Alone ranks(0, 1);
  ranks.agree_on(nullptr);
  const Error error(ErrorCode::out_of_time, "too late", {.hint = "start earlier"});
  try {
    ranks.agree_on(&error);
    FAIL();
  } catch (const Error& thrown) {
    EXPECT_EQ(thrown.code(), ErrorCode::out_of_time);
    EXPECT_STREQ(thrown.what(), error.what());
  }
}

// What another rank tells.
TEST(Ranks, ThrowWhatAnotherRankMet) {
  class Second : public Alone {
   public:
    Second() : Alone(1, 2) {}
    bool any(bool) const override { return true; }
    std::vector<std::string> gather(const std::string& own) const override {
      std::string first;
      append_value(first, ErrorCode::invalid_data);
      return {first + "a bad row", own};
    }
  };
  const Second second;
  try {
    by_first(&second, [] { ADD_FAILURE() << "rank 0 alone does it"; });
    FAIL();
  } catch (const Error& thrown) {
    EXPECT_EQ(thrown.code(), ErrorCode::invalid_data);
    EXPECT_STREQ(thrown.what(), "a bad row");
  }
}

TEST(SharedWork, IsOfItsThreadAndScope) {
  EXPECT_EQ(SharedWork::ranks(), nullptr);
  const Alone ranks(0, 2);
  {
    const SharedWork shared(&ranks);
    EXPECT_EQ(SharedWork::ranks(), &ranks);
    std::thread([] { EXPECT_EQ(SharedWork::ranks(), nullptr); }).join();
    {
      const SharedWork alone(nullptr);
      EXPECT_EQ(SharedWork::ranks(), nullptr);
    }
    EXPECT_EQ(SharedWork::ranks(), &ranks);
  }
  EXPECT_EQ(SharedWork::ranks(), nullptr);
}

}  // namespace
}  // namespace mercer

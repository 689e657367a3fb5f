#include "cluster/communicator.hpp"

#include <gtest/gtest.h>

#include "mercer/error.hpp"

namespace mercer::cluster {
namespace {

TEST(Communicator, SumsGathersAndBroadcasts) {
  const Communicator ranks(MPI_COMM_WORLD);
  const int size = ranks.size(), rank = ranks.rank();
  EXPECT_EQ(ranks.sum(double(rank + 1)), size * (size + 1) / 2);
  EXPECT_EQ(ranks.sum(std::size_t(2)), std::size_t(2 * size));
  EXPECT_EQ(ranks.most(rank), size - 1);
  EXPECT_EQ(ranks.least(rank), 0);
  std::string text = rank == 0 ? "of rank 0" : "another";
  ranks.broadcast(text);
  EXPECT_EQ(text, "of rank 0");
  const std::vector<int> own(std::size_t(rank), rank);  // rank r has r of them, rank 0 none
  std::vector<int> expected;
  for (int r = 0; r < size; ++r) expected.insert(expected.end(), std::size_t(r), r);
  EXPECT_EQ(ranks.gather(std::span<const int>(own), true), expected);
  const std::vector<int> at_first = ranks.gather(std::span<const int>(own));
  EXPECT_EQ(at_first, rank == 0 ? expected : std::vector<int>());
}

TEST(Communicator, HandsOutBlocks) {
  const Communicator ranks(MPI_COMM_WORLD);
  std::vector<std::vector<std::byte>> blocks;
  for (int r = 0; ranks.first() && r < ranks.size(); ++r)
    blocks.emplace_back(std::size_t(3 * r), std::byte(r));
  const auto own = ranks.hand_out([&](int r) { return blocks.at(std::size_t(r)); });
  EXPECT_EQ(own, std::vector<std::byte>(std::size_t(3 * ranks.rank()), std::byte(ranks.rank())));
}

TEST(Communicator, SendsAroundTheRingAndCounts) {
  const Communicator ranks(MPI_COMM_WORLD);
  const int size = ranks.size(), to = (ranks.rank() + 1) % size, from = (ranks.rank() + size - 1) % size;
  const Traffic before = ranks.traffic();
  const double own = ranks.rank();
  double theirs = -1;
  {
    auto in = ranks.receive(std::as_writable_bytes(std::span(&theirs, 1)), from, 9);
    auto out = ranks.send(std::as_bytes(std::span(&own, 1)), to, 9);
    in.wait();
    out.wait();
  }
  EXPECT_EQ(theirs, from);
  EXPECT_EQ(ranks.traffic() - before, (Traffic{1, 8, 0, 0}));
}

TEST(Communicator, SharesCoverAllRowsOnce) {
  for (const std::size_t rows : {0, 1, 2, 3, 10, 101})
    for (const int ranks : {1, 2, 3, 7}) {
      std::size_t next = 0;
      for (int r = 0; r < ranks; ++r) {
        const Range own = Share{rows, ranks}.of(r);
        EXPECT_EQ(own.begin, next);
        EXPECT_LE(own.size(), rows / std::size_t(ranks) + 1);
        next = own.end;
      }
      EXPECT_EQ(next, rows);
    }
}

TEST(Communicator, AnErrorOfOneRankIsOneOfAll) {
  const Communicator ranks(MPI_COMM_WORLD);
  const int last = ranks.size() - 1;
  try {
    in_step(ranks, [&] {
      if (ranks.rank() == last) throw Error(ErrorCode::invalid_data, "row 3 is odd");
    });
    FAIL() << "nothing was thrown";
  } catch (const AgreedError& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_data);
    const std::string expected =
        last == 0 ? "row 3 is odd"
                  : "rank " + std::to_string(last) + " of " + std::to_string(last + 1) + ": row 3 is odd";
    EXPECT_EQ(std::string(error.what()), expected);
  }
  EXPECT_EQ(in_step(ranks, [] { return 3; }), 3);
}

}  // namespace
}  // namespace mercer::cluster

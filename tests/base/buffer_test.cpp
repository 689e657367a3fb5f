#include "mercer/buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

#include "base/refusal.hpp"

namespace mercer {
namespace {

TEST(Buffer, IsAlignedForTheWidestVectorsAtEverySize) {
  for (const std::size_t bytes : {1u, 63u, 64u, 65u, 4097u, (4u << 20) - 1, 4u << 20, (4u << 20) + 1}) {
    Buffer<char> buffer(bytes, 'x');
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u) << bytes;
    EXPECT_EQ(buffer.size(), bytes);
    EXPECT_EQ(buffer[bytes - 1], 'x');
  }
}

TEST(Buffer, StartsHugePagesOnAHugePage) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Buffer<char>(5u << 20).data()) % (2u << 20), 0u);
}

TEST(Buffer, OfNothingHoldsNothing) {
  const Buffer<double> none(0), standard;
  EXPECT_TRUE(none.empty() && standard.empty());
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_EQ(none.data(), nullptr);
}

TEST(Buffer, MovesItsElements) {
  Buffer<int> first(3, 7);
  const int* const where = first.data();
  Buffer<int> second(std::move(first));
  EXPECT_EQ(second.data(), where);
  EXPECT_TRUE(first.empty());
  Buffer<int> third(5, 1);
  third = std::move(second);
  EXPECT_EQ(third.data(), where);
  EXPECT_EQ(std::accumulate(third.begin(), third.end(), 0), 21);
}

TEST(Buffer, RefusesWhatDoesNotFitInMemory) {
  EXPECT_EQ(refusal(ErrorKind::budget, [] { Buffer<char>{SIZE_MAX / 2 + 1}; }),
            "cannot allocate 9.22e+12 MB of memory");
  EXPECT_EQ(refusal(ErrorKind::budget, [] { Buffer<double>{(std::size_t(1) << 61) + 1}; }),  // in bytes: 8
            "cannot allocate 1.84e+13 MB of memory");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which end the program instead
  EXPECT_EQ(refusal(ErrorKind::budget, [] { Buffer<char>{std::size_t(1) << 60}; }),
            "cannot allocate 1152921504606.8 MB of memory");
#endif
}

}  // namespace
}  // namespace mercer

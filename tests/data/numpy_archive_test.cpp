#include "data/numpy.hpp"

#include "data/npy_bytes.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::bytes_of;
using testing::npy;
using testing::refusal;
using testing::Scratch;
using testing::zip;

std::string open_refusal(const std::string& bytes, const std::string& name = "X") {
  const Scratch scratch;
  const std::string path = scratch.write("a.npz", bytes);
  std::string message = refusal([&] {
    const MappedFile file(path);
    ZipArchive(file).open(name).numbers();
  });
  if (message.starts_with(path)) message.erase(1, path.size() - 1).front() = 'f';
  return message;
}

const std::string list = npy("<f8", "(2,)", bytes_of<double>({1, 2}));

TEST(ZipArchive, ArraysByName) {
  const Scratch scratch;
  const MappedFile file(scratch.write("a.npz", zip({{"X.npy", list}, {"other", list}})));
  const ZipArchive archive(file);
  EXPECT_EQ(archive.names(), (std::vector<std::string>{"X", "other"}));
  EXPECT_TRUE(archive.has("other"));
  EXPECT_FALSE(archive.has("y"));
  EXPECT_EQ(archive.open("X").numbers(), (std::vector<double>{1, 2}));
  EXPECT_EQ(archive.open("other").numbers(), (std::vector<double>{1, 2}));
}

TEST(ZipArchive, RefusesDamageAndHostility) {
  EXPECT_EQ(open_refusal(zip({{"X.npy", list}}), "Y"),
            "f: array 'Y': it is not in the file; the arrays are 'X'");
  EXPECT_EQ(open_refusal(zip({{"X.npy", list}, {"X", list}})),
            "f: two arrays are called 'X'; give each its own name");
  EXPECT_EQ(open_refusal(zip({{"X.npy", "short"}})),
            "f: array 'X': this is not a .npy array; it is too short");
  EXPECT_EQ(open_refusal(zip({{"X.npy", "this is no array"}})),
            "f: array 'X': this is not a .npy array; its first bytes are not NumPy's");
  EXPECT_EQ(open_refusal(zip({{"X.npy", npy("<f8", "(1000000000000,)", "x")}})),
            "f: array 'X': the file is cut short: shape (1000000000000) of '<f8' needs 8000000000000 bytes, "
            "1 are there");
  EXPECT_EQ(open_refusal(zip({{"X.npy", list}}, 4000000000u, 8)),
            "f: array 'X': 4000000000 bytes cannot come out of " + std::to_string(list.size()) +
                "; the archive is damaged or hostile");
  EXPECT_EQ(open_refusal("PK\x03\x04 and nothing").substr(0, 30), "f: this is not a .npz archive:");
}

TEST(ZipArchive, AWrongChecksumIsSeen) {
  std::string bytes = zip({{"X.npy", list}});
  const std::size_t at = bytes.find(bytes_of<double>({1, 2}));
  bytes[at + 3] = char(bytes[at + 3] ^ 1);
  EXPECT_EQ(open_refusal(bytes).substr(0, 37), "f: array 'X': the archive is damaged:");
}

}  // namespace
}  // namespace mercer

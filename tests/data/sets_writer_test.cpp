#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "mercer/dataset.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

void write_text(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(SetsWriter, WritesWhatIsReadBack) {
  const ScratchFolder folder;
  for (const std::string text :
       {"fruit\tapple pear apple\nnone\t\n", "1.5\t1,2 3,4.25\n2.5\t\n", "a b\nc\n", "1,2\n3,4 5,6\n"}) {
    write_text(folder / "in.sets", text);
    write(folder / "out.sets", read(folder / "in.sets"));
    EXPECT_EQ(mercer::bytes_of(folder / "out.sets"), text);
  }
}

TEST(SetsWriter, RefusesWhatWouldNotReadBack) {
  const ScratchFolder folder;
  const auto refused = [&](const Dataset& data) {
    return refusal(ErrorKind::data, [&] { write(folder / "out.sets", data); });
  };
  Dataset data;
  data.points = Points(Objects("set", Domain::symbols, std::vector<std::string>{"a", ""}));
  EXPECT_NE(refused(data).find("set 2 is empty"), std::string::npos);
  data.target = {.task = Task::classification, .name = "y", .labels = {"a\tb", "NA"}, .codes = {0, 1}};
  EXPECT_NE(refused(data).find("would not read back from a file of sets"), std::string::npos);
  data.target = {};
  data.weights = {1, 2};
  EXPECT_NE(refused(data).find("holds no weights"), std::string::npos);
  EXPECT_NE(refused(generate("moons", {.n = 4})).find("holds one column of sets and nothing else"),
            std::string::npos);
  EXPECT_EQ(folder.entries(), 0u) << "nothing is left behind";
}

TEST(SetsWriter, ATableOfSetsHasARowForEachMember) {
  const ScratchFolder folder;
  const Dataset data = generate("sets", {.n = 4});
  write(folder / "sets.csv", data);
  const std::string text = mercer::bytes_of(folder / "sets.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), "bag,x1,x2,y");
  EXPECT_EQ(std::size_t(std::count(text.begin(), text.end(), '\n')),
            1 + data.points.objects()[0].bags().starts[4]);
}

}  // namespace
}  // namespace mercer

#include "gram/simd/targets.hpp"

#include <hwy/highway.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>

#include "mercer/error.hpp"

namespace mercer::simd {

namespace {

std::string lower_name(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// The targets compiled in and supported here, one bit each; a lower bit is a better target. Asked once: a virtual machine
// takes many microseconds to say what its processor can do.
const std::vector<std::int64_t>& available() {
  static const std::vector<std::int64_t> found = [] {
    std::vector<std::int64_t> targets;
    for (std::int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1)
      targets.push_back(rest & -rest);
    return targets;
  }();
  return found;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : available()) names.push_back(lower_name(target));
  return names;
}

std::size_t table_index(const std::string& instruction_set) {
  for (const std::int64_t target : available()) {
    if (!instruction_set.empty() && lower_name(target) != instruction_set) continue;
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    return chosen.GetIndex();
  }
  std::string names;
  for (const std::string& name : instruction_sets()) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::usage,
              "MERCER_SIMD=" + instruction_set + " is not an instruction set of this machine; choose from " + names);
}

std::size_t table_index() {
  const char* forced = std::getenv("MERCER_SIMD");
  return table_index(forced ? forced : "");
}

}  // namespace mercer::simd

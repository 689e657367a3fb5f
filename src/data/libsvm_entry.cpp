#include "data/libsvm_entry.hpp"

#include <fmt/format.h>

namespace mercer {

void refuse_entry(const TextSource& source, std::string_view field) {
  const std::size_t colon = field.find(':');
  const std::string_view index = field.substr(0, colon);
  if (colon == field.npos)
    source.refuse(field.data(),
                  fmt::format("{} is not index:value; write for example 3:0.5", in_quotes(field)));
  if (!index.empty() && index[0] == '-' && index.find_first_not_of("0123456789", 1) == index.npos)
    source.refuse(field.data(),
                  fmt::format("index {} is negative; indices count from 1, or from 0", in_quotes(index)));
  if (!index.empty() && index.find_first_not_of("0123456789") == index.npos)
    source.refuse(field.data(),
                  fmt::format("index {} is too large; the largest is {}", in_quotes(index), largest_index));
  source.refuse(field.data(), fmt::format("{} is not an index; indices are whole numbers from 1, or from 0",
                                          in_quotes(index)));
}

void refuse_index(const TextSource& source, const char* at, std::int64_t index, std::int64_t previous) {
  if (index > largest_index)
    source.refuse(at, fmt::format("index '{}' is too large; the largest is {}", index, largest_index));
  if (index == previous)
    source.refuse(at, fmt::format("index '{}' appears twice in the line; give each index once", index));
  source.refuse(at, fmt::format("index '{}' follows {}; indices must ascend within a line", index, previous));
}

}  // namespace mercer

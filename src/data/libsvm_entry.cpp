#include "data/libsvm_entry.hpp"

#include <fmt/format.h>

namespace mercer {

void refuse_entry(const TextSource& source, std::string_view field) {
  const std::size_t colon = field.find(':');
  const std::string_view index = field.substr(0, colon);
  if (colon == field.npos)
    source.refuse(field.data(), fmt::format("{} is not index:value", in_quotes(field)),
                  "write for example 3:0.5");
  if (!index.empty() && index[0] == '-' && index.find_first_not_of("0123456789", 1) == index.npos)
    source.refuse(field.data(), fmt::format("index {} is negative", in_quotes(index)),
                  "indices count from 1, or from 0");
  if (!index.empty() && index.find_first_not_of("0123456789") == index.npos)
    source.refuse(field.data(), fmt::format("index {} is too large", in_quotes(index)),
                  fmt::format("the largest is {}", largest_index));
  source.refuse(field.data(), fmt::format("{} is not an index", in_quotes(index)),
                "indices are whole numbers from 1, or from 0");
}

void refuse_index(const TextSource& source, const char* at, std::int64_t index, std::int64_t previous) {
  if (index > largest_index)
    source.refuse(at, fmt::format("index '{}' is too large", index),
                  fmt::format("the largest is {}", largest_index));
  if (index == previous)
    source.refuse(at, fmt::format("index '{}' appears twice in the line", index), "give each index once");
  source.refuse(at, fmt::format("index '{}' follows {}", index, previous),
                "indices must ascend within a line");
}

}  // namespace mercer

#include "kernels/members.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "data/words.hpp"
#include "kernels/object_column.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_objects.hpp"

namespace mercer {

namespace {

constexpr Domain with_members[] = {Domain::vectors, Domain::symbols, Domain::text, Domain::graph};
constexpr std::string_view normalizations[] = {"none", "cosine", "size"};  // as SetNormalize
constexpr Domain with_symbols[] = {Domain::symbols, Domain::text};

/// Rows of numbers that lie one behind the other, as they are stored.
Members rows_of_numbers(const Buffer<std::size_t>& starts, std::size_t columns,
                        const Buffer<double>& values) {
  Dense<double> rows{starts[starts.size() - 1], columns, Buffer<double>(values.size())};
  std::ranges::copy(values, rows.values.begin());
  return {Points(std::move(rows)), {starts.begin(), starts.end()}};
}

/// Texts that are collected one by one.
class TextColumn {
 public:
  void add(std::string_view text) {
    bytes_ += text;
    starts_.push_back(bytes_.size());
  }
  std::size_t size() const { return starts_.size() - 1; }
  Objects objects(Domain domain) const {
    Texts texts{Buffer<std::size_t>(starts_.size()), Buffer<char>(bytes_.size())};
    std::ranges::copy(starts_, texts.starts.begin());
    std::ranges::copy(bytes_, texts.bytes.begin());
    return Objects("symbol", domain, std::move(texts));
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> starts_{0};
};

Members words_of(const Objects& column) {
  const Texts& texts = column.texts();
  TextColumn words;
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < texts.rows(); ++i) {
    each_word(texts[i], column.domain(),
              [&](std::string_view word, std::size_t, std::size_t) { words.add(word); });
    starts.push_back(words.size());
  }
  return {Points(words.objects(column.domain())), std::move(starts)};
}

Members counted_words_of(const Objects& column, SetCounts share) {
  const Texts& texts = column.texts();
  TextColumn words;
  std::vector<double> counts;
  std::vector<std::size_t> starts{0};
  std::vector<std::string> found;
  for (std::size_t i = 0; i < texts.rows(); ++i) {
    found.clear();
    each_word(texts[i], column.domain(),
              [&](std::string_view word, std::size_t, std::size_t) { found.emplace_back(word); });
    std::ranges::sort(found);
    for (auto first = found.begin(); first != found.end();) {
      const auto last = std::upper_bound(first, found.end(), *first);
      words.add(*first);
      counts.push_back(double(last - first) / (share == SetCounts::share ? double(found.size()) : 1));
      first = last;
    }
    starts.push_back(words.size());
  }
  Dense<double> numbers{counts.size(), 1, Buffer<double>(counts.size())};
  std::ranges::copy(counts, numbers.values.begin());
  return {Points(std::move(numbers), {"count"}).with_objects({words.objects(Domain::symbols)}),
          std::move(starts)};
}

Members members_in(const Objects& column, std::string_view kernel) {
  if (column.domain() == Domain::vectors)
    return rows_of_numbers(column.bags().starts, column.bags().columns, column.bags().values);
  if (column.domain() != Domain::graph) return words_of(column);
  const Graphs& graphs = column.graphs();
  if (graphs.attributes == 0)
    throw Error(ErrorCode::invalid_kernel,
                fmt::format("{} compares the nodes of graphs by the numbers they have, but those of column "
                            "'{}' have labels alone",
                            kernel, column.name()),
                {.hint = "try wl"});
  return rows_of_numbers(graphs.nodes, graphs.attributes, graphs.node_attributes);
}

}  // namespace

MemberMap members_of(std::string_view kernel) {
  return {"all", [kernel](const Points& points) {
            return members_in(object_column(points, with_members, kernel), kernel);
          }};
}

MemberMap counted_symbols(std::string_view kernel, SetCounts counts) {
  return {counts == SetCounts::share ? "shares" : "counted", [kernel, counts](const Points& points) {
            return counted_words_of(object_column(points, with_symbols, kernel), counts);
          }};
}

MemberStarts starts_of(const MemberMap& members) {
  return [apply = members.apply](const Points& points) { return apply(points).starts; };
}

PointFunction inverse_size(const MemberMap& members, MemberStarts starts) {
  return {"inverse size " + members.key, [starts_of = std::move(starts)](const Points& points) {
            const std::vector<std::size_t> begin = starts_of(points);
            std::vector<double> inverse;
            for (std::size_t i = 0; i + 1 < begin.size(); ++i)
              inverse.push_back(begin[i + 1] > begin[i] ? 1 / double(begin[i + 1] - begin[i]) : 0);
            return inverse;
          }};
}

Symbol normalized_sum(Tracer& tracer, const MemberMap& members, const MemberStarts& starts, const Kernel& k,
                      SetNormalize normalize) {
  const Symbol sum = tracer.member_sum(members, k);
  if (normalize == SetNormalize::none) return sum;
  if (normalize == SetNormalize::size) {
    const auto [x, z] = tracer.value(inverse_size(members, starts));
    return sum * (x * z);
  }
  const auto [xx, zz] = tracer.self_member_sum(members, k);
  return sum * (inverse_root(xx) * inverse_root(zz));
}

Properties properties_of_sum(const Properties& of_members, SetNormalize normalize) {
  Properties own{.psd = of_members.psd};
  if (normalize == SetNormalize::size) own.bound = of_members.bound;
  if (normalize == SetNormalize::cosine && of_members.psd) own.bound = 1;
  return own;
}

std::string_view name_of(SetNormalize normalize) { return normalizations[int(normalize)]; }

SetNormalize set_normalize_named(const Argument& argument) {
  const Word* word = std::get_if<Word>(&argument);
  const auto found = word ? std::ranges::find(normalizations, word->text) : std::end(normalizations);
  if (found == std::end(normalizations))
    throw Error(
        ErrorCode::invalid_parameter,
        fmt::format("normalize must be {}, not {}", fmt::join(normalizations, " or "), to_text(argument)));
  return SetNormalize(found - std::begin(normalizations));
}

void check_for_members(const Kernel& k, std::string_view kernel) {
  const Leaf* leaf = k.node().leaf();
  if (leaf && leaf->traits().statistic == Statistic::tile)
    throw Error(
        ErrorCode::invalid_kernel,
        fmt::format("{} knows rows by their place in a matrix, and the members of sets are no such rows",
                    leaf->name()),
        {.hint = fmt::format("put a kernel of values into {}", kernel)});
  if ((leaf && leaf->weighs_by_rarity()) || k.node().centred())
    throw Error(
        ErrorCode::invalid_kernel,
        fmt::format(
            "{} depends on all points that are compared, so it cannot compare the members of two sets",
            leaf ? k.text() : "center"),
        {.hint = fmt::format("put it around {}(…) instead", kernel)});
  for (const Kernel& part : k.parts()) check_for_members(part, kernel);
}

std::vector<Domain> member_domains(const Kernel& k) {
  if (objects_compared(k).empty()) return {Domain::vectors, Domain::graph};
  return {Domain::text, Domain::symbols};
}

}  // namespace mercer

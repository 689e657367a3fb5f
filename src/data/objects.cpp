#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/copy_of.hpp"
#include "data/object_memo.hpp"
#include "data/density.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

struct DomainWords {
  std::string_view name, plural;
  std::size_t storage;  // which of Objects::Storage
};
constexpr DomainWords words[] = {
    {"text", "texts", 0},         {"sequence", "sequences", 0},      {"symbols", "sets of symbols", 0},
    {"molecule", "molecules", 0}, {"vectors", "sets of vectors", 1}, {"graph", "graphs", 2},
    {"image", "images", 3}};
static_assert(std::size(words) == std::size(every_domain));

const DomainWords& words_of(Domain domain) noexcept { return words[int(domain)]; }

template <class T>
std::span<const T> part(const Buffer<T>& all, std::size_t first, std::size_t last) {
  return std::span<const T>(all).subspan(first, last - first);
}

/// What an object is made of, as arrays of plain numbers: equal objects have equal arrays.
void each_array(const Texts& x, std::size_t i, auto use) { use(part(x.bytes, x.starts[i], x.starts[i + 1])); }
void each_array(const Bags& x, std::size_t i, auto use) {
  use(part(x.values, x.starts[i] * x.columns, x.starts[i + 1] * x.columns));
}
void each_array(const Graphs& x, std::size_t i, auto use) {
  use(part(x.node_labels, x.nodes[i], x.nodes[i + 1]));
  use(part(x.from, x.edges[i], x.edges[i + 1]));
  use(part(x.to, x.edges[i], x.edges[i + 1]));
  use(part(x.edge_labels, x.edges[i], x.edges[i + 1]));
  use(part(x.node_attributes, x.nodes[i] * x.attributes, x.nodes[i + 1] * x.attributes));
}
void each_array(const Images& x, std::size_t i, auto use) {
  use(part(x.heights, i, i + 1));
  use(part(x.widths, i, i + 1));
  use(part(x.pixels, x.starts[i], x.starts[i + 1]));
}

/// The starts of the chosen rows when they follow each other.
Buffer<std::size_t> chosen_starts(const Buffer<std::size_t>& starts, std::span<const std::size_t> rows) {
  Buffer<std::size_t> chosen(rows.size() + 1);
  chosen[0] = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    chosen[i + 1] = chosen[i] + starts[rows[i] + 1] - starts[rows[i]];
  return chosen;
}
/// What belongs to them, `width` numbers for each that the starts count.
template <class T>
Buffer<T> chosen_parts(const Buffer<T>& all, const Buffer<std::size_t>& starts,
                       std::span<const std::size_t> rows, std::size_t width = 1) {
  std::size_t total = 0;
  for (const std::size_t i : rows) total += (starts[i + 1] - starts[i]) * width;
  Buffer<T> chosen(total);
  T* out = chosen.data();
  for (const std::size_t i : rows)
    out = std::copy(all.data() + starts[i] * width, all.data() + starts[i + 1] * width, out);
  return chosen;
}
template <class T>
Buffer<T> chosen_values(const Buffer<T>& all, std::span<const std::size_t> rows) {
  Buffer<T> chosen(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) chosen[i] = all[rows[i]];
  return chosen;
}

Texts rows_of(const Texts& x, std::span<const std::size_t> rows) {
  return {chosen_starts(x.starts, rows), chosen_parts(x.bytes, x.starts, rows)};
}
Bags rows_of(const Bags& x, std::span<const std::size_t> rows) {
  return {chosen_starts(x.starts, rows), x.columns, chosen_parts(x.values, x.starts, rows, x.columns)};
}
Graphs rows_of(const Graphs& x, std::span<const std::size_t> rows) {
  return {chosen_starts(x.nodes, rows),
          chosen_starts(x.edges, rows),
          chosen_parts(x.node_labels, x.nodes, rows),
          chosen_parts(x.from, x.edges, rows),
          chosen_parts(x.to, x.edges, rows),
          chosen_parts(x.edge_labels, x.edges, rows),
          x.attributes,
          chosen_parts(x.node_attributes, x.nodes, rows, x.attributes)};
}
Images rows_of(const Images& x, std::span<const std::size_t> rows) {
  return {chosen_starts(x.starts, rows), chosen_values(x.heights, rows), chosen_values(x.widths, rows),
          x.channels, chosen_parts(x.pixels, x.starts, rows)};
}

// --- Storage that contradicts itself never becomes Objects.
void expect(bool holds, std::string_view what) {
  if (!holds) throw Error(ErrorCode::invalid_data, fmt::format("objects: {}", what));
}
void check_starts(const Buffer<std::size_t>& starts, std::size_t rows, std::size_t held, std::size_t width,
                  std::string_view what) {
  expect(starts.size() == rows + 1 && starts[0] == 0 && std::is_sorted(starts.begin(), starts.end()),
         fmt::format("the starts of the {} do not ascend from 0", what));
  expect(checked_product(starts[rows], width) == held,
         fmt::format("the starts of the {} count {}, but there are {}", what, starts[rows],
                     width ? held / width : held));
}
std::size_t rows_counted(const Buffer<std::size_t>& starts) {
  expect(!starts.empty(), "there are no starts; n objects have n + 1");
  return starts.size() - 1;
}
void check_finite(const Buffer<double>& values, std::string_view what) {
  expect(std::ranges::all_of(values, [](double v) { return std::isfinite(v); }),
         fmt::format("a number of the {} is not finite", what));
}

void check(const Texts& x) { check_starts(x.starts, rows_counted(x.starts), x.bytes.size(), 1, "texts"); }
void check(const Bags& x) {
  check_starts(x.starts, rows_counted(x.starts), x.values.size(), x.columns, "members");
  check_finite(x.values, "members");
}
void check(const Graphs& x) {
  const std::size_t rows = rows_counted(x.nodes);
  check_starts(x.nodes, rows, x.node_labels.size(), 1, "nodes");
  check_starts(x.nodes, rows, x.attributes ? x.node_attributes.size() / x.attributes : x.node_labels.size(),
               1, "nodes");
  check_starts(x.edges, rows, x.from.size(), 1, "edges");
  expect(x.to.size() == x.from.size() && x.edge_labels.size() == x.from.size(),
         "edges lack an end or a label");
  expect(x.node_attributes.size() == checked_product(x.node_labels.size(), x.attributes),
         "nodes lack an attribute");
  check_finite(x.node_attributes, "nodes");
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t e = x.edges[i]; e < x.edges[i + 1]; ++e)
      for (const std::int32_t end : {x.from[e], x.to[e]})
        expect(end >= 0 && std::size_t(end) < x.size(i),
               fmt::format("an edge of graph {} ends at node {}, but it has {}", i + 1, end, x.size(i)));
}
void check(const Images& x) {
  const std::size_t rows = rows_counted(x.starts);
  check_starts(x.starts, rows, x.pixels.size(), 1, "pixels");
  expect(x.channels == 1 || x.channels == 3,
         fmt::format("images have {} channels; 1 or 3 are known", x.channels));
  expect(x.heights.size() == rows && x.widths.size() == rows, "images lack a height or a width");
  for (std::size_t i = 0; i < rows; ++i)
    expect(checked_product(checked_product(x.heights[i], x.widths[i]), x.channels) ==
               x.starts[i + 1] - x.starts[i],
           fmt::format("image {} is {} × {} with {} channels, but has {} bytes", i + 1, x.heights[i],
                       x.widths[i], x.channels, x.starts[i + 1] - x.starts[i]));
}

Texts from_list(std::span<const std::string> list) {
  Texts texts{Buffer<std::size_t>(list.size() + 1), {}};
  texts.starts[0] = 0;
  for (std::size_t i = 0; i < list.size(); ++i) texts.starts[i + 1] = texts.starts[i] + list[i].size();
  texts.bytes = Buffer<char>(texts.starts[list.size()]);
  for (std::size_t i = 0; i < list.size(); ++i)
    std::ranges::copy(list[i], texts.bytes.data() + texts.starts[i]);
  return texts;
}

constexpr std::size_t most_features = (std::size_t(256) << 20) / 16;

}  // namespace

std::string_view name_of(Domain domain) noexcept { return words_of(domain).name; }
std::string_view plural_of(Domain domain) noexcept { return words_of(domain).plural; }

Domain domain_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Domain domain : every_domain) {
    if (name_of(domain) == name) return domain;
    names.emplace_back(name_of(domain));
  }
  const std::string near = nearest_word(std::string(name), names);
  throw Error(ErrorCode::unknown_name, fmt::format("unknown kind of objects '{}'", name),
              {.hint = fmt::format("{}", near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                                      : fmt::format("did you mean '{}'?", near))});
}

Objects::Objects(std::string name, Domain domain, Storage storage)
    : Objects(std::move(name), domain, std::move(storage), std::make_shared<ObjectMemo>()) {}

Objects::Objects(std::string name, Domain domain, Storage storage, std::shared_ptr<const ObjectMemo> memo) {
  expect(storage.index() == words_of(domain).storage,
         fmt::format("the storage is not that of {}", plural_of(domain)));
  std::visit([](const auto& held) { check(held); }, storage);
  state_ = std::make_shared<State>(State{std::move(name), domain, std::move(storage), std::move(memo)});
}

Objects::Objects(std::string name, Domain domain, std::span<const std::string> texts)
    : Objects(std::move(name), domain, Storage(from_list(texts))) {}

std::size_t Objects::rows() const noexcept {
  return std::visit([](const auto& held) { return held.rows(); }, storage());
}

std::size_t Objects::bytes() const noexcept {
  std::size_t total = 0;
  std::visit(
      [&](const auto& held) {
        for (std::size_t i = 0; i < held.rows(); ++i)
          each_array(held, i, [&](auto array) { total += array.size_bytes() + sizeof(std::size_t); });
      },
      storage());
  return total;
}

Objects Objects::select_rows(std::span<const std::size_t> rows) const {
  return Objects(name(), domain(),
                 std::visit([&](const auto& held) { return Storage(rows_of(held, rows)); }, storage()),
                 memo().select_rows(rows));
}

Objects Objects::as(Domain other) const {
  if (other == domain()) return *this;
  const Texts* held = std::get_if<Texts>(&storage());
  if (!held || words_of(other).storage != 0)
    throw Error(ErrorCode::unsupported, fmt::format("column '{}' holds {}, which cannot be read as {}",
                                                    name(), plural_of(domain()), plural_of(other)));
  return Objects(name(), other, Storage(Texts{copy_of(held->starts), copy_of(held->bytes)}));
}

std::uint64_t Objects::hash(std::size_t i) const noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;
  std::visit(
      [&](const auto& held) {
        each_array(held, i, [&](auto array) {
          const auto* bytes = reinterpret_cast<const unsigned char*>(array.data());
          for (std::size_t b = 0; b < array.size_bytes(); ++b) hash = (hash ^ bytes[b]) * 0x100000001b3u;
          hash = (hash ^ array.size()) * 0x100000001b3u;
        });
      },
      storage());
  return hash;
}

bool Objects::equal(std::size_t i, const Objects& other, std::size_t j) const noexcept {
  if (storage().index() != other.storage().index()) return false;
  std::vector<std::pair<const void*, std::size_t>> arrays;
  const auto collect = [&](const auto& held, std::size_t row) {
    each_array(held, row, [&](auto array) { arrays.emplace_back(array.data(), array.size_bytes()); });
  };
  std::visit([&](const auto& held) { collect(held, i); }, storage());
  const std::size_t half = arrays.size();
  std::visit([&](const auto& held) { collect(held, j); }, other.storage());
  for (std::size_t a = 0; a < half; ++a)
    if (arrays[a].second != arrays[half + a].second ||
        (arrays[a].second && std::memcmp(arrays[a].first, arrays[half + a].first, arrays[a].second) != 0))
      return false;
  return true;
}

FeatureTable FeatureTable::select_rows(std::span<const std::size_t> chosen) const {
  FeatureTable some;
  for (const std::size_t i : chosen) {
    some.keys.insert(some.keys.end(), keys.begin() + std::ptrdiff_t(starts[i]),
                     keys.begin() + std::ptrdiff_t(starts[i + 1]));
    some.values.insert(some.values.end(), values.begin() + std::ptrdiff_t(starts[i]),
                       values.begin() + std::ptrdiff_t(starts[i + 1]));
    some.starts.push_back(some.keys.size());
  }
  return some;
}

std::shared_ptr<const FeatureTable> ObjectMemo::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = tables_.find(key);
  return found == tables_.end() ? nullptr : found->second;
}

void ObjectMemo::keep(const std::string& key, std::shared_ptr<const FeatureTable> table) const {
  const std::lock_guard lock(mutex_);
  if (kept_ + table->keys.size() > most_features || tables_.contains(key)) return;
  kept_ += table->keys.size();
  tables_.emplace(key, std::move(table));
}

std::shared_ptr<const ObjectMemo> ObjectMemo::select_rows(std::span<const std::size_t> rows) const {
  const std::lock_guard lock(mutex_);
  auto some = std::make_shared<ObjectMemo>();
  for (const auto& [key, table] : tables_)
    some->keep(key, std::make_shared<FeatureTable>(table->select_rows(rows)));
  return some;
}

}  // namespace mercer

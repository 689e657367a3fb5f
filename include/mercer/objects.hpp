// A column of things that are not numbers: texts, sequences, sets, graphs, molecules, images. Kernels compare
// them; nothing else needs to know what they are. Immutable and cheap to copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "mercer/buffer.hpp"

namespace MERCER_EXPORT mercer {

/// What the cells of a column are.
enum class Domain {
  text,      ///< prose: words matter
  sequence,  ///< letters of an alphabet in a row: DNA, proteins
  symbols,   ///< a set or multiset of words, separated by spaces
  molecule,  ///< SMILES
  vectors,   ///< a set of rows of numbers (a bag)
  graph,     ///< nodes and edges, with labels
  image,     ///< pixels
};
inline constexpr Domain every_domain[] = {Domain::text,     Domain::sequence, Domain::symbols,
                                          Domain::molecule, Domain::vectors,  Domain::graph,
                                          Domain::image};
std::string_view name_of(Domain domain) noexcept;    ///< "text", "sequence", …: what users type
std::string_view plural_of(Domain domain) noexcept;  ///< "texts", "sets of vectors", …: for messages
Domain domain_named(std::string_view name);          ///< Error{usage} for an unknown one

/// Of text, sequence, symbols and molecule: bytes, as they were written.
struct Texts {
  Buffer<std::size_t> starts;  // rows + 1
  Buffer<char> bytes;          // starts[rows]

  std::size_t rows() const noexcept { return starts.size() - 1; }
  std::string_view operator[](std::size_t i) const noexcept {
    return {bytes.data() + starts[i], starts[i + 1] - starts[i]};
  }
};

/// Of vectors: the members of set i are rows [starts[i], starts[i + 1]) of `values`.
struct Bags {
  Buffer<std::size_t> starts;  // rows + 1
  std::size_t columns = 0;
  Buffer<double> values;  // members × columns, row-major

  std::size_t rows() const noexcept { return starts.size() - 1; }
  std::size_t size(std::size_t i) const noexcept { return starts[i + 1] - starts[i]; }
};

/// Undirected graphs. Node v of graph i, counted from 0, is number nodes[i] + v; an edge is stored once.
struct Graphs {
  Buffer<std::size_t> nodes, edges;     // rows + 1 each: where those of a graph begin
  Buffer<std::int32_t> node_labels;     // nodes[rows]; 0 where nodes have none
  Buffer<std::int32_t> from, to;        // edges[rows] each: ends, counted within the graph
  Buffer<std::int32_t> edge_labels;     // edges[rows]; 0 where edges have none
  std::size_t attributes = 0;           // numbers of a node
  Buffer<double> node_attributes = {};  // nodes[rows] × attributes, row-major

  std::size_t rows() const noexcept { return nodes.size() - 1; }
  std::size_t size(std::size_t i) const noexcept { return nodes[i + 1] - nodes[i]; }
};

/// Images of one byte a channel, top row first, the channels of a pixel side by side; each has its own size.
struct Images {
  Buffer<std::size_t> starts;             // rows + 1
  Buffer<std::uint32_t> heights, widths;  // rows
  std::size_t channels = 1;               // 1 (grey) or 3 (red, green, blue), the same for all
  Buffer<std::uint8_t> pixels;            // starts[rows]

  std::size_t rows() const noexcept { return starts.size() - 1; }
};

struct MERCER_HIDDEN ObjectMemo;

class Objects {
 public:
  using Storage = std::variant<Texts, Bags, Graphs, Images>;

  /// Throws Error{data} where the storage contradicts itself or is not the domain's.
  Objects(std::string name, Domain domain, Storage storage);
  /// Of the domains that are texts, from a list: for small examples.
  Objects(std::string name, Domain domain, std::span<const std::string> texts);

  const std::string& name() const noexcept { return state_->name; }
  Domain domain() const noexcept { return state_->domain; }
  std::size_t rows() const noexcept;
  std::size_t bytes() const noexcept;  ///< memory held
  const Storage& storage() const noexcept { return state_->storage; }
  const Texts& texts() const { return std::get<Texts>(state_->storage); }
  const Bags& bags() const { return std::get<Bags>(state_->storage); }
  const Graphs& graphs() const { return std::get<Graphs>(state_->storage); }
  const Images& images() const { return std::get<Images>(state_->storage); }

  Objects select_rows(std::span<const std::size_t> rows) const;
  /// The same objects read as another domain with the same storage; texts of all kinds are.
  Objects as(Domain domain) const;
  /// Of what object i is made of: equal ones have equal hashes.
  std::uint64_t hash(std::size_t i) const noexcept;
  bool equal(std::size_t i, const Objects& other, std::size_t j) const noexcept;
  /// What kernels have found out about them.
  const ObjectMemo& memo() const noexcept { return *state_->memo; }

 private:
  struct State {
    std::string name;
    Domain domain;
    Storage storage;
    std::shared_ptr<const ObjectMemo> memo;
  };
  Objects(std::string name, Domain domain, Storage storage, std::shared_ptr<const ObjectMemo> memo);
  std::shared_ptr<const State> state_;
};

}  // namespace mercer

// Why a model says what it says about a row. What is explained is a score f(x) = Σᵢ aᵢ k(xᵢ, x) + b:
//   numbers, coordinates    each output; of rates its logarithm
//   novelty                 the score that is above 0 inside
//   classes, clusters       the score of the predicted one less that of the runner-up, the next largest; of
//                           machines for pairs the pair of the predicted class whose decision value speaks
//                           least for it (or most against it)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

/// aᵢ k(xᵢ, x) of one of the model's examples.
struct Contribution {
  std::size_t example = 0;  ///< row of the model's expansion
  double coefficient = 0;   ///< aᵢ
  double similarity = 0;    ///< k(xᵢ, x)
  double amount = 0;        ///< their product
  double share = 0;         ///< |amount| of the sum over all examples
};

/// What one term of a sum of kernels adds: fₜ(x) = Σᵢ aᵢ kₜ(xᵢ, x).
struct TermAmount {
  std::string kernel;
  double amount = 0;
};

/// What a column of the data does to the score at a row.
struct ColumnEffect {
  std::size_t column = 0;  ///< of the table; categories count as one column
  std::string name, value;
  double slope = 0;      ///< numbers: ∂f/∂x in the column's own units, by central differences
  std::string category;  ///< categories: the one that would change f most, and by how much
  double change = 0;
  /// How far f moves when the column moves as it does in the data: slope · standard deviation; of categories
  /// the mean |change| when one is drawn from the data.
  double effect = 0;
  std::optional<double> amount = {};  ///< linear kernels: what the column adds to f
};

/// What a part of an object does to the score: f(x) − f(x without it).
struct PartEffect {
  std::string column;
  std::uint32_t begin = 0, end = 0;  ///< bytes of a text, nodes of a graph, atoms of a molecule, members of a
                                     ///< set, cells of an image
  std::string text;                  ///< "GAT", "word", "node 3 (label 1)"
  double amount = 0;
};

struct Explanation {
  std::size_t row = 0;
  std::string subject, against;  ///< classes: the predicted and the runner-up; otherwise what the score is
  double score = 0;
  double constant = 0;                      ///< b
  double self = 0;                          ///< what k(x, x) adds (distances from means)
  double trend = 0;                         ///< what a linear trend beside the kernel adds
  std::vector<Contribution> examples = {};  ///< the largest first; empty where `no_examples` says why
  double others = 0;  ///< the sum over the examples left out: score = Σ amounts + others + self + trend +
                      ///< constant
  std::size_t other_count = 0;
  std::vector<TermAmount> terms = {};  ///< of a sum of kernels: score = Σ amounts + trend + constant
  /// The largest |effect| first; empty for kernels of row numbers (precomputed).
  std::vector<ColumnEffect> columns = {};
  std::vector<PartEffect> parts = {};  ///< of columns of objects, in their order
  std::string no_examples = {};
};

struct ExplainOptions {
  std::size_t examples = 5;  ///< at most so many of each explanation
  int threads = 0;
  Progress progress = {};
};

/// Explains the chosen rows of `points`, which have the model's columns; all of them say how the columns
/// move. Of sparse points the columns that a row does not have are left out. Several outputs are one
/// explanation each.
std::vector<Explanation> explain(const Model& model, const Points& points, std::span<const std::size_t> rows,
                                 const ExplainOptions& options = {});

/// How much a column matters over many rows: the mean |effect|.
struct ColumnInfluence {
  std::size_t column = 0;
  std::string name;
  double influence = 0, share = 0;  ///< of the sum over the columns
};
struct InfluenceOptions {
  std::size_t rows = 200;  ///< at most so many, evenly spaced; fewer of wide data and large models
  int threads = 0;
  Progress progress = {};
};
/// Every column, those that matter most first. Empty for kernels of row numbers.
std::vector<ColumnInfluence> column_influence(const Model& model, const Points& points,
                                              const InfluenceOptions& options = {});

/// "length 5.1, home cage": an example of the model in the units of its table, the columns named in this
/// order (those with a value other than 0 where the points are sparse).
std::string example_text(const Model& model, std::size_t example, std::span<const std::size_t> columns);
/// Of machines for pairs, whose examples are kept by class: the class; otherwise empty.
std::string example_class(const Model& model, std::size_t example);

/// SVG text (mercer/picture.hpp): bars of what adds up to each score, at most 12, and of what the columns do.
/// Throws Error{usage} where there is nothing to draw.
std::string explanation_picture(const Model& model, std::span<const Explanation> explained,
                                std::span<const ColumnInfluence> influences);
/// SVG text: the objects of one column of the explained rows, each part coloured by what it adds: sequences
/// and texts as they are written, molecules drawn, other parts as bars.
std::string object_picture(const Points& points, std::span<const Explanation> explained);

}  // namespace mercer

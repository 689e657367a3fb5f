// The rows of a data set as points of a chart, in the colours of what is known about them, and the support
// vectors of a model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mercer/model.hpp"
#include "plot/chart.hpp"

namespace mercer {

/// The colours of values: those of the field behind the points, and the points' own without the most extreme
/// ones, which would leave one colour for all the others.
ColourMap map_of_values(std::span<const double> field, std::span<const double> values);

/// The first of each row's outputs. `values`: rows × outputs, row-major.
std::vector<double> first_outputs(std::span<const double> values, std::size_t outputs);

/// The class of each row as a number for its colour: its place in `known` (a model's labels), and behind
/// these the labels that are not there. `labels` becomes the list of all.
std::vector<std::size_t> classes_of(const Target& target, std::span<const std::string> known,
                                    std::vector<std::string>& labels);

/// How many rows each class has.
std::vector<std::size_t> class_counts(const Target& target);

/// What a class is called in a legend: a number alone says little, so it comes with the target's name.
std::string class_title(const std::string& target, const std::string& label);

/// The colour of a class.
int class_colour(std::size_t number);

/// How the rows of a class look among so many: not like the rings of support vectors, and neighbouring
/// classes not in like colours.
Style class_style(std::size_t number, std::size_t rows, std::string title = {});

/// How support vectors are marked: paler where there are so many that they would hide what lies below.
Style ring_style(std::size_t rings, std::string title);

/// Rows in the colours and markers of their classes, one entry of the legend for each class that occurs.
void add_classes(Chart& chart, std::span<const double> x, std::span<const double> y,
                 std::span<const std::size_t> classes, std::span<const std::string> titles);

/// "2500 of 10000 rows are drawn, chosen at random", unless all are.
void note_sample(Chart& chart, std::size_t drawn, std::size_t all, std::string_view what);

/// Whether the method is a support vector machine, so that some of the rows it learned from do not matter to
/// it.
bool has_support_vectors(const Model& model);
/// What the points are that a model over few of its rows keeps: "support vector", "inducing point", "point
/// kept" of online learning; empty of others.
std::string name_of_points(const Model& model);

/// The support vectors' values in these columns, support vectors × columns, row-major. None where the model
/// does not keep them: a linear one, which is a vector of weights, or one of a kernel approximation.
std::optional<std::vector<double>> support_places(const Model& model, std::span<const std::size_t> columns);

/// The support vectors themselves, in the units of the data; none as above.
std::optional<Points> support_rows(const Model& model);

}  // namespace mercer

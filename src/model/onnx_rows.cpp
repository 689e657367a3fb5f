#include "model/onnx_rows.hpp"

#include <algorithm>
#include <numeric>

#include "data/decimal.hpp"
#include "data/table_layout.hpp"

namespace mercer::onnx {

namespace {

Name as_float64(Graph& g, const Name& x, Element element) {
  return element == Element::float64 ? x : cast(g, x, Element::float64);
}

/// One 0/1 column for each category; texts that stand for a missing cell are of the category of these, if
/// there is one, and texts that are not known of none.
Name one_hot(Graph& g, const Name& texts, const std::vector<std::string>& categories) {
  std::vector<std::string> keys;
  std::vector<std::int64_t> codes, all(categories.size());
  std::iota(all.begin(), all.end(), std::int64_t(0));
  const auto missing = std::ranges::find(categories, missing_category);
  for (std::size_t c = 0; c < categories.size(); ++c) {
    if (categories[c] == missing_category) continue;
    keys.push_back(categories[c]);
    codes.push_back(std::int64_t(c));
  }
  for (const std::string_view word : missing_words)
    if (missing != categories.end() && std::ranges::find(keys, word) == keys.end()) {
      keys.emplace_back(word);
      codes.push_back(missing - categories.begin());
    }
  const Name code =
      g.node("LabelEncoder", {texts},
             {{"keys_strings", keys}, {"values_int64s", codes}, {"default_int64", std::int64_t(-1)}});
  return cast(g, g.node("Equal", {code, g.integers(all)}), Element::float64);
}

/// Missing numbers take the mean of their column.
Name filled(Graph& g, const Name& x, const std::vector<double>& means) {
  return choose(g, g.node("IsNaN", {x}), g.numbers({1, std::int64_t(means.size())}, means), x);
}

Table encoded(Graph& g, const Model& model, Element element, RowInputs& inputs) {
  std::vector<double> means;
  for (const Schema::Column& column : model.schema.columns) {
    (column.categories.empty() ? inputs.numbers : inputs.categories).push_back(column.name);
    if (column.categories.empty()) means.push_back(column.mean);
  }
  Name X, texts;
  if (!inputs.numbers.empty()) {
    g.input("X", element, {"N", std::int64_t(inputs.numbers.size())});
    X = filled(g, as_float64(g, "X", element), means);
  }
  if (inputs.categories.empty()) return {X, model.columns};
  g.input("categories", Element::string, {"N", std::int64_t(inputs.categories.size())});
  std::vector<Name> parts;
  std::vector<std::int64_t> run;  // columns of numbers that follow each other
  std::int64_t number = 0, text = 0;
  const auto end_run = [&] {
    if (!run.empty()) parts.push_back(gather(g, X, g.integers(run), 1));
    run.clear();
  };
  for (const Schema::Column& column : model.schema.columns) {
    if (column.categories.empty()) {
      run.push_back(number++);
      continue;
    }
    end_run();
    parts.push_back(one_hot(g, gather(g, "categories", g.integers({text++}), 1), column.categories));
  }
  end_run();
  return {concat(g, parts), model.columns};
}

Table scaled(Graph& g, const Scaling& scaling, Table x) {
  const auto row = [&](const std::vector<double>& numbers) {
    return g.numbers({1, std::int64_t(numbers.size())}, numbers);
  };
  if (!scaling.shift().empty()) x.name = subtract(g, x.name, row(scaling.shift()));
  if (!scaling.scale().empty()) x.name = multiply(g, x.name, row(scaling.scale()));
  return x;
}

}  // namespace

RowInputs write_rows(Graph& g, const Model& model, Element element) {
  RowInputs inputs;
  std::size_t width = 0;
  for (const Schema::Column& column : model.schema.columns) width += column.width();
  if (!model.schema.columns.empty() && width == model.columns) {
    inputs.rows = encoded(g, model, element, inputs);
  } else {
    g.input("X", element, {"N", std::int64_t(model.columns)});
    inputs.rows = {as_float64(g, "X", element), model.columns};
  }
  inputs.rows = scaled(g, model.scaling, inputs.rows);
  return inputs;
}

}  // namespace mercer::onnx

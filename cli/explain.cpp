// mercer explain MODEL DATA [--plot x.svg]: which examples, terms of the kernel and columns made a prediction
// what it is.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/explain.hpp"
#include "mercer/file.hpp"

namespace mercer::cli {

namespace {

// "1-5,17": row numbers from 1.
std::vector<std::size_t> parse_rows(const std::string& text, std::size_t rows) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, fmt::format("--rows {}: {}", text, what),
                {.hint = "write rows as in 1-5,17"});
  };
  std::vector<std::size_t> chosen;
  const char *at = text.data(), *end = at + text.size();
  const auto read = [&] {
    std::size_t row = 0;
    const auto [next, fault] = std::from_chars(at, end, row);
    if (fault != std::errc() || row == 0)
      refuse(fmt::format("'{}' is not a row number", std::string(at, end)));
    if (row > rows) refuse(fmt::format("there is no row {}; the data have {} rows", row, rows));
    at = next;
    return row;
  };
  while (true) {
    const std::size_t first = read();
    std::size_t last = first;
    if (at < end && *at == '-') ++at, last = read();
    if (last < first) refuse(fmt::format("{}-{}: the first row is after the last", first, last));
    for (std::size_t row = first; row <= last; ++row) chosen.push_back(row - 1);
    if (at == end) return chosen;
    if (*at++ != ',') refuse(fmt::format("unexpected '{}'", std::string(at - 1, end)));
  }
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

// A line of a table of contributions, with columns that may be empty.
void say_row(const Session& session, const std::string& amount, const std::string& text,
             const std::string& similarity = "", const std::string& share = "") {
  session.say(fmt::format("  {:>12}  {:>10}  {:>6}  {}", amount, similarity, share, text));
}
std::string signed_text(double amount) { return fmt::format("{:+.4g}", amount); }

// The columns that an example is shown by.
std::vector<std::size_t> leading_columns(const Explanation& e, std::size_t most) {
  return values_of(std::span(e.columns).first(std::min(most, e.columns.size())), &ColumnEffect::column);
}

std::string title(const Explanation& e) {
  const std::string what =
      e.against.empty() ? e.subject : fmt::format("'{}' rather than '{}'", e.subject, e.against);
  return fmt::format("row {}: {}, f = {:.6g}", e.row + 1, what, e.score);
}

void say_examples(const Session& session, const Model& model, const Explanation& e) {
  if (!e.no_examples.empty()) return session.say("  examples: none; " + e.no_examples);
  const std::vector<std::size_t> shown = leading_columns(e, 4);
  say_row(session, "a k(x', x)", "example", "k(x', x)", "share");
  for (const Contribution& one : e.examples) {
    const std::string label = example_class(model, one.example),
                      values = example_text(model, one.example, shown);
    say_row(session, signed_text(one.amount), label + (label.empty() || values.empty() ? "" : ": ") + values,
            fmt::format("{:.4g}", one.similarity), percent(one.share));
  }
  if (e.other_count > 0) say_row(session, signed_text(e.others), fmt::format("{} others", e.other_count));
  if (e.self != 0) say_row(session, signed_text(e.self), "the row itself");
  if (e.trend != 0) say_row(session, signed_text(e.trend), "linear trend");
  say_row(session, signed_text(e.constant), "intercept");
}

void say_columns(const Session& session, const Explanation& e, std::size_t most) {
  if (e.columns.empty()) return;
  const bool amounts = e.columns[0].amount.has_value();
  session.say(fmt::format("  {:>12}  {:>10}  {}column", "df/dx", "per s.d.", amounts ? "      adds  " : ""));
  for (std::size_t c = 0; c < std::min(most, e.columns.size()); ++c) {
    const ColumnEffect& one = e.columns[c];
    const std::string adds = one.amount ? fmt::format("{:>+10.4g}  ", *one.amount) : "";
    if (one.category.empty())
      session.say(fmt::format("  {:>+12.4g}  {:>+10.4g}  {}{} = {}", one.slope, one.effect, adds, one.name,
                              one.value));
    else
      session.say(fmt::format("  {:>12}  {:>10.4g}  {}{} = {}; {} would add {:+.4g}", "", one.effect, adds,
                              one.name, one.value, one.category, one.change));
  }
  if (e.columns.size() > most)
    session.say(fmt::format("  {:>12}  {:>10}  {}{} more columns", "", "", amounts ? "            " : "",
                            e.columns.size() - most));
}

// A sequence with a sign under every letter that adds or takes much.
void say_sequence(const Session& session, std::span<const PartEffect> parts, double most) {
  constexpr std::size_t width = 100;
  std::string letters, signs;
  for (const PartEffect& part : parts) {
    letters += part.text;
    const double share = most > 0 ? part.amount / most : 0;
    signs.append(part.text.size(), share > 0.5    ? '#'
                                   : share > 0.2  ? '+'
                                   : share < -0.5 ? '='
                                   : share < -0.2 ? '-'
                                                  : ' ');
  }
  for (std::size_t at = 0; at < letters.size(); at += width) {
    session.say("    " + letters.substr(at, width));
    session.say("    " + signs.substr(at, width));
  }
  session.say("    # large positive, + positive, = large negative, - negative contribution");
}

void say_parts(const Session& session, const Points& points, const Explanation& e, std::size_t most_parts) {
  for (const Objects& column : points.objects()) {
    std::vector<PartEffect> parts;
    for (const PartEffect& part : e.parts)
      if (part.column == column.name()) parts.push_back(part);
    if (parts.empty()) continue;
    double most = 0;
    for (const PartEffect& part : parts) most = std::max(most, std::abs(part.amount));
    say_row(session, "", "contributions of the parts of " + column.name());
    if (column.domain() == Domain::sequence && parts.size() <= 2000) say_sequence(session, parts, most);
    std::ranges::stable_sort(parts, std::ranges::greater{},
                             [](const PartEffect& part) { return std::abs(part.amount); });
    for (std::size_t p = 0; p < std::min(most_parts, parts.size()); ++p)
      say_row(session, signed_text(parts[p].amount),
              parts[p].text +
                  (column.domain() == Domain::sequence ? fmt::format(" at {}", parts[p].begin + 1) : ""));
    if (parts.size() > most_parts)
      say_row(session, "", fmt::format("{} more parts", parts.size() - most_parts));
  }
}

void say(const Session& session, const Points& points, const Model& model, const Explanation& e,
         std::size_t most_columns) {
  session.say(title(e));
  say_examples(session, model, e);
  if (!e.terms.empty()) say_row(session, "", "by terms of the kernel");
  for (const TermAmount& term : e.terms) say_row(session, signed_text(term.amount), term.kernel);
  say_columns(session, e, most_columns);
  say_parts(session, points, e, most_columns);
  session.say("");
}

void say_influences(const Session& session, const std::vector<ColumnInfluence>& influences,
                    std::size_t most) {
  if (influences.empty()) return session.say("the kernel is precomputed, so there are no columns to rank");
  session.say("column importance over all rows: mean |df/dx| · s.d.");
  for (std::size_t c = 0; c < std::min(most, influences.size()); ++c)
    session.say(fmt::format("  {:>12.4g}  {:>6}  {}", influences[c].influence, percent(influences[c].share),
                            influences[c].name));
  if (influences.size() > most)
    session.say(fmt::format("  {:>12}  {:>6}  {} more columns", "", "", influences.size() - most));
}

Json json_of(const Model& model, const Explanation& e) {
  Json examples = Json::array(), terms = Json::array(), columns = Json::array();
  const std::vector<std::size_t> shown = leading_columns(e, 10);
  for (const Contribution& one : e.examples)
    examples.push_back({{"example", one.example + 1},
                        {"class", example_class(model, one.example)},
                        {"values", example_text(model, one.example, shown)},
                        {"coefficient", number(one.coefficient)},
                        {"similarity", number(one.similarity)},
                        {"amount", number(one.amount)},
                        {"share", number(one.share)}});
  for (const TermAmount& term : e.terms)
    terms.push_back({{"kernel", term.kernel}, {"amount", number(term.amount)}});
  for (const ColumnEffect& one : e.columns) {
    Json column{{"name", one.name}, {"value", one.value}, {"effect", number(one.effect)}};
    if (one.category.empty())
      column["slope"] = number(one.slope);
    else
      column.update(Json{{"category", one.category}, {"change", number(one.change)}});
    if (one.amount) column["amount"] = number(*one.amount);
    columns.push_back(column);
  }
  Json json{{"row", e.row + 1},
            {"subject", e.subject},
            {"against", e.against.empty() ? Json() : Json(e.against)},
            {"score", number(e.score)},
            {"constant", number(e.constant)},
            {"self", number(e.self)},
            {"trend", number(e.trend)},
            {"examples", examples},
            {"others", {{"count", e.other_count}, {"amount", number(e.others)}}},
            {"terms", terms},
            {"columns", columns}};
  if (!e.no_examples.empty()) json["no_examples"] = e.no_examples;
  for (const PartEffect& part : e.parts)
    json["parts"].push_back({{"column", part.column},
                             {"begin", part.begin},
                             {"end", part.end},
                             {"text", part.text},
                             {"amount", number(part.amount)}});
  return json;
}

}  // namespace

void add_explain(CLI::App& app, Session& session) {
  struct Options {
    std::string model, rows, plot;
    DataOptions data;
    std::size_t examples = 5, columns = 5;
  };
  auto* command = app.add_subcommand(
      "explain", "explain predictions: the training examples, kernel terms and columns behind them");
  auto options = std::make_shared<Options>();
  add_model_and_data(*command, options->model, options->data);
  add_value(*command, "--rows", options->rows, "LIST",
            "rows of DATA to explain, as in 1-5,17; default: the first five");
  add_value(*command, "--examples", options->examples, "K",
            "number of training examples to show for each row")
      ->capture_default_str();
  add_value(*command, "--columns", options->columns, "K", "number of columns to show for each row")
      ->capture_default_str();
  add_value(*command, "--plot", options->plot, "FILE", "SVG file with a plot of the explanations");
  command->callback([&session, options] {
    Model model = Model::load(options->model);
    const Dataset data = load_for(model, options->data, session, false);
    if (data.rows() == 0)
      throw Error(ErrorCode::invalid_data, fmt::format("{}: no rows to explain", options->data.path));
    const auto rows = parse_rows(
        options->rows.empty() ? fmt::format("1-{}", std::min<std::size_t>(5, data.rows())) : options->rows,
        data.rows());
    const auto explained =
        explain(model, data.points, rows,
                {.examples = options->examples, .threads = session.threads, .progress = session.progress()});
    const auto influences =
        column_influence(model, data.points, {.threads = session.threads, .progress = session.progress()});
    Json json{{"rows", Json::array()}, {"columns", Json::array()}};
    for (const Explanation& e : explained) {
      say(session, data.points, model, e, options->columns);
      json["rows"].push_back(json_of(model, e));
    }
    if (data.points.cols() > 0)
      say_influences(session, influences, std::max<std::size_t>(10, options->columns));
    for (const ColumnInfluence& one : influences)
      json["columns"].push_back(
          {{"name", one.name}, {"influence", number(one.influence)}, {"share", number(one.share)}});
    if (!options->plot.empty()) {
      write_file(options->plot, data.points.objects().empty()
                                    ? explanation_picture(model, explained, influences)
                                    : object_picture(data.points, explained));
      session.say(fmt::format("plot: {}", options->plot));
      json["plot"] = options->plot;
    }
    session.answer(json);
  });
}

}  // namespace mercer::cli

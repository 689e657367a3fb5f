// Objects with each part coloured by what it adds to the score: blue where it adds, orange where it takes,
// the stronger the more. Texts and sequences stand as they are written, molecules are drawn, and of other
// objects the parts that matter most are listed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/molecules.hpp"
#include "mercer/error.hpp"
#include "mercer/explain.hpp"
#include "plot/chart_style.hpp"
#include "plot/svg.hpp"

namespace mercer {

namespace {

constexpr double object_width = 760, object_margin = 16, letter = 7.8, object_line_height = 22,
                 molecule_width = 420, molecule_height = 308;
constexpr std::size_t letters_of_line = std::size_t((object_width - 2 * object_margin) / letter);
constexpr std::size_t most_object_rows = 12, most_listed = 8, most_letters = 4000;

/// Elements from the top down.
class Column {
 public:
  void heading(const std::string& text) {
    for (const std::string& line : wrapped(text, 90, 3)) {
      y_ += object_line_height;
      body_ += fmt::format("<text x='{}' y='{}' class='{}' font-weight='600'>{}</text>\n",
                           pixels(object_margin), pixels(y_), fill_class(-1), escape_xml(line));
    }
    y_ += 6;
  }
  /// A word at a place of the line that is open; `share` of the largest amount.
  void word(std::string_view text, double share) {
    const std::size_t size = characters(text);
    if (at_ + size > letters_of_line && at_ > 0) end_line();
    const double x = object_margin + double(at_) * letter, top = y_ + 5;
    if (share != 0)
      body_ +=
          fmt::format("<rect x='{}' y='{}' width='{}' height='{}' class='{}' fill-opacity='{:.2f}'/>\n",
                      pixels(x), pixels(top), pixels(double(size) * letter), pixels(object_line_height - 4),
                      fill_class(share > 0 ? 0 : 1), 0.75 * std::abs(share));
    body_ += fmt::format(
        "<text x='{}' y='{}' class='{}' style='font-family:monospace;font-size:13px' xml:space='preserve' "
        "textLength='{}'>{}</text>\n",
        pixels(x), pixels(y_ + object_line_height - 4), fill_class(-1), pixels(double(size) * letter),
        escape_xml(text));
    at_ += size;
  }
  void end_line() {
    if (at_ == 0) return;
    y_ += object_line_height;
    at_ = 0;
  }
  void inset(std::string svg) {
    const std::size_t begin = svg.find("<svg");
    if (begin == svg.npos) return;
    svg.erase(0, begin);
    // Bonds are black on any page.
    body_ += fmt::format(
        "<g transform='translate({} {})'><rect width='{}' height='{}' rx='6' fill='#fff'/>{}</g>\n",
        pixels(object_margin), pixels(y_), pixels(molecule_width), pixels(molecule_height - 8), svg);
    y_ += molecule_height;
  }
  std::string finish() {
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' class='mercer-chart' viewBox='0 0 {0} {1}' width='{0}' "
        "height='{1}' role='img'>\n{2}\n{3}</svg>\n",
        pixels(object_width), pixels(y_ + object_margin), chart_style, body_);
  }

 private:
  static std::size_t characters(std::string_view text) {
    return std::size_t(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }
  std::string body_;
  double y_ = 0;
  std::size_t at_ = 0;  // characters on the line that is open
};

void draw_text(Column& column, std::string_view text, std::span<const PartEffect> parts, double most) {
  std::size_t at = 0;
  for (const PartEffect& part : parts) {
    if (part.begin >= most_letters) break;
    if (part.begin > at) column.word(text.substr(at, part.begin - at), 0);
    column.word(text.substr(part.begin, part.end - part.begin), most > 0 ? part.amount / most : 0);
    at = part.end;
  }
  if (at < text.size()) column.word(text.substr(at, 40), 0);
  column.end_line();
}

void list_parts(Column& column, std::vector<PartEffect> parts, double most) {
  std::ranges::stable_sort(parts, std::ranges::greater{},
                           [](const PartEffect& part) { return std::abs(part.amount); });
  for (std::size_t p = 0; p < std::min(most_listed, parts.size()); ++p) {
    column.word(fmt::format("{:+10.4g}  {}", parts[p].amount, parts[p].text),
                most > 0 ? parts[p].amount / most : 0);
    column.end_line();
  }
}

}  // namespace

std::string object_picture(const Points& points, std::span<const Explanation> explained) {
  if (explained.empty()) throw Error(ErrorCode::invalid_argument, "there is no row to draw");
  Column column;
  for (const Explanation& e : explained.first(std::min(most_object_rows, explained.size()))) {
    const std::string what = e.against.empty() ? e.subject : fmt::format("{}, not {}", e.subject, e.against);
    column.heading(fmt::format("row {}: {}, f = {}", e.row + 1, what, label_text(e.score)));
    for (const Objects& objects : points.objects()) {
      std::vector<PartEffect> parts;
      double most = 0;
      for (const PartEffect& part : e.parts)
        if (part.column == objects.name())
          parts.push_back(part), most = std::max(most, std::abs(part.amount));
      const Texts* texts = std::get_if<Texts>(&objects.storage());
      if (objects.domain() == Domain::molecule && !parts.empty()) {
        std::vector<double> weights;
        for (const PartEffect& part : parts) weights.push_back(part.amount);
        column.inset(molecule_svg((*texts)[e.row], weights));
      } else if (texts) {
        draw_text(column, (*texts)[e.row], parts, most);
      } else {
        list_parts(column, parts, most);
      }
    }
  }
  column.heading("Blue parts add to f, orange ones take from it: f(x) − f(x without the part).");
  return column.finish();
}

}  // namespace mercer

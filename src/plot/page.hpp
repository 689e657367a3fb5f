// A page of HTML from sections, sentences, tables and pictures. All text is escaped here; markup comes from
// this file alone, and from pictures, which escape theirs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mercer {

/// Text, with a bar behind it where it is a share of something.
struct PageCell {
  std::string text;
  std::optional<double> share = {};

  PageCell(std::string words) : text(std::move(words)) {}
  PageCell(std::string words, double part) : text(std::move(words)), share(part) {}
};

struct PageTable {
  enum class Kind { text, number, code };
  struct Column {
    std::string title;
    Kind kind = Kind::text;
  };
  std::vector<Column> columns;
  std::vector<std::vector<PageCell>> rows = {};

  template <class... Cells>
  void add(Cells&&... cells) {
    rows.push_back({PageCell(std::forward<Cells>(cells))...});
  }
};

class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  /// The first sentences, in larger letters.
  void lead(std::string_view text);
  /// A number that stands out, with what it is.
  void tile(std::string_view value, std::string_view meaning);
  /// What follows is below this heading; `id` is a word that no other section has.
  void section(std::string id, std::string heading);
  void heading(std::string_view text);  ///< within a section
  void paragraph(std::string_view text);
  void list(std::span<const std::string> lines);
  void code(std::string_view text);
  void table(const PageTable& table);
  /// SVG text, and a sentence or two below it. One that follows another stands beside it where there is room.
  void picture(const std::string& svg, std::string_view caption);
  void missing_picture(std::string_view reason);

  std::string html() const;

 private:
  struct Section {
    std::string id, heading, body;
  };
  std::string& body();
  void close_pictures();

  std::string title_, lead_, tiles_;
  std::vector<Section> sections_;
  bool in_pictures_ = false;
};

}  // namespace mercer

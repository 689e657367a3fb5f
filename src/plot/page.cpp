#include "plot/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "plot/svg.hpp"

namespace mercer {

namespace {

// The colours of a page are those of the pictures on it. On a phone pictures take the whole width; those
// whose letters would be too small to read then are wider and scroll within their box, as tables do, whose
// shaded edges tell that there is more.
constexpr std::string_view page_style = R"(
:root{color-scheme:light dark;--page:#fff;--ink:#24292f;--muted:#57606a;--line:#d8dee4;--soft:#f6f8fa;--bar:#cfe4f5;--accent:#0067a3;--shade:#0002}
@media (prefers-color-scheme:dark){:root{--page:#15181d;--ink:#e6e8eb;--muted:#a4acb5;--line:#31373f;--soft:#1c2027;--bar:#1d4763;--accent:#7cc8f2;--shade:#fff3}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
main{max-width:72rem;margin:0 auto;padding:2.5rem 1.5rem 4rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 1rem}
h2{font-size:1.35rem;line-height:1.3;margin:3rem 0 .75rem;padding-top:1.25rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.75rem 0 .5rem}
p,ul{max-width:48rem;margin:.5rem 0}
ul{padding-left:1.25rem}
li{margin:.25rem 0}
a{color:var(--accent)}
.lead{font-size:1.15rem;max-width:52rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem;margin:1.75rem 0 1.25rem;padding:0}
.tiles div{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;display:flex;flex-direction:column-reverse;justify-content:flex-end}
.tiles dt{color:var(--muted);font-size:.875rem;line-height:1.35}
.tiles dd{margin:0;font-size:1.5rem;font-weight:600;line-height:1.3}
nav{font-size:.9375rem;margin:1.25rem 0 0}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:0 1.25rem;max-width:none;padding:0;margin:0}
nav li{margin:0}
nav a{display:inline-block;padding:.2rem 0}
code,pre{font:.875em/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;overflow-x:auto;white-space:pre-wrap}
.scroll{overflow-x:auto;margin:1rem 0;overflow-wrap:normal;background:linear-gradient(90deg,var(--page) 40%,transparent) 0/2.5rem 100% no-repeat local,linear-gradient(270deg,var(--page) 40%,transparent) 100%/2.5rem 100% no-repeat local,linear-gradient(90deg,var(--shade),transparent) 0/.75rem 100% no-repeat scroll,linear-gradient(270deg,var(--shade),transparent) 100%/.75rem 100% no-repeat scroll}
table{border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.4rem 1.5rem .4rem 0;border-bottom:1px solid var(--line);max-width:min(30rem,70vw);overflow-wrap:anywhere}
th{color:var(--muted);font-weight:600;vertical-align:bottom}
th,td{white-space:nowrap}
th.number,td.number{text-align:right}
td.long,td.code{white-space:normal;min-width:min(18rem,60vw)}
td .bar{display:block;height:.4rem;border-radius:.2rem;background:var(--accent);opacity:.75;margin-top:.2rem;min-width:1px}
td.share{min-width:8rem}
.pictures{display:flex;flex-wrap:wrap;gap:1.5rem;margin:1.25rem 0}
figure{flex:1 1 min(100%,30rem);display:flex;flex-direction:column;margin:0;border:1px solid var(--line);border-radius:.5rem;overflow:hidden;min-width:0}
figure.wide{flex-basis:100%}
figure .scroll{margin:auto 0;padding:.25rem 0}
.pictures svg{display:block;max-width:100%;height:auto;margin:0 auto}
figcaption{border-top:1px solid var(--line);padding:.6rem 1rem .75rem;color:var(--muted);font-size:.9375rem}
.missing{color:var(--muted);font-style:italic}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--muted);font-size:.875rem}
@media (max-width:40rem){main{padding:1.5rem 1rem 3rem}h1{font-size:1.6rem}.lead{font-size:1.05rem}th,td{padding-right:1rem}.pictures{gap:1rem;margin-left:-1rem;margin-right:-1rem}
figure{border-left:0;border-right:0;border-radius:0}.pictures figure svg{max-width:none;width:max(100%,var(--least))}}
@media print{figure,tr{break-inside:avoid}nav{display:none}}
)";

constexpr double widest_beside = 680;  // pixels of a picture that shares a row with another
constexpr double least_scale = 0.69;   // of a picture on a phone: letters of 12 pixels are not below 8 then
constexpr std::size_t longest_line = 28;  // bytes of a cell that is not broken

std::string_view word_of(PageTable::Kind kind) {
  return kind == PageTable::Kind::number ? "number" : kind == PageTable::Kind::code ? "code" : "";
}

std::string class_attribute(std::string classes) {
  return classes.empty() ? classes : fmt::format(" class=\"{}\"", classes);
}

std::string cell_markup(const PageCell& cell, PageTable::Kind kind) {
  std::string inside = escape_xml(cell.text);
  if (kind == PageTable::Kind::code) inside = "<code>" + inside + "</code>";
  std::string classes(word_of(kind));
  if (kind == PageTable::Kind::text && cell.text.size() > longest_line) classes = "long";
  if (cell.share) {
    classes += classes.empty() ? "share" : " share";
    inside += fmt::format("<span class=\"bar\" style=\"width:{:.1f}%\"></span>",
                          100 * (std::isfinite(*cell.share) ? std::clamp(*cell.share, 0.0, 1.0) : 0.0));
  }
  return fmt::format("<td{}>{}</td>", class_attribute(classes), inside);
}

double width_of(const std::string& svg) {
  constexpr std::string_view mark = " width=\"";
  const std::size_t at = svg.find(mark);
  return at == std::string::npos ? 0 : std::atof(svg.c_str() + at + mark.size());
}

}  // namespace

void Page::lead(std::string_view text) {
  lead_ += fmt::format("<p class=\"lead\">{}</p>\n", escape_xml(text));
}

void Page::tile(std::string_view value, std::string_view meaning) {
  tiles_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escape_xml(meaning), escape_xml(value));
}

void Page::section(std::string id, std::string heading) {
  if (!sections_.empty()) close_pictures();
  sections_.push_back({std::move(id), std::move(heading), {}});
}

std::string& Page::body() {
  close_pictures();
  return sections_.back().body;
}

void Page::close_pictures() {
  if (in_pictures_) sections_.back().body += "</div>\n";
  in_pictures_ = false;
}

void Page::heading(std::string_view text) { body() += fmt::format("<h3>{}</h3>\n", escape_xml(text)); }
void Page::paragraph(std::string_view text) { body() += fmt::format("<p>{}</p>\n", escape_xml(text)); }
void Page::code(std::string_view text) {
  body() += fmt::format("<pre><code>{}</code></pre>\n", escape_xml(text));
}
void Page::missing_picture(std::string_view reason) {
  body() += fmt::format("<p class=\"missing\">{}</p>\n", escape_xml(reason));
}

void Page::list(std::span<const std::string> lines) {
  if (lines.empty()) return;
  std::string& out = body();
  out += "<ul>\n";
  for (const std::string& line : lines) out += fmt::format("<li>{}</li>\n", escape_xml(line));
  out += "</ul>\n";
}

void Page::table(const PageTable& table) {
  std::string& out = body();
  out += "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
  for (const auto& [title, kind] : table.columns)
    out += fmt::format("<th scope=\"col\"{}>{}</th>",
                       class_attribute(kind == PageTable::Kind::number ? "number" : ""), escape_xml(title));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) out += cell_markup(row[c], table.columns.at(c).kind);
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
}

void Page::picture(const std::string& svg, std::string_view caption) {
  std::string& out = sections_.back().body;
  const double width = width_of(svg);
  if (!in_pictures_) out += "<div class=\"pictures\">\n";
  in_pictures_ = true;
  out += fmt::format(
      "<figure{} style=\"--least:{:.0f}px\"><div class=\"scroll\" "
      "tabindex=\"0\">{}</div><figcaption>{}</figcaption></figure>\n",
      class_attribute(width > widest_beside ? "wide" : ""), least_scale * width, svg, escape_xml(caption));
}

std::string Page::html() const {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{0}</h1>\n{2}",
      escape_xml(title_), page_style, lead_);
  if (!tiles_.empty()) out += fmt::format("<dl class=\"tiles\">\n{}</dl>\n", tiles_);
  out += "</header>\n";
  if (sections_.size() > 1) {
    out += "<nav aria-label=\"Contents\"><ul>\n";
    for (const Section& section : sections_)
      out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, escape_xml(section.heading));
    out += "</ul></nav>\n";
  }
  for (const Section& section : sections_)
    out += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}{}</section>\n", section.id,
                       escape_xml(section.heading), section.body,
                       in_pictures_ && &section == &sections_.back() ? "</div>\n" : "");
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace mercer

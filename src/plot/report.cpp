#include "mercer/report.hpp"

#include <fmt/format.h>

#include <memory>

#include "mercer/error.hpp"
#include "mercer/version.hpp"
#include "plot/report_parts.hpp"
#include "plot/svg.hpp"

namespace mercer {

namespace {

constexpr std::size_t influence_rows = 80;

std::string page_title(const ReportInput& input) {
  const std::string& target = input.data.target.name;
  const std::string of = input.name.empty() ? "the data" : shortened(input.name, 80);
  return target.empty() ? fmt::format("A model of {}", of)
                        : fmt::format("Predicting {} in {}", shortened(target, 60), of);
}

// A kernel of strings or of row numbers has no columns to move; the page does without.
template <class Work>
auto or_nothing(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    return decltype(work())();
  }
}

void add_end(Page& page, const ReportInput& input) {
  if (!input.fit.next.empty()) {
    page.section("next", "What to try next");
    page.list(said(input.fit.next));
  }
  page.section("again", "Reproduce this");
  if (!input.command.empty()) page.code(input.command);
  page.paragraph(
      fmt::format("Made by mercer {}, seed {}: the same command gives the same model and the same page.",
                  version(), input.seed));
}

// Parts of the page report how far each of them is; what counts is how far the page is.
Progress progress_of_page(Progress outer) {
  if (!outer) return {};
  return
      [outer = std::move(outer), done = std::make_shared<double>(0)](std::string_view what, double fraction) {
        if (what == "report") *done = fraction;
        return outer(what, *done);
      };
}

std::string page_for(const ReportInput& input) {
  Page page(page_title(input));
  add_verdict(page, input);
  add_data(page, input);
  add_choice(page, input);
  add_quality(page, input);
  input.progress.check("report", 0.15);
  const auto influences = or_nothing([&] {
    return column_influence(input.fit.model, input.data.points,
                            {.rows = influence_rows, .threads = input.threads, .progress = input.progress});
  });
  add_model_pictures(page, input, influences);
  add_kernel_pictures(page, input);
  add_influences(page, influences);
  add_certificate(page, input);
  add_examples(page, input, influences);
  input.progress.check("report", 0.9);
  or_nothing([&] { add_neighbours(page, input, influences); });
  add_end(page, input);
  return page.html();
}

}  // namespace

std::string report_page(const ReportInput& given) {
  ReportInput input = given;
  input.progress = progress_of_page(given.progress);
  return page_for(input);
}

}  // namespace mercer

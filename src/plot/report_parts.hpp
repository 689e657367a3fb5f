// The sections of a report, in the order of the page.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "mercer/progress.hpp"
#include "mercer/explain.hpp"
#include "mercer/report.hpp"
#include "plot/page.hpp"

namespace mercer {

/// A score for people: parts of the rows in percent.
std::string score_text(const std::string& metric, double score);

/// Draws, or says in a sentence why not; a page does not fail because of one picture. Error{cancelled}
/// passes.
void add_picture(Page& page, const std::string& what, const std::string& caption,
                 const std::function<std::string()>& draw);

void add_verdict(Page& page, const ReportInput& input);
void add_data(Page& page, const ReportInput& input);
void add_choice(Page& page, const ReportInput& input);
void add_quality(Page& page, const ReportInput& input);
/// Over the columns that `influences` say move the prediction most.
void add_model_pictures(Page& page, const ReportInput& input, std::span<const ColumnInfluence> influences);
void add_kernel_pictures(Page& page, const ReportInput& input);
void add_influences(Page& page, std::span<const ColumnInfluence> influences);
void add_certificate(Page& page, const ReportInput& input);
/// `influences` say which columns an example is shown by.
void add_examples(Page& page, const ReportInput& input, std::span<const ColumnInfluence> influences);
void add_neighbours(Page& page, const ReportInput& input, std::span<const ColumnInfluence> influences);

}  // namespace mercer

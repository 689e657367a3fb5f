// The style sheet of charts, and the words that elements are written with.
#pragma once

#include <string>
#include <string_view>

namespace mercer {

extern const std::string_view chart_style;  ///< a <style> element

/// The class of the strokes or the fills of a colour of Style.
std::string stroke_class(int colour);
std::string fill_class(int colour);

/// A coordinate: one decimal, none where it is 0.
std::string pixels(double value);

/// The width that text of 12 pixels takes, as far as it can be told without its font.
double text_width(std::string_view text);

}  // namespace mercer

// An image stands for all that it becomes by small shifts and turns:
//   k(x, z) = 1/m² Σ_g Σ_h k'(g x, h z),
//   g, h ∈ {turns by −r, 0, r degrees} × {shifts by −s … s pixels in both directions},
// which is an inner product of the means of φ'(g x), so it is valid wherever k' is. (DeCoste & Schölkopf 2002
// add the changed images to the data; Haasdonk & Burkhardt 2007 integrate over them, as here.) What moves in
// from outside is the nearest pixel of the border.
#include "mercer/kernels/orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/catalogue.hpp"
#include "kernels/image_frames.hpp"
#include "kernels/members.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

struct Change {
  double cosine, sine;
  int down, right;
};

std::vector<Change> all_changes(const Orbit& orbit) {
  std::vector<Change> list;
  for (const double turn : orbit.rotations > 0 ? std::vector{0.0, -1.0, 1.0} : std::vector{0.0}) {
    const double angle = turn * orbit.rotations * std::numbers::pi / 180;
    for (int down = -orbit.shifts; down <= orbit.shifts; ++down)
      for (int right = -orbit.shifts; right <= orbit.shifts; ++right)
        list.push_back({turn == 0 ? 1 : std::cos(angle), turn == 0 ? 0 : std::sin(angle), down, right});
  }
  return list;
}

/// out = the image turned around its centre and then shifted; between pixels, by both neighbours in both
/// directions.
template <class T>
void change_image(const T* image, const Frame& frame, const Change& change, T* out) {
  const double middle_row = double(frame.height - 1) / 2, middle_column = double(frame.width - 1) / 2;
  for (std::size_t r = 0; r < frame.height; ++r)
    for (std::size_t c = 0; c < frame.width; ++c) {
      const double y = double(r) - change.down - middle_row, x = double(c) - change.right - middle_column;
      const double row =
          std::clamp(middle_row + change.cosine * y - change.sine * x, 0.0, double(frame.height - 1));
      const double column =
          std::clamp(middle_column + change.sine * y + change.cosine * x, 0.0, double(frame.width - 1));
      const auto top = std::size_t(row), left = std::size_t(column);
      const std::size_t bottom = std::min(top + 1, frame.height - 1),
                        beside = std::min(left + 1, frame.width - 1);
      const double v = row - double(top), u = column - double(left);
      for (std::size_t k = 0; k < frame.channels; ++k) {
        const auto at = [&](std::size_t i, std::size_t j) {
          return double(image[(i * frame.width + j) * frame.channels + k]);
        };
        const double value = (1 - v) * ((1 - u) * at(top, left) + u * at(top, beside)) +
                             v * ((1 - u) * at(bottom, left) + u * at(bottom, beside));
        if constexpr (std::is_floating_point_v<T>)
          *out++ = value;
        else
          *out++ = T(std::lround(value));
      }
    }
}

std::vector<std::size_t> starts_of(std::size_t rows, std::size_t members) {
  std::vector<std::size_t> starts(rows + 1);
  for (std::size_t i = 0; i <= rows; ++i) starts[i] = i * members;
  return starts;
}

Members of_images(const Objects& column, const std::vector<Change>& changes) {
  const Images& from = column.images();
  const std::size_t n = from.rows(), m = changes.size();
  Images to{Buffer<std::size_t>(n * m + 1), Buffer<std::uint32_t>(n * m), Buffer<std::uint32_t>(n * m),
            from.channels, Buffer<std::uint8_t>(from.pixels.size() * m)};
  to.starts[0] = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t g = 0; g < m; ++g) {
      const std::size_t member = i * m + g;
      to.heights[member] = from.heights[i];
      to.widths[member] = from.widths[i];
      to.starts[member + 1] = to.starts[member] + from.starts[i + 1] - from.starts[i];
      change_image(from.pixels.data() + from.starts[i], {from.heights[i], from.widths[i], from.channels},
                   changes[g], to.pixels.data() + to.starts[member]);
    }
  return {Points(Objects(column.name(), Domain::image, Objects::Storage(std::move(to)))), starts_of(n, m)};
}

Members of_rows(const Points& points, const std::vector<Change>& changes, int width) {
  const Frame frame = frame_of_rows(points.cols(), width, "orbit");
  const std::size_t n = points.rows(), d = points.cols(), m = changes.size();
  Dense<double> to{n * m, d, Buffer<double>(n * m * d)};
  std::vector<double> row(d);
  for (std::size_t i = 0; i < n; ++i) {
    points.copy_row(i, row);
    for (std::size_t g = 0; g < m; ++g)
      change_image(row.data(), frame, changes[g], to.values.data() + (i * m + g) * d);
  }
  return {Points(std::move(to), points.names()), starts_of(n, m)};
}

class OrbitNode final : public RuleNode<OrbitNode> {
 public:
  static constexpr auto proved = "the mean of a valid kernel over pairs of changed images";
  OrbitNode(Kernel k, const Orbit& orbit) : RuleNode({std::move(k)}), orbit_(orbit) {}
  std::string text() const override { return fmt::format("orbit({}, {})", k().text(), key()); }
  Properties properties() const override {
    const Properties p = k().properties();
    return {.psd = p.psd, .bound = p.bound};
  }
  std::vector<Domain> domains() const override { return {Domain::image}; }
  Symbol trace(Tracer& tracer) const override {
    const std::vector<Change> changes = all_changes(orbit_);
    const MemberMap members{"orbit " + key(), [changes, width = orbit_.width](const Points& points) {
                              const std::vector<Objects> images = images_in(points, "orbit");
                              return images.empty() ? of_rows(points, changes, width)
                                                    : of_images(images.front(), changes);
                            }};
    return tracer.member_sum(members, k()) * (1 / (double(changes.size()) * double(changes.size())));
  }
  Dependence dependence() const override { return Dependence::linear; }
  /// The images as they are: each is one of its own changes, and the others lie as far apart.
  Points points_inside(const Points& points) const override {
    const std::vector<Objects> images = images_in(points, "orbit");
    if (!images.empty()) return Points(images.front());
    frame_of_rows(points.cols(), orbit_.width, "orbit");
    return points;
  }

 private:
  std::string key() const {
    return fmt::format("shifts={}, rotations={}{}", orbit_.shifts, to_text(orbit_.rotations),
                       orbit_.width ? fmt::format(", width={}", orbit_.width) : "");
  }

  Orbit orbit_;
};

constexpr int most_shifts = 10;

}  // namespace

Kernel orbit(const Kernel& k, Orbit changes) {
  pixel_count(double(changes.shifts), "shifts", 0, most_shifts);
  pixel_count(double(changes.width), "width", 0, widest_image);
  if (!(changes.rotations >= 0 && changes.rotations <= 90))
    throw Error::of_parameter("", "rotations", "must be from 0 to 90 degrees", to_text(changes.rotations));
  check_for_members(k, "orbit");
  return Kernel(std::make_shared<OrbitNode>(k, changes));
}

extern const Combinator orbit_combinator{
    .name = "orbit",
    .formula = "mean over changes g, h of k(g·x, h·z)",
    .summary = "makes a kernel of images invariant to small shifts and rotations",
    .parameters = {{"shifts", "largest shift in each direction, in pixels, 0 to 10", "1"},
                   {"rotations", "largest rotation to both sides, in degrees, 0 to 90", "5"},
                   {"width", "image width in pixels, if the rows are numbers; 0: square images", "0"}},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
      Orbit changes;
      for (const auto& [name, argument] : arguments) {
        if (name == "shifts") changes.shifts = pixel_count(argument, name, 0, most_shifts);
        if (name == "width") changes.width = pixel_count(argument, name, 0, widest_image);
        if (name != "rotations") continue;
        const double* degrees = std::get_if<double>(&argument);
        if (!degrees) throw Error::of_parameter("", "rotations", "must be a number", to_text(argument));
        changes.rotations = *degrees;
      }
      return orbit(kernels.front(), changes);
    }};

}  // namespace mercer

// An image as the set of its patches, squares of `size` × `size` pixels that begin `stride` pixels apart:
//   k(x, z) = Σₐ Σ_b k'(a, b), a: patches of x, b: patches of z,
// the set kernel of Haussler 1999, so it is valid where k' is. Images of any size can be compared, and what
// is somewhere in one image is found wherever it is in the other. Patches are images again: k' may be a
// kernel of pixels (rbf, linear), of colours (histogram) or of gradients (hog).
#include "mercer/kernels/patches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/image_frames.hpp"
#include "kernels/members.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr int largest_patch = 1024;
constexpr std::size_t most_seen = std::size_t(1) << 16;  // patches that `scale` is computed from

std::size_t places_along(std::size_t length, const Patches& cut) {
  return (length - std::size_t(cut.size)) / std::size_t(cut.stride) + 1;
}

/// How many patches an image has; Error{data} where it has none.
std::size_t patches_of(const Frame& frame, const Patches& cut, std::string_view what, std::size_t row) {
  if (frame.height < std::size_t(cut.size) || frame.width < std::size_t(cut.size))
    throw Error(ErrorCode::invalid_data,
                fmt::format("{} {} is {} × {} pixels, smaller than a patch of {} × {}", what, row + 1,
                            frame.height, frame.width, cut.size, cut.size),
                {.owner = "patches",
                 .hint = fmt::format("size must be at most {}", std::min(frame.height, frame.width))});
  return places_along(frame.height, cut) * places_along(frame.width, cut);
}

/// Copies the patches of an image, one behind the other.
template <class T>
T* copy_patches(const T* image, const Frame& frame, const Patches& cut, T* out) {
  const std::size_t line = frame.width * frame.channels, part = std::size_t(cut.size) * frame.channels;
  for (std::size_t down = 0; down < places_along(frame.height, cut); ++down)
    for (std::size_t across = 0; across < places_along(frame.width, cut); ++across)
      for (std::size_t r = 0; r < std::size_t(cut.size); ++r)
        out = std::copy_n(image + (down * std::size_t(cut.stride) + r) * line +
                              across * std::size_t(cut.stride) * frame.channels,
                          part, out);
  return out;
}

/// Where the patches of each row begin.
std::vector<std::size_t> starts_of(const Points& points, const Patches& cut) {
  std::vector<std::size_t> starts{0};
  const std::vector<Objects> images = images_in(points, "patches");
  for (std::size_t i = 0; i < points.rows(); ++i) {
    if (images.empty()) {
      starts.push_back(starts.back() +
                       patches_of(frame_of_rows(points.cols(), cut.width, "patches"), cut, "row", i));
    } else {
      const Images& from = images.front().images();
      starts.push_back(starts.back() +
                       patches_of({from.heights[i], from.widths[i], from.channels}, cut, "image", i));
    }
  }
  return starts;
}

Members patches_in(const Points& points, const Patches& cut) {
  std::vector<std::size_t> starts = starts_of(points, cut);
  const std::vector<Objects> images = images_in(points, "patches");
  const std::size_t n = points.rows(), m = starts.back(),
                    area = std::size_t(cut.size) * std::size_t(cut.size);
  if (images.empty()) {
    Dense<double> to{m, area, Buffer<double>(m * area)};
    std::vector<double> row(points.cols());
    double* out = to.values.data();
    for (std::size_t i = 0; i < n; ++i) {
      points.copy_row(i, row);
      out = copy_patches(row.data(), frame_of_rows(points.cols(), cut.width, "patches"), cut, out);
    }
    return {Points(std::move(to)), std::move(starts)};
  }
  const Images& from = images.front().images();
  const auto side = std::uint32_t(cut.size);
  Images to{Buffer<std::size_t>(m + 1), Buffer<std::uint32_t>(m, side), Buffer<std::uint32_t>(m, side),
            from.channels, Buffer<std::uint8_t>(m * area * from.channels)};
  for (std::size_t p = 0; p <= m; ++p) to.starts[p] = p * area * from.channels;
  std::uint8_t* out = to.pixels.data();
  for (std::size_t i = 0; i < n; ++i)
    out = copy_patches(from.pixels.data() + from.starts[i], {from.heights[i], from.widths[i], from.channels},
                       cut, out);
  return {Points(Objects(images.front().name(), Domain::image, Objects::Storage(std::move(to)))),
          std::move(starts)};
}

class PatchesNode final : public RuleNode<PatchesNode> {
 public:
  static constexpr auto proved = "a valid kernel, summed over the patches of two images";
  PatchesNode(Kernel k, const Patches& cut) : RuleNode({std::move(k)}), cut_(cut) {}
  std::string text() const override {
    return fmt::format("patches({}, {}, normalize={}{})", k().text(), key(), name_of(cut_.normalize),
                       cut_.width ? fmt::format(", width={}", cut_.width) : "");
  }
  Properties properties() const override { return properties_of_sum(k().properties(), cut_.normalize); }
  std::vector<Domain> domains() const override { return {Domain::image}; }
  Symbol trace(Tracer& tracer) const override {
    const MemberMap members{fmt::format("patches {}, width={}", key(), cut_.width),
                            [cut = cut_](const Points& points) { return patches_in(points, cut); }};
    const MemberStarts starts = [cut = cut_](const Points& points) { return starts_of(points, cut); };
    return normalized_sum(tracer, members, starts, k(), cut_.normalize);
  }
  Dependence dependence() const override {
    return cut_.normalize == SetNormalize::cosine ? Dependence::other : Dependence::linear;
  }
  /// The patches of as many images, evenly spaced, as have no more than `most_seen`; one at least.
  Points points_inside(const Points& points) const override {
    const std::size_t n = points.rows(), all = starts_of(points, cut_).back();
    const std::size_t step = all / most_seen + 1;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < n; i += step) rows.push_back(i);
    return patches_in(step == 1 ? points : points.select_rows(rows), cut_).points;
  }

 private:
  std::string key() const { return fmt::format("size={}, stride={}", cut_.size, cut_.stride); }

  Patches cut_;
};

}  // namespace

Kernel patches(const Kernel& k, Patches cut) {
  pixel_count(double(cut.size), "size", 1, largest_patch);
  pixel_count(double(cut.stride), "stride", 1, largest_patch);
  pixel_count(double(cut.width), "width", 0, widest_image);
  check_for_members(k, "patches");
  return Kernel(std::make_shared<PatchesNode>(k, cut));
}

extern const Combinator patches_combinator{
    .name = "patches",
    .formula = "Σₐ Σ_b k(a,b), a: patches of x, b: patches of z",
    .summary = "images compared as sets of patches, by a kernel of patches: pixels, histogram or hog",
    .parameters = {{"size", "side of a patch in pixels, 1 to 1024", "8"},
                   {"stride", "pixels from one patch to the next, 1 to 1024", "4"},
                   {"normalize",
                    "none, cosine (divided by √(k(x,x)·k(z,z))) or size (by the number of pairs: the mean)",
                    "size"},
                   {"width", "image width in pixels, if the rows are numbers; 0: square images", "0"}},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
      Patches cut;
      for (const auto& [name, argument] : arguments) {
        if (name == "size") cut.size = pixel_count(argument, name, 1, largest_patch);
        if (name == "stride") cut.stride = pixel_count(argument, name, 1, largest_patch);
        if (name == "width") cut.width = pixel_count(argument, name, 0, widest_image);
        if (name == "normalize") cut.normalize = set_normalize_named(argument);
      }
      return patches(kernels.front(), cut);
    }};

}  // namespace mercer

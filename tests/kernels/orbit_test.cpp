#include <gtest/gtest.h>

#include <numbers>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

using Row = std::vector<double>;

/// The image, h × w, turned by `degrees` and then moved: each pixel looks where it came from, at the nearest
/// four.
Row changed(const Row& image, int h, int w, double degrees, int down, int right) {
  Row out;
  const double angle = degrees * std::numbers::pi / 180, cy = (h - 1) / 2.0, cx = (w - 1) / 2.0;
  for (int r = 0; r < h; ++r)
    for (int c = 0; c < w; ++c) {
      const double y = r - down - cy, x = c - right - cx;
      const double from_y = std::min(std::max(std::cos(angle) * y - std::sin(angle) * x + cy, 0.0), h - 1.0);
      const double from_x = std::min(std::max(std::sin(angle) * y + std::cos(angle) * x + cx, 0.0), w - 1.0);
      double sum = 0;
      for (int i = 0; i < h; ++i)
        for (int j = 0; j < w; ++j) {
          const double dy = std::abs(from_y - i), dx = std::abs(from_x - j);
          if (dy < 1 && dx < 1) sum += (1 - dy) * (1 - dx) * image[std::size_t(i * w + j)];
        }
      out.push_back(sum);
    }
  return out;
}

std::vector<Row> members(const Row& image, int h, int w, int shifts, double degrees) {
  std::vector<Row> all;
  for (int turn = degrees > 0 ? -1 : 0; turn <= (degrees > 0 ? 1 : 0); ++turn)
    for (int down = -shifts; down <= shifts; ++down)
      for (int right = -shifts; right <= shifts; ++right)
        all.push_back(changed(image, h, w, turn * degrees, down, right));
  return all;
}

double rbf_of(const Row& x, const Row& z, double gamma) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - z[k]) * (x[k] - z[k]);
  return std::exp(-gamma * sum);
}

std::vector<Row> random_images(std::size_t n, std::size_t pixels, std::uint64_t seed) {
  Random random(seed);
  std::vector<Row> rows(n, Row(pixels));
  for (Row& row : rows)
    for (double& value : row) value = random.uniform();
  return rows;
}

std::vector<double> values_of(const Kernel& k, const Points& x, const Points& z) {
  std::vector<double> values(x.rows() * z.rows());
  KernelOperator<double>(k, x, z, {}).tile({0, x.rows()}, {0, z.rows()}, values);
  return values;
}

Points images_of(const std::vector<Row>& rows, std::uint32_t height, std::uint32_t width) {
  const std::size_t n = rows.size(), size = height * width;
  Images images{Buffer<std::size_t>(n + 1), Buffer<std::uint32_t>(n, height), Buffer<std::uint32_t>(n, width),
                1, Buffer<std::uint8_t>(n * size)};
  for (std::size_t i = 0; i <= n; ++i) images.starts[i] = i * size;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < size; ++k) images.pixels[i * size + k] = std::uint8_t(rows[i][k]);
  return Points(Objects("image", Domain::image, Objects::Storage(std::move(images))));
}

TEST(Orbit, IsTheMeanOverAllPairsOfChangedImages) {
  const struct {
    int h, w, shifts;
    double degrees;
  } cases[] = {{3, 3, 1, 5}, {4, 4, 2, 0},  {4, 4, 0, 30}, {2, 5, 1, 90},
               {1, 1, 1, 5}, {5, 1, 1, 10}, {3, 3, 0, 0}};
  for (const auto& [h, w, shifts, degrees] : cases) {
    const auto x = random_images(3, std::size_t(h * w), 1), z = random_images(4, std::size_t(h * w), 2);
    const Kernel k = orbit(rbf({.gamma = 0.8}), {.shifts = shifts, .rotations = degrees, .width = w});
    const auto values = values_of(k, Points(x), Points(z));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        double sum = 0, pairs = 0;
        for (const Row& a : members(x[i], h, w, shifts, degrees))
          for (const Row& b : members(z[j], h, w, shifts, degrees)) {
            sum += rbf_of(a, b, 0.8);
            pairs += 1;
          }
        EXPECT_NEAR(values[i * 4 + j], sum / pairs, 1e-12) << k.text();
      }
  }
}

TEST(Orbit, OfNoChangesIsTheKernelItself) {
  const Points x(random_images(5, 9, 3));
  const auto plain = values_of(rbf({.gamma = 2}), x, x),
             orbits = values_of(orbit(rbf({.gamma = 2}), {.shifts = 0, .rotations = 0}), x, x);
  for (std::size_t e = 0; e < plain.size(); ++e) EXPECT_NEAR(plain[e], orbits[e], 1e-14);
}

TEST(Orbit, SeesImagesAsRowsOfTheirPixels) {
  std::vector<Row> rows = random_images(4, 12, 4);
  for (Row& row : rows)
    for (double& value : row) value = std::round(255 * value);
  const auto images = values_of(Kernel::parse("orbit(rbf(gamma=1e-5), rotations=0)"), images_of(rows, 3, 4),
                                images_of(rows, 3, 4));
  const auto numbers =
      values_of(Kernel::parse("orbit(rbf(gamma=1e-5), rotations=0, width=4)"), Points(rows), Points(rows));
  for (std::size_t e = 0; e < images.size(); ++e) EXPECT_NEAR(images[e], numbers[e], 1e-13);
  const auto turned = values_of(Kernel::parse("orbit(rbf(gamma=1e-5), rotations=9)"), images_of(rows, 3, 4),
                                images_of(rows, 3, 4));
  const auto wanted =
      values_of(Kernel::parse("orbit(rbf(gamma=1e-5), rotations=9, width=4)"), Points(rows), Points(rows));
  for (std::size_t e = 0; e < images.size(); ++e)
    EXPECT_NEAR(turned[e], wanted[e], 1e-3) << "pixels of images are whole numbers";
}

TEST(Orbit, ReadsSparseAndFloat32Rows) {
  const Points x(random_images(4, 9, 5));
  const Kernel k = Kernel::parse("orbit(rbf(gamma=1))");
  const auto wanted = values_of(k, x, x);
  for (const Points& other : {x.to_sparse(), x.with_precision(Precision::float32)}) {
    const auto values = values_of(k, other, other);
    for (std::size_t e = 0; e < wanted.size(); ++e) EXPECT_NEAR(values[e], wanted[e], 1e-6);
  }
}

TEST(Orbit, IsPositiveSemidefiniteAndNormalises) {
  const std::size_t n = 10;
  const Points x(random_images(n, 16, 6));
  for (const char* text : {"orbit(rbf(gamma=3), shifts=1, rotations=20)", "normalize(orbit(rbf(gamma=3)))",
                           "orbit(linear)^2 + 0.5*rbf(gamma=1)"}) {
    const auto values = values_of(Kernel::parse(text), x, x);
    Random random(9);
    for (int k = 0; k < 100; ++k) {
      Row c(n);
      for (double& v : c) v = random.normal();
      double form = 0;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) form += c[i] * values[i * n + j] * c[j];
      EXPECT_GE(form, -1e-9) << text;
    }
    for (std::size_t i = 0; i < n && text[0] == 'n'; ++i) EXPECT_NEAR(values[i * n + i], 1, 1e-12);
  }
}

TEST(Orbit, ResolvesScalesOnTheImages) {
  const Points x(random_images(20, 9, 7));
  EXPECT_EQ(Kernel::parse("orbit(rbf(gamma=scale), rotations=0)").resolve(x).text(),
            "orbit(" + Kernel::parse("rbf(gamma=scale)").resolve(x).text() + ", shifts=1, rotations=0)");
}

TEST(Orbit, PrintsParsesAndProves) {
  EXPECT_EQ(Kernel::parse("orbit(rbf(gamma=1))").text(), "orbit(rbf(gamma=1), shifts=1, rotations=5)");
  EXPECT_EQ(Kernel::parse("orbit(linear, width=7, rotations=2.5, shifts=0)").text(),
            "orbit(linear, shifts=0, rotations=2.5, width=7)");
  EXPECT_EQ(orbit(linear()).prove().because, "the mean of a valid kernel over pairs of changed images");
  EXPECT_FALSE(orbit(sigmoid()).prove().psd);
  EXPECT_EQ(orbit(rbf({.gamma = 1})).properties().bound, 1);
}

TEST(Orbit, RefusesWhatIsNoImage) {
  const auto message = [](const char* text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_TRUE(
      message("orbit(rbf, shifts=11)").starts_with("shifts must be a whole number from 0 to 10, not 11"));
  EXPECT_TRUE(
      message("orbit(rbf, shifts=0.5)").starts_with("shifts must be a whole number from 0 to 10, not 0.5"));
  EXPECT_TRUE(
      message("orbit(rbf, rotations=91)").starts_with("rotations must be from 0 to 90 degrees, not 91"));
  EXPECT_TRUE(message("orbit(rbf, rotations=few)").starts_with("rotations must be a number, not few"));
  EXPECT_TRUE(
      message("orbit(rbf, width=-1)").starts_with("width must be a whole number from 0 to 1000000, not -1"));
  EXPECT_TRUE(message("orbit(1 + center(rbf))")
                  .starts_with("center depends on all points that are compared, so it cannot compare the "
                               "members of two sets; put it around orbit(…) instead"));
  EXPECT_TRUE(message("orbit(precomputed)").starts_with("precomputed knows rows by their place in a matrix"));
  const auto on = [](const char* text, const Points& points) {
    return refusal(ErrorKind::data, [&] { values_of(Kernel::parse(text).resolve(points), points, points); });
  };
  EXPECT_EQ(on("orbit(linear)", Points({{1, 2, 3}})),
            "orbit: rows of 3 columns are no square images; say how wide they are, e.g. width=2, or give a "
            "column of images");
  EXPECT_EQ(on("orbit(linear, width=2)", Points({{1, 2, 3}})),
            "orbit: rows of 3 columns are no images of width 2; it must divide the number of columns");
  const std::vector<std::string> texts{"a", "b"};
  EXPECT_EQ(
      refusal(
          ErrorKind::usage,
          [&] {
            Kernel::parse("orbit(rbf(gamma=scale))").resolve(Points(Objects("words", Domain::text, texts)));
          }),
      "orbit compares images, but the data have only 'words' (texts)");
}

}  // namespace
}  // namespace mercer

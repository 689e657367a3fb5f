#include "mercer/kernels/patches.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/refusal.hpp"
#include "kernels/image_samples.hpp"
#include "kernels/set_samples.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

using Patch = std::vector<double>;

/// The patches of an image, pixel by pixel.
std::vector<Patch> patches_by_hand(const SampleImage& image, std::size_t size, std::size_t stride) {
  std::vector<Patch> all;
  for (std::size_t top = 0; top + size <= image.height; top += stride)
    for (std::size_t left = 0; left + size <= image.width; left += stride) {
      Patch patch;
      for (std::size_t r = top; r < top + size; ++r)
        for (std::size_t c = left; c < left + size; ++c)
          for (std::size_t k = 0; k < image.channels; ++k) patch.push_back(image.at(r, c, k));
      all.push_back(patch);
    }
  return all;
}

double sum_by_hand(const SampleImage& x, const SampleImage& z, std::size_t size, std::size_t stride,
                   auto&& of_patches) {
  double sum = 0;
  for (const Patch& a : patches_by_hand(x, size, stride))
    for (const Patch& b : patches_by_hand(z, size, stride)) sum += of_patches(a, b);
  return sum;
}

double gauss(const Patch& a, const Patch& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::exp(-1e-5 * sum);
}

TEST(Patches, SumOverAllPairsOfPatchesOfImagesOfAnySize) {
  for (const std::size_t channels : {1, 3}) {
    const std::vector<SampleImage> x{random_image(5, 7, channels, 1), random_image(3, 3, channels, 2),
                                     random_image(9, 4, channels, 3)},
        z{random_image(4, 4, channels, 4), random_image(6, 3, channels, 5)};
    for (const auto& [size, stride] :
         std::vector<std::pair<int, int>>{{3, 1}, {3, 2}, {2, 3}, {1, 1}, {3, 50}})
      for (const auto normalize : {SetNormalize::none, SetNormalize::size, SetNormalize::cosine}) {
        const Kernel k =
            patches(rbf({.gamma = 1e-5}), {.size = size, .stride = stride, .normalize = normalize});
        const auto K = matrix_of(k, column_of_images(x), column_of_images(z));
        for (std::size_t i = 0; i < x.size(); ++i)
          for (std::size_t j = 0; j < z.size(); ++j) {
            const auto s = std::size_t(size), t = std::size_t(stride);
            double wanted = sum_by_hand(x[i], z[j], s, t, gauss);
            if (normalize == SetNormalize::size)
              wanted /= double(patches_by_hand(x[i], s, t).size() * patches_by_hand(z[j], s, t).size());
            if (normalize == SetNormalize::cosine)
              wanted /=
                  std::sqrt(sum_by_hand(x[i], x[i], s, t, gauss) * sum_by_hand(z[j], z[j], s, t, gauss));
            EXPECT_NEAR(K[i * z.size() + j], wanted, 1e-10 * std::max(1.0, wanted)) << k.text();
          }
      }
  }
}

TEST(Patches, OfRowsOfNumbersAreThoseOfTheImagesTheyAre) {
  const std::vector<SampleImage> images{random_image(4, 6, 1, 1), random_image(4, 6, 1, 2),
                                        random_image(4, 6, 1, 3)};
  std::vector<std::vector<double>> rows;
  for (const SampleImage& image : images) rows.emplace_back(image.pixels.begin(), image.pixels.end());
  const Kernel k = rbf({.gamma = 1e-5});
  const auto of_rows = matrix_of(patches(k, {.size = 3, .stride = 1, .width = 6}), Points(rows)),
             of_images = matrix_of(patches(k, {.size = 3, .stride = 1}), column_of_images(images));
  for (std::size_t e = 0; e < 9; ++e) EXPECT_NEAR(of_rows[e], of_images[e], 1e-13);
}

TEST(Patches, AreImagesThatKernelsOfImagesCompare) {
  const std::vector<SampleImage> images{random_image(8, 8, 3, 1), random_image(12, 10, 3, 2)};
  for (const std::string inside : {"histogram(levels=4)", "hog(cell=2, bins=4)"}) {
    const Kernel k = Kernel::parse(inside);
    const auto K = matrix_of(patches(k, {.size = 6, .stride = 2, .normalize = SetNormalize::none}),
                             column_of_images(images));
    std::vector<SampleImage> cut[2];
    for (int i = 0; i < 2; ++i)
      for (const Patch& patch : patches_by_hand(images[std::size_t(i)], 6, 2))
        cut[i].push_back({6, 6, 3, {patch.begin(), patch.end()}});
    const auto wanted = matrix_of(k, column_of_images(cut[0]), column_of_images(cut[1]));
    EXPECT_NEAR(K[1], std::accumulate(wanted.begin(), wanted.end(), 0.0), 1e-9) << inside;
  }
}

TEST(Patches, FindWhatHasMoved) {
  SampleImage left{8, 8, 1, std::vector<std::uint8_t>(64)}, right = left;
  left.pixels[9] = left.pixels[18] = 200;
  right.pixels[9 + 36] = right.pixels[18 + 36 - 8 * 1 + 8] = 200;
  const auto K = matrix_of(Kernel::parse("patches(rbf(gamma=1e-4), size=3, stride=1, normalize=cosine)"),
                           column_of_images({left, right}));
  const auto whole = matrix_of(Kernel::parse("rbf(gamma=1e-4)"), column_of_images({left, right}));
  EXPECT_GT(K[1], 0.9);
  EXPECT_LT(whole[1], 1e-6);
}

TEST(Patches, ArePositiveSemidefiniteWithTheSameBitsForAnyNumberOfThreads) {
  std::vector<SampleImage> images;
  for (std::uint64_t i = 0; i < 40; ++i) images.push_back(random_image(5 + i % 4, 5 + i % 3, 1, i));
  const Kernel k = Kernel::parse("patches(rbf(gamma=scale), size=4, stride=2)");
  EXPECT_TRUE(k.prove().psd);
  EXPECT_EQ(matrix_of(k, column_of_images(images), 1), matrix_of(k, column_of_images(images), 3));
  EXPECT_GT(least_eigenvalue(matrix_of(k, column_of_images(images)), 40), -1e-12);
}

TEST(Patches, ResolveAutoOnThePatches) {
  const Points images = column_of_images({random_image(8, 8, 1, 1)});
  EXPECT_EQ(Kernel::parse("patches(rbf(gamma=auto), size=4)").resolve(images).text(),
            "patches(rbf(gamma=0.0625), size=4, stride=4, normalize=size)");
}

TEST(Patches, RefuseWhatCannotBe) {
  EXPECT_EQ(refusal(ErrorKind::data,
                    [] {
                      matrix_of(Kernel::parse("patches(linear, size=5)"),
                                column_of_images({random_image(5, 6, 1, 1), random_image(4, 9, 1, 2)}));
                    }),
            "patches: image 2 is 4 × 9 pixels, smaller than a patch of 5 × 5; size must be at most 4");
  EXPECT_EQ(
      refusal(
          ErrorKind::data,
          [] { matrix_of(Kernel::parse("patches(linear)"), Points(std::vector(2, std::vector<double>(6)))); })
          .find("patches: rows of 6 columns are no square images"),
      0u);
  const auto parsed = [](const std::string& text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_NE(parsed("patches(linear, size=0)").find("size must be a whole number from 1 to 1024, not 0"),
            std::string::npos);
  EXPECT_NE(parsed("patches(linear, stride=1.5)").find("stride must be a whole number"), std::string::npos);
  EXPECT_NE(
      parsed("patches(linear, normalize=all)").find("normalize must be none or cosine or size, not all"),
      std::string::npos);
  EXPECT_NE(parsed("patches(center(linear))").find("put it around patches(…) instead"), std::string::npos);
  EXPECT_EQ(Kernel::parse("patches(linear, stride=2, width=28)").text(),
            "patches(linear, size=8, stride=2, normalize=size, width=28)");
}

}  // namespace
}  // namespace mercer

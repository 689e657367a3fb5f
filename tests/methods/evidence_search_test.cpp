#include "methods/evidence_search.hpp"

#include <algorithm>

#include "methods/problems.hpp"

namespace mercer {
namespace {

const Progress silent;

Evidence::Data wave_data(std::size_t n, double noise = 0.3) {
  const Dataset data = testing::wave(n, 4, noise);
  return {data.points, data.target.values, 1, std::vector<double>(n, 1.0)};
}

EvidenceSearch from(const Evidence& evidence) {
  EvidenceSearch how{.start = evidence.coordinates().start(), .box = {}};
  how.start.push_back(std::log(0.5));
  for (std::size_t i = 0; i < how.start.size(); ++i)
    how.box.low.push_back(how.start[i] - 8), how.box.high.push_back(how.start[i] + 8);
  return how;
}

const Kernel kernel = Kernel::parse("1*rbf(gamma=3)");

// No coordinate, moved either way, gives more.
void expect_maximum(Evidence& evidence, const FoundEvidence& found) {
  for (std::size_t i = 0; i < found.at.size(); ++i)
    for (const double h : {-0.02, 0.02}) {
      std::vector<double> t = found.at;
      t[i] += h;
      EXPECT_LT(evidence(t), found.value) << i;
    }
}

TEST(EvidenceSearch, EndsAtAMaximumWithOrWithoutASample) {
  std::vector<double> whole;
  for (const std::size_t sample : {1000u, 40u}) {
    Evidence evidence(wave_data(120), KernelCoordinates(kernel), 1, silent);
    EvidenceSearch how = from(evidence);
    how.sample = sample;
    const FitOptions options;
    Watch watch(options);
    const FoundEvidence found = maximise_evidence(evidence, how, watch);
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.sampled_rows, std::min<std::size_t>(sample, 120));
    EXPECT_EQ(found.sampled_evaluations > 0, sample < 120);
    EXPECT_GT(found.evaluations, 0u);
    // It is left evaluated there.
    const std::vector<double> alpha = evidence.alpha();
    EXPECT_EQ(evidence(found.at), found.value);
    EXPECT_EQ(evidence.alpha(), alpha);
    expect_maximum(evidence, found);
    if (whole.empty()) whole = found.at;
    testing::expect_near(found.at, whole, 0.01);
  }
}

TEST(EvidenceSearch, TakesTheBestOfSeveralStarts) {
  Evidence evidence(wave_data(40, 1.0), KernelCoordinates(kernel), 1, silent);
  EvidenceSearch how = from(evidence);
  const FitOptions options;
  Watch watch(options);
  const double once = maximise_evidence(evidence, how, watch).value;
  how.restarts = 4;
  const FoundEvidence several = maximise_evidence(evidence, how, watch);
  EXPECT_GE(several.value, once - 1e-4);
  EXPECT_EQ(maximise_evidence(evidence, how, watch).at, several.at);
}

TEST(EvidenceSearch, EndsWithTheBestWhenTheTimeIsOver) {
  for (const int evaluations : {0, 3, 12}) {
    Evidence evidence(wave_data(80), KernelCoordinates(kernel), 1, silent);
    EvidenceSearch how = from(evidence);
    how.sample = 40;
    int asked = 0;
    const FitOptions options{.keep_on_cancel = true,
                             .progress = [&](std::string_view, double) { return asked++ < evaluations; }};
    Watch watch(options);
    const double begin = evidence(how.start);
    const FoundEvidence found = maximise_evidence(evidence, how, watch);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(evidence(found.at), found.value);
    if (evaluations == 0) {
      EXPECT_EQ(found.at, how.start);
    } else {
      EXPECT_GE(found.value, begin);
    }
  }
}

}  // namespace
}  // namespace mercer

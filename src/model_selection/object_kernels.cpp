#include "model_selection/object_kernels.hpp"

#include <algorithm>

namespace mercer {

namespace {

bool equally_long(const Texts& texts) {
  for (std::size_t i = 1; i < texts.rows(); ++i)
    if (texts[i].size() != texts[0].size()) return false;
  return true;
}

bool equally_large(const Images& images) {
  for (std::size_t i = 1; i < images.rows(); ++i)
    if (images.heights[i] != images.heights[0] || images.widths[i] != images.widths[0]) return false;
  return true;
}

/// Whether the letters are those of DNA, and the pairs of words of all sequences few enough to be compared in
/// seconds.
bool is_short_dna(const Texts& texts) {
  constexpr double most_letters = 3e5;
  const std::string_view all(texts.bytes.data(), texts.bytes.size());
  return double(all.size()) <= most_letters && all.find_first_not_of("ACGTUNacgtun") == all.npos;
}

// Values of k(x, x) differ much between long and short objects, so that kernels are normalised where they are
// not already.
std::vector<std::string> kernels_for(const Objects& column) {
  switch (column.domain()) {
    case Domain::text:
      return {"normalize(bow(weight=tfidf))", "normalize(bow(weight=log))",
              "normalize(bow(weight=binary, ngrams=2))"};
    case Domain::symbols:
      return {"jaccard", "normalize(intersection)", "normalize(linear)"};
    case Domain::molecule:
      return {"tanimoto(radius=2)", "tanimoto(radius=1)", "tanimoto(radius=3)",
              "tanimoto + normalize(wl(iterations=3)) + normalize(shortest_path)"};
    case Domain::vectors:
      return {"set(rbf(gamma=scale), normalize=cosine)", "set(rbf(gamma=scale), normalize=size)"};
    case Domain::graph:
      return {"normalize(wl(iterations=3))", "normalize(wl(iterations=1))", "normalize(wl(iterations=5))",
              "normalize(shortest_path)"};
    case Domain::sequence: {
      std::vector<std::string> kernels{"normalize(spectrum(k=4))", "normalize(spectrum(k=3))",
                                       "normalize(spectrum(k=6))"};
      if (is_short_dna(column.texts())) kernels.push_back("normalize(gkm(l=8, k=5))");
      // Sequences of one length are aligned: what stands where matters.
      if (equally_long(column.texts()))
        for (const char* aligned :
             {"normalize(weighted_degree(degree=3))", "normalize(weighted_degree(degree=8))",
              "normalize(weighted_degree(degree=5))"})
          kernels.insert(kernels.begin(), aligned);
      return kernels;
    }
    case Domain::image:
      break;
  }
  std::vector<std::string> kernels{"histogram(levels=16)", "histogram(levels=8)", "histogram(levels=4)"};
  if (equally_large(column.images())) kernels.insert(kernels.begin(), "rbf(gamma=scale)");
  return kernels;
}

}  // namespace

std::vector<Kernel> kernels_for_objects(const Points& points) {
  std::vector<std::vector<std::string>> choices;
  std::size_t most = 0;
  for (const Objects& column : points.objects()) {
    choices.push_back(kernels_for(column));
    most = std::max(most, choices.back().size());
  }
  const bool alone = choices.size() == 1 && points.cols() == 0;
  std::vector<Kernel> kernels;
  for (std::size_t t = 0; t < most; ++t) {
    std::optional<Kernel> sum;
    for (std::size_t c = 0; c < choices.size(); ++c) {
      Kernel term = Kernel::parse(choices[c][std::min(t, choices[c].size() - 1)]);
      if (!alone) term = on_columns(term, {points.objects()[c].name()});
      sum = sum ? *sum + term : term;
    }
    kernels.push_back(points.cols() == 0 ? *sum : *sum + Kernel::parse("rbf(gamma=scale)"));
  }
  return kernels;
}

}  // namespace mercer

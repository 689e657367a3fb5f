#include <cmath>
#include <string>
#include <vector>

#include "data/generators.hpp"

namespace mercer {

namespace {

/// A member of a set: of class 0 from a Gaussian, of class 1 from a sphere around the same centre. Mean and
/// covariance are the same, so that only the shape of the whole set tells them apart.
void draw_member(const Draw& draw, std::span<const double> centre, std::span<double> x) {
  double squared = 0;
  for (double& value : x) {
    value = draw.random.normal();
    squared += value * value;
  }
  const double radius = draw.label == 1 ? std::sqrt(double(x.size()) / std::max(squared, 1e-300)) : 1;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = centre[k] + radius * x[k] + draw.jitter();
}

constexpr std::string_view common_words[] = {"the", "a",  "to",  "you",  "and",  "is",  "in",
                                             "for", "my", "it",  "of",   "on",   "we",  "at",
                                             "so",  "be", "now", "this", "that", "have"};
constexpr std::string_view class_words[2][12] = {{"home", "lunch", "meeting", "love", "sleep", "later",
                                                  "sorry", "dinner", "class", "friend", "tomorrow", "bus"},
                                                 {"free", "win", "prize", "cash", "claim", "offer", "urgent",
                                                  "mobile", "reply", "winner", "tone", "guaranteed"}};

template <std::size_t N>
std::string_view any_of(Random& random, const std::string_view (&words)[N]) {
  return words[random.below(N)];
}

/// Of 6 to 15 words a third are of the text's class, or now and then of the other one: where 1 + N(0, noise²)
/// falls below ½.
std::string draw_text(const Draw& draw) {
  std::string text;
  for (std::uint64_t left = 6 + draw.random.below(10); left > 0; --left) {
    const bool telling = draw.random.below(3) == 0;
    const std::size_t label = 1 + draw.jitter() < 0.5 ? 1 - draw.label : draw.label;
    text += text.empty() ? "" : " ";
    text += telling ? any_of(draw.random, class_words[label]) : any_of(draw.random, common_words);
  }
  return text;
}

}  // namespace

Objects sets_of_vectors(const Drawing& drawing) {
  std::vector<double> values, centre(drawing.dim);
  Bags bags{Buffer<std::size_t>(drawing.n + 1), drawing.dim, {}};
  bags.starts[0] = 0;
  Random random(drawing.seed);
  for (std::size_t i = 0; i < drawing.n; ++i) {
    const Draw draw{random, drawing.noise, i % drawing.classes, drawing.classes, drawing.seed};
    const std::size_t size = 10 + random.below(21), first = values.size();
    for (double& value : centre) value = 0.5 * random.normal();
    values.resize(first + size * drawing.dim);
    for (std::size_t m = 0; m < size; ++m)
      draw_member(draw, centre, std::span(values).subspan(first + m * drawing.dim, drawing.dim));
    bags.starts[i + 1] = bags.starts[i] + size;
  }
  bags.values = Buffer<double>(values.size());
  std::copy(values.begin(), values.end(), bags.values.begin());
  return Objects("bag", Domain::vectors, std::move(bags));
}

Objects short_texts(const Drawing& drawing) {
  std::vector<std::string> texts;
  Random random(drawing.seed);
  for (std::size_t i = 0; i < drawing.n; ++i)
    texts.push_back(draw_text({random, drawing.noise, i % drawing.classes, drawing.classes, drawing.seed}));
  return Objects("text", Domain::text, texts);
}

}  // namespace mercer

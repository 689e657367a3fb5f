// Sequences of DNA in which one class has a motif that is nowhere in the other but by chance: what a string
// kernel finds without being told where it stands, on which strand, or which of its letters have mutated.
#include <string>

#include "data/generators.hpp"

namespace mercer {

namespace {

constexpr std::string_view motif = "TGCTGAGTCA";         // where the protein NF-E2 binds
constexpr std::string_view other_strand = "TGACTCAGCA";  // its reverse complement

char letter(Random& random) { return "ACGT"[random.below(4)]; }

/// Every row takes as many random numbers, whatever its class. `noise`: the share of the motif's letters that
/// mutate, all from 1 on.
void draw(Random& random, bool planted, double noise, std::string& text) {
  for (char& c : text) c = letter(random);
  const std::string_view word = random.below(2) ? motif : other_strand;
  const std::size_t at = random.below(text.size() - motif.size() + 1);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool mutates = random.uniform() < noise;
    const char instead = letter(random);
    if (planted) text[at + i] = mutates ? instead : word[i];
  }
}

}  // namespace

Objects dna_motif(const Drawing& drawing) {
  Texts texts{Buffer<std::size_t>(drawing.n + 1), Buffer<char>(drawing.n * drawing.dim)};
  Random random(drawing.seed);
  std::string text(drawing.dim, 'A');
  texts.starts[0] = 0;
  for (std::size_t i = 0; i < drawing.n; ++i) {
    draw(random, i % drawing.classes == 1, drawing.noise, text);
    text.copy(texts.bytes.data() + i * drawing.dim, drawing.dim);
    texts.starts[i + 1] = (i + 1) * drawing.dim;
  }
  return Objects("sequence", Domain::sequence, std::move(texts));
}

}  // namespace mercer

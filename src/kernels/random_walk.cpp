// A pair of walks with equal labels in x and z is one walk in their product graph, whose nodes are the pairs
// of nodes with equal labels and whose edges are the pairs of edges with equal labels. W is its adjacency,
// symmetric, so p = Σₗ decayˡ Wˡ 1 solves (I − decay·W) p = 1 by conjugate gradients, and k = 1ᵀp.
//
// The series converges where decay·ρ(W) < 1. A p > 0 with (I − decay·W) p > 0 proves that (Berman & Plemmons
// 1994, M-matrices): what is solved for is its own certificate.
#include "mercer/kernels/random_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "data/adjacency.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

using Vector = std::vector<double>;

struct ProductGraph {
  std::vector<std::size_t> starts{0};  // nodes + 1
  std::vector<std::uint32_t> ends;

  std::size_t nodes() const { return starts.size() - 1; }
  void multiply(const Vector& p, Vector& out) const {  // out = W p
    for (std::size_t v = 0; v < nodes(); ++v) {
      double sum = 0;
      for (std::size_t e = starts[v]; e < starts[v + 1]; ++e) sum += p[ends[e]];
      out[v] = sum;
    }
  }
  std::size_t largest_degree() const {
    std::size_t largest = 0;
    for (std::size_t v = 0; v < nodes(); ++v) largest = std::max(largest, starts[v + 1] - starts[v]);
    return largest;
  }
};

ProductGraph product(const Adjacency& x, const Adjacency& z) {
  constexpr std::uint32_t none = UINT32_MAX;
  constexpr std::size_t most = std::size_t(1) << 26;
  if (x.nodes() > 0 && (z.nodes() > most / x.nodes() ||
                        (!x.neighbours.empty() && z.neighbours.size() > 8 * most / x.neighbours.size())))
    throw Error(
        ErrorCode::too_large,
        fmt::format("the product of a graph of {} nodes and one of {} is too large", x.nodes(), z.nodes()),
        {.owner = "random_walk", .hint = "use wl"});
  std::vector<std::uint32_t> number(x.nodes() * z.nodes(), none);
  std::uint32_t count = 0;
  for (std::size_t u = 0; u < x.nodes(); ++u)
    for (std::size_t s = 0; s < z.nodes(); ++s)
      if (x.labels[u] == z.labels[s]) number[u * z.nodes() + s] = count++;
  ProductGraph graph;
  graph.starts.reserve(count + 1);
  for (std::size_t u = 0; u < x.nodes(); ++u)
    for (std::size_t s = 0; s < z.nodes(); ++s) {
      if (number[u * z.nodes() + s] == none) continue;
      for (const auto* v = x.begin(u); v != x.end(u); ++v)
        for (const auto* t = z.begin(s); t != z.end(s); ++t)
          if (const std::uint32_t end = number[v->node * z.nodes() + t->node];
              v->label == t->label && end != none)
            graph.ends.push_back(end);
      graph.starts.push_back(graph.ends.size());
    }
  return graph;
}

double sum_up_to(const ProductGraph& graph, double decay, int steps) {
  Vector p(graph.nodes(), 1), next(graph.nodes());
  double total = double(graph.nodes());
  for (int l = 1; l <= steps; ++l) {
    graph.multiply(p, next);
    double sum = 0;
    for (double& value : next) sum += value *= decay;
    total += sum;
    std::swap(p, next);
  }
  return total;
}

/// 1ᵀp; none where the series does not converge.
std::optional<double> sum_of_all(const ProductGraph& graph, double decay) {
  const std::size_t n = graph.nodes();
  Vector p(n, 1), r(n), d(n), image(n);  // from p = 1 the residual is decay·W 1
  graph.multiply(p, r);
  double rr = 0;
  for (double& value : r) {
    value *= decay;
    rr += value * value;
  }
  d = r;
  const double enough = 1e-28 * std::max(double(n), rr);
  for (std::size_t step = 0; step < 2 * n + 20 && rr > enough; ++step) {
    graph.multiply(d, image);
    double curvature = 0;
    for (std::size_t v = 0; v < n; ++v) {
      image[v] = d[v] - decay * image[v];
      curvature += d[v] * image[v];
    }
    if (!(curvature > 0)) return std::nullopt;
    const double length = rr / curvature;
    double next = 0;
    for (std::size_t v = 0; v < n; ++v) {
      p[v] += length * d[v];
      r[v] -= length * image[v];
      next += r[v] * r[v];
    }
    for (std::size_t v = 0; v < n; ++v) d[v] = r[v] + next / rr * d[v];
    rr = next;
  }
  graph.multiply(p, image);
  for (std::size_t v = 0; v < n; ++v)
    if (!(p[v] > 0) || !(std::abs(1 - (p[v] - decay * image[v])) < 1e-6)) return std::nullopt;
  return std::accumulate(p.begin(), p.end(), 0.0);
}

}  // namespace

void RandomWalk::pairs(const Objects& x, Range rows, const Objects& z, Range columns, double* out) const {
  std::vector<Adjacency> others;
  for (std::size_t j = columns.begin; j < columns.end; ++j) others.push_back(adjacency(z, j));
  const auto order = [](const Adjacency& a) { return std::tie(a.labels, a.starts, a.neighbours); };
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    const Adjacency own = adjacency(x, i);
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      const Adjacency& other = others[j - columns.begin];
      const bool first = order(own) <= order(other);  // so that k(x, z) and k(z, x) are the same bits
      const ProductGraph graph = first ? product(own, other) : product(other, own);
      const std::optional<double> value =
          steps > 0 ? sum_up_to(graph, decay, steps) : sum_of_all(graph, decay);
      if (!value)
        throw Error(
            ErrorCode::invalid_kernel,
            fmt::format("decay {:g} is too large: the sum over walks of graphs {} and {} does not converge",
                        decay, i + 1, j + 1),
            {.owner = "random_walk",
             .hint = fmt::format("below {:.3g} it does, or give steps", 1 / double(graph.largest_degree()))});
      *out++ = *value;
    }
  }
}

}  // namespace mercer

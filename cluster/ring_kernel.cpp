#include "cluster/ring_kernel.hpp"

#include <algorithm>
#include <optional>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "cluster/points_message.hpp"

namespace mercer::cluster {

namespace {

constexpr std::size_t block_rows = 256, block_columns = 4096;
constexpr std::size_t most_groups = 16;  // of rows of a block, each with sums of its own
constexpr int points_tag = 2, vector_tag = 3, sums_tag = 4;

std::span<const std::byte> bytes(std::span<const double> numbers) { return std::as_bytes(numbers); }

}  // namespace

template <class T>
RingKernel<T>::RingKernel(const Communicator& ranks, const Kernel& kernel, const Points& own,
                          const RingOptions& options)
    : ranks_(ranks),
      kernel_(kernel),
      own_(own),
      options_(options),
      message_(ranks.size() > 1 ? bytes_of(own) : std::vector<std::byte>()),
      held_([&] {  // on all ranks or on none
        const double n = double(ranks.sum(own.rows())), mine = double(own.rows()) * n / 2 * sizeof(T);
        return ranks.most(mine) <= double(options.memory);
      }()) {
  if (own.rows() > 0) {
    K_.emplace(kernel, own,
               OperatorOptions{.threads = options.threads, .note_overflow = options.note_overflow});
    product_.emplace(*K_, held_ ? SymmetricProduct<T>::whole_bytes(own.rows()) : 0, options.threads,
                     options.progress);
  }
  struct Block {
    std::size_t rows, message;
  };
  const Block mine{own.rows(), message_.size()};
  const std::vector<Block> all = ranks.gather(std::span<const Block>(&mine, 1), true);
  const int size = ranks.size(), rank = ranks.rank();
  for (const Block& block : all) rows_ += block.rows;
  for (int t = 1; t <= size / 2; ++t) {
    const int from = (rank + t) % size, to = (rank - t + size) % size;
    const Block& theirs = all[std::size_t(from)];
    Step step{to, from, {0, own.rows()}, {0, theirs.rows}, theirs.rows, theirs.message};
    if (2 * t ==
        size) {  // the lower of the two has the first half of its own rows, the other one what is left
      if (rank < from)
        step.rows.end = own.rows() / 2;
      else
        step.columns.begin = theirs.rows / 2;
    }
    steps_.push_back(step);
  }
  if (!held_) return;
  for (const Step& step : steps_) {
    std::vector<std::byte> arrived(step.message);
    {
      auto in = ranks_.receive(arrived, step.from, points_tag);
      auto out = ranks_.send(message_, step.to, points_tag);
      in.wait();
      out.wait();
    }
    const Points theirs = rows_of(points_of(arrived, own_.names()), step.columns.begin, step.columns.end);
    Buffer<T> block(step.rows.size() * step.columns.size());
    if (block.size() > 0) {
      const KernelOperator<T> K(kernel_, rows_of(own_, step.rows.begin, step.rows.end), theirs,
                                {.threads = options_.threads, .note_overflow = options_.note_overflow});
      K.matrix(block);
      finite_ &= K.finite();
    }
    evaluations_ += block.size();
    blocks_.push_back(std::move(block));
  }
}

template <class T>
std::vector<double> RingKernel<T>::diagonal() const {
  std::vector<T> values(own_.rows());
  if (K_) K_->diagonal(values);
  return {values.begin(), values.end()};
}

template <class T>
Traffic RingKernel<T>::cost(std::size_t k) const noexcept {
  Traffic sent;
  for (const Step& step : steps_) {
    sent.messages += held_ ? 2 : 3;
    sent.bytes += (own_.rows() + step.theirs) * k * sizeof(double) + (held_ ? 0 : message_.size());
  }
  return sent;
}

// out[rows] += K V of the others, and their sums += Kᵀ V of the own rows. Groups of rows have their own sums,
// which are added in order: the bits do not depend on the threads.
template <class T>
void RingKernel<T>::add_block(const Step& step, const T* held, const Points* theirs,
                              std::span<const double> V, std::span<const double> other_V, std::size_t k,
                              std::span<double> out, std::span<double> other_out) const {
  const std::size_t m = step.rows.size(), n = step.columns.size();
  if (m == 0 || n == 0) return;
  std::optional<KernelOperator<T>> K;
  if (!held)
    K.emplace(kernel_, rows_of(own_, step.rows.begin, step.rows.end),
              rows_of(*theirs, step.columns.begin, step.columns.end),
              OperatorOptions{.threads = options_.threads, .note_overflow = options_.note_overflow});
  const std::size_t blocks = (m + block_rows - 1) / block_rows, groups = std::min(blocks, most_groups);
  Buffer<double> sums(groups * n * k);
  const SingleThreadedBlas one_thread;
  parallel_for(groups, options_.threads, [&](std::size_t g) {
    double* const own_sums = sums.data() + g * n * k;
    std::fill_n(own_sums, n * k, 0.0);
    Buffer<T> scratch(held ? 0 : block_rows * std::min(n, block_columns));
    for (std::size_t b = g; b < blocks; b += groups) {
      const Range rows{b * block_rows, std::min(m, (b + 1) * block_rows)};
      const double* const v = V.data() + (step.rows.begin + rows.begin) * k;
      double* const y = out.data() + (step.rows.begin + rows.begin) * k;
      for (std::size_t begin = 0; begin < n; begin += block_columns) {
        const Range columns{begin, std::min(n, begin + block_columns)};
        if (!held) K->tile(rows, columns, {scratch.data(), rows.size() * columns.size()});
        add_panel_products(held ? held + rows.begin * n + begin : scratch.data(), held ? n : columns.size(),
                           rows.size(), columns.size(), k, other_V.data() + (step.columns.begin + begin) * k,
                           y, v, own_sums + begin * k);
      }
    }
  });
  if (K) {
    evaluations_ += m * n;
    finite_ &= K->finite();
  }
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t e = 0; e < n * k; ++e) other_out[step.columns.begin * k + e] += sums[g * n * k + e];
}

template <class T>
void RingKernel<T>::multiply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  struct Arrival {
    std::vector<std::byte> message;
    std::vector<double> V, sums;  // of the other rank
    std::vector<double> back;     // what another rank has added up for this one
    std::vector<Communicator::Transfer> in, out;
  };
  std::vector<Arrival> arrivals(steps_.size());
  const auto begin = [&](std::size_t t) {
    const Step& step = steps_[t];
    Arrival& a = arrivals[t];
    a.V.resize(step.theirs * k);
    a.sums.assign(step.theirs * k, 0.0);
    a.back.resize(own_.rows() * k);
    const int base = 8 * int(t);
    a.in.push_back(ranks_.receive(std::as_writable_bytes(std::span(a.V)), step.from, base + vector_tag));
    a.out.push_back(ranks_.send(bytes(V), step.to, base + vector_tag));
    if (!held_) {
      a.message.resize(step.message);
      a.in.push_back(ranks_.receive(a.message, step.from, base + points_tag));
      a.out.push_back(ranks_.send(message_, step.to, base + points_tag));
    }
  };
  if (!steps_.empty()) begin(0);
  std::fill(out.begin(), out.end(), 0.0);
  if (product_) product_->multiply(V, k, out);
  std::vector<Communicator::Transfer> returned;
  for (std::size_t t = 0; t < steps_.size(); ++t) {
    if (t + 1 < steps_.size()) begin(t + 1);
    Arrival& a = arrivals[t];
    for (auto& transfer : a.in) transfer.wait();
    std::optional<Points> theirs;
    if (!held_) theirs = points_of(a.message, own_.names());
    add_block(steps_[t], held_ ? blocks_[t].data() : nullptr, theirs ? &*theirs : nullptr, V, a.V, k, out,
              a.sums);
    for (auto& transfer : a.out) transfer.wait();
    a.out.clear();
    a.message = {};
    const int base = 8 * int(t);
    returned.push_back(
        ranks_.receive(std::as_writable_bytes(std::span(a.back)), steps_[t].to, base + sums_tag));
    a.out.push_back(ranks_.send(bytes(a.sums), steps_[t].from, base + sums_tag));
  }
  for (std::size_t t = 0; t < steps_.size(); ++t) {
    returned[t].wait();
    for (std::size_t e = 0; e < out.size(); ++e) out[e] += arrivals[t].back[e];
  }
}

template class RingKernel<float>;
template class RingKernel<double>;

}  // namespace mercer::cluster

// Several problems of a support vector method: on the threads of a machine, or on several ranks.
#include <optional>

#include "base/byte_message.hpp"
#include "base/parallel.hpp"
#include "methods/svm_trainer.hpp"

namespace mercer {

namespace {

// Problems for each rank from which on they are shared; of fewer the ranks share the columns.
constexpr std::size_t problems_per_rank = 2;

// What of Solved is a plain number.
struct Numbers {
  ProblemReport report;
  double violation, gap, norm, loss, penalty, rho;
  bool converged;
};

void append_answer(std::string& bytes, const SvmTrainer::Answer& answer) {
  const SvmTrainer::Solved& s = answer.solved;
  const Numbers numbers{s.report, s.violation, s.gap, s.norm, s.loss, s.penalty, answer.rho, s.converged};
  append_value(bytes, numbers);
  append_values(bytes, answer.beta);
  append_values(bytes, s.bounded);
}

SvmTrainer::Answer take_answer(std::string_view& bytes) {
  const auto n = take_value<Numbers>(bytes);
  SvmTrainer::Answer answer{.beta = take_values<double>(bytes), .rho = n.rho};
  answer.solved = {.report = n.report,
                   .violation = n.violation,
                   .gap = n.gap,
                   .norm = n.norm,
                   .loss = n.loss,
                   .penalty = n.penalty,
                   .converged = n.converged,
                   .bounded = take_values<std::int32_t>(bytes)};
  return answer;
}

}  // namespace

std::vector<SvmTrainer::Answer> SvmTrainer::for_each_problem(const std::function<Answer(std::size_t)>& task) {
  std::vector<Answer> answers(problems_);
  if (ranks_ && !solutions() && problems_ >= problems_per_rank * std::size_t(ranks_->size())) {
    share_problems(task, answers);
    return answers;
  }
  const int threads = training_.options.threads > 0 ? training_.options.threads : hardware_threads();
  workers_ = !ranks_ && problems_ >= 4 * std::size_t(threads) ? threads : 1;
  parallel_for(problems_, workers_, [&](std::size_t p) { answers[p] = task(p); });
  return answers;
}

// Each rank solves every so many-th, alone; then all have all answers. An error of one is one of all, that of
// the first rank that met one.
void SvmTrainer::share_problems(const std::function<Answer(std::size_t)>& task,
                                std::vector<Answer>& answers) {
  const int threads = training_.options.threads > 0 ? training_.options.threads : hardware_threads();
  std::vector<std::size_t> own;
  for (std::size_t p = 0; p < problems_; ++p)
    if (ranks_->owns(p)) own.push_back(p);
  own_problems_ = true;
  workers_ = own.size() >= 4 * std::size_t(threads) ? threads : 1;
  agreed(ranks_,
         [&] { parallel_for(own.size(), workers_, [&](std::size_t k) { answers[own[k]] = task(own[k]); }); });
  own_problems_ = false;
  std::string bytes;
  for (const std::size_t p : own) append_answer(bytes, answers[p]);
  const std::vector<std::string> all = ranks_->gather(bytes);
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::string_view rest = all[r];
    for (std::size_t p = r; p < problems_; p += all.size()) answers[p] = take_answer(rest);
  }
  stopped_ = stopped_ || ranks_->any(watch_.cut_short());
  iterations_ = ranks_->sum(iterations_);
}

}  // namespace mercer

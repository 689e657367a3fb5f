#include "cluster/spread_predict.hpp"

#include "cluster/points_message.hpp"

namespace mercer::cluster {

namespace {

template <class T>
void join(const Communicator& ranks, std::vector<T>& values) {
  values = ranks.gather(std::span<const T>(values));
}

Predictions joined(const Communicator& ranks, Predictions own) {
  join(ranks, own.codes);
  join(ranks, own.values);
  join(ranks, own.probabilities);
  join(ranks, own.scores);
  return own;
}

}  // namespace

// Of rank 0 to all: the model, where it is another than before, and rows. The call itself has been told.
Points PredictingRanks::hand_out(const Model* model, const Points* points) {
  std::string bytes = model ? model->bytes() : "";
  ranks_.broadcast(bytes);
  if (bytes != bytes_ || !model_) {
    bytes_ = std::move(bytes);
    model_ = model ? *model : Model::from_bytes(bytes_);
  }
  return handed_out(ranks_, points);
}

Points PredictingRanks::ask(Call call, const Model& model, const Points& points) {
  int number = call;
  ranks_.broadcast(number);
  return hand_out(&model, &points);
}

Predictions PredictingRanks::predict(const Model& model, const Points& points) {
  if (ranks_.size() == 1 || !points.objects().empty() || !points.ids().empty())
    return model.predict(points, threads_);
  const Points own = ask(prediction, model, points);
  return joined(ranks_, in_step(ranks_, [&] { return model.predict(own, threads_); }));
}

std::vector<double> PredictingRanks::variances(const Model& model, const Points& points) {
  if (ranks_.size() == 1 || !points.objects().empty() || !points.ids().empty())
    return model.variances(points, threads_);
  const Points own = ask(variance, model, points);
  std::vector<double> all = in_step(ranks_, [&] { return model.variances(own, threads_); });
  join(ranks_, all);
  return all;
}

void PredictingRanks::help() {
  for (;;) {
    int number = end;
    ranks_.broadcast(number);
    if (number == end) return;
    const Points own = hand_out(nullptr, nullptr);
    if (number == prediction) {
      joined(ranks_, in_step(ranks_, [&] { return model_->predict(own, threads_); }));
    } else {
      std::vector<double> all = in_step(ranks_, [&] { return model_->variances(own, threads_); });
      join(ranks_, all);
    }
  }
}

void PredictingRanks::run(const std::function<void()>& work) {
  const auto tell_end = [&] {
    int number = end;
    ranks_.broadcast(number);
  };
  lead(ranks_, work, tell_end, [&] { help(); });
}

}  // namespace mercer::cluster

#include "model_selection/automatic_fit.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/seconds.hpp"
#include "mercer/error.hpp"
#include "model_selection/sample.hpp"

namespace mercer {

FitOptions for_fits(const AutomaticOptions& options, std::chrono::steady_clock::time_point start,
                    Progress progress) {
  FitOptions fit = options.tune.fit;
  fit.seconds = std::max(fit.seconds - seconds_since(start), 0.01);
  fit.keep_on_cancel = false;
  fit.progress = std::move(progress);
  return fit;
}

namespace {

class FinalFit {
 public:
  FinalFit(const Trial& best, const Dataset& all, Scaling::Kind scaling, const AutomaticOptions& options,
           std::chrono::steady_clock::time_point start, Interruption& stop)
      : best_(best), all_(all), scaling_(scaling), options_(options), start_(start), stop_(stop) {}

  Model operator()() {
    const bool keeps = options_.tune.fit.keep_on_cancel;
    try {
      FitOptions how = for_fits(options_, start_, options_.fit_progress);
      if (!keeps) return fit_on(all_, how);
      if (stop_.asked())
        how.progress = stop_.finishing(options_.fit_progress, forever);  // after a search that was stopped
      else if (all_.rows() > rows_when_stopped)
        how.progress = stop_.stopping(options_.fit_progress);
      else
        return on_fewer(all_.rows(), how);
      return fit_on(all_, how);
    } catch (const Error& error) {
      if (!(error.kind() == ErrorKind::cancelled && keeps) &&
          !(error.kind() == ErrorKind::budget && seconds_since(start_) > options_.tune.fit.seconds))
        throw;
    }
    FitOptions how = options_.tune.fit;
    how.seconds = forever;
    return on_fewer(std::min(all_.rows(), rows_when_stopped), how);
  }

 private:
  static constexpr double forever = std::numeric_limits<double>::infinity(), grace = 3;
  static constexpr std::size_t rows_when_stopped = 2000, few = 50;  // fits of these are soon done, at once

  Model fit_on(const Dataset& rows, const FitOptions& how) const {
    return fit(best_.method, best_.kernel, rows, how, scaling_);
  }

  Model on_fewer(std::size_t rows, FitOptions how) {
    how.keep_on_cancel = options_.tune.fit.keep_on_cancel;
    for (;; rows /= 4) {
      how.progress = how.keep_on_cancel ? stop_.finishing(options_.fit_progress, rows > few ? grace : forever)
                                        : options_.fit_progress;
      try {
        if (rows == all_.rows()) return fit_on(all_, how);
        Model model = fit_on(draw_sample(all_, rows, 2, {}, options_.tune.fit.seed).data, how);
        if (!stop_.asked()) tell_of_time(model);
        return model;
      } catch (const Error& error) {  // the method has nothing before it is done
        if (rows <= few || !((error.kind() == ErrorKind::cancelled && how.keep_on_cancel) ||
                             error.kind() == ErrorKind::budget))
          throw;
        how.seconds = forever;
      }
    }
  }

  void tell_of_time(Model& model) const {
    FitReport& report = model.fitted.report;
    report.cut_short = true;
    report.converged = false;
    report.warnings.push_back(
        fmt::format("the time was over before the fit on all {} rows: this is a model of {} of them",
                    all_.rows(), model.rows));
  }

  const Trial& best_;
  const Dataset& all_;
  Scaling::Kind scaling_;
  const AutomaticOptions& options_;
  std::chrono::steady_clock::time_point start_;
  Interruption& stop_;
};

}  // namespace

Model fit_finally(const Trial& best, const Dataset& all, Scaling::Kind scaling,
                  const AutomaticOptions& options, StartTime start, Interruption& stop) {
  return FinalFit(best, all, scaling, options, start, stop)();
}

}  // namespace mercer

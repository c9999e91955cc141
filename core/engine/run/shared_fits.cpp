// Running cells of one split (Route::kShared). Equal transforms are fitted and applied once, step
// by step. Then learners that differ only in a fit-path parameter share one fit, and so do equal
// learners.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "engine/plan/fit_groups.h"
#include "engine/run/item_cells.h"
#include "engine/run/table_schema.h"
#include "engine/run/training_rows.h"
#include "engine/run/transform_step.h"

namespace crossfold {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

using Members = FitGroups::Members;

class SharedFits {
 public:
  SharedFits(const CellRunner& runner, ItemCells& cells, const PreparedRows* prepared,
             std::uint64_t memory)
      : runner_(runner),
        cells_(cells),
        prepared_(prepared),
        memory_(memory),
        splits_(*runner.block(cells.block(0)).splits),
        rows_(splits_.Rows(cells.split(0))),
        groups_(BlocksOf(runner, cells)),
        site_(runner.MakeSite()) {}

  void Run() {
    const Dataset& data = *splits_.view().data;
    const RowTable train = RowTable::ForTraining(data, &rows_.train);
    const RowTable test = RowTable::ForPrediction(data, &rows_.test);
    test_ = &test.get();
    Members all;
    for (std::size_t m = 0; m < cells_.num_blocks(); ++m) all.push_back(m);
    Visit(0, train.get(), test.get(), all);
  }

 private:
  static std::vector<const CellBlock*> BlocksOf(const CellRunner& runner, const ItemCells& cells) {
    std::vector<const CellBlock*> blocks;
    for (std::size_t m = 0; m < cells.num_blocks(); ++m) {
      blocks.push_back(&runner.block(cells.block(m)));
    }
    return blocks;
  }

  const CellBlock& block(std::size_t m) const { return runner_.block(cells_.block(m)); }
  const Pipeline& pipeline(std::size_t m) const { return *block(m).learner; }
  StepSeeds seeds(std::size_t m) const {
    return runner_.cell(cells_.block(m), cells_.split(0)).seeds();
  }

  // REQUIRES: the members have the same first `depth` steps, which made these rows.
  void Visit(std::size_t depth, const cf_table& train, const cf_table& test,
             const Members& members) {
    for (const Members& group : groups_.ByStep(depth, members)) {
      // A warning belongs to the cells whose calls caused it, so these cells are run alone.
      if (runner_.cancelled() || !site_.warnings.empty()) return;
      cells_.Try([&] {
        if (groups_.IsLearner(depth, group.front())) {
          FitFamily(train, test, group);
        } else {
          Transform(depth, train, test, group);
        }
      });
    }
  }

  void Transform(std::size_t depth, const cf_table& train, const cf_table& test,
                 const Members& members) {
    const Spec& step = *pipeline(members.front()).steps()[depth];
    const StepSeeds of = seeds(members.front());
    const Clock::time_point start = Clock::now();
    TrainingRows rows(train);
    StepModel model = FitTransform(step, depth, of, rows, site_);
    const TableSchema schema(FeaturesOf(rows.get()));
    const double fit_s = SecondsSince(start);
    const auto test_columns = ApplyTransform(step, model, schema, test, of.Apply(depth), site_);
    model.Destroy(site_);
    transform_s_ += fit_s;
    Visit(depth + 1, rows.get(), WithColumns(test, *test_columns), members);
    transform_s_ -= fit_s;
  }

  // Fits members whose learners differ in fit-path parameters only.
  void FitFamily(const cf_table& train, const cf_table& test, const Members& members) {
    Members able;
    for (const std::size_t m : members) {
      cells_.Try([&] {
        RequireAcceptedTraining(pipeline(m).learner().component(), train);
        CheckShape(pipeline(m).learner(), train, site_);
        able.push_back(m);
      });
    }
    if (able.empty()) return;
    const std::size_t param = groups_.PathParam(able);
    for (const Members& group : groups_.ByFit(able, param)) FitValues(train, test, param, group);
  }

  // Fits as many values at a time as have predictions that fit into the memory.
  void FitValues(const cf_table& train, const cf_table& test, std::size_t param,
                 const Members& members) {
    const std::vector<Members> values = groups_.ByValue(members, param);
    const auto k = static_cast<std::uint64_t>(splits_.view().data->num_classes());
    const std::uint64_t bytes = 8 * rows_.test.size() * (WantProbabilities(members) ? k + 1 : 1);
    const auto most = static_cast<std::size_t>(
        std::max<std::uint64_t>(memory_ / std::max<std::uint64_t>(bytes, 1), 1));
    for (std::size_t first = 0; first < values.size(); first += most) {
      const std::size_t n = std::min(most, values.size() - first);
      cells_.Try([&] { FitPath(train, test, param, std::span(values).subspan(first, n)); });
    }
  }

  // Fits members that differ in at most one parameter, with a group for each of its values.
  void FitPath(const cf_table& train, const cf_table& test, std::size_t param,
               std::span<const Members> values) {
    const Clock::time_point start = Clock::now();
    const std::size_t first = values.front().front();
    const bool is_path = values.size() > 1;
    StepModel model = is_path ? MakePath(train, param, values)
                              : MakeOne(pipeline(first).learner(), train, seeds(first).Fit());
    std::size_t n_members = 0;
    for (const Members& members : values) n_members += members.size();
    const double fit_s = SecondsSince(start) / static_cast<double>(n_members);
    std::vector<std::optional<Timed>> predicted(values.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
      cells_.Try([&] { predicted[v] = Predict(model, is_path, v, values[v], test); });
    }
    // This comes before the results are delivered, because its warnings belong to them.
    model.Destroy(site_);
    if (!site_.warnings.empty()) return;
    const char* via = is_path ? CF_CAP_FIT_PATH : prepared_ ? CF_CAP_PREPARE : "sharing a fit";
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (!predicted[v]) continue;
      const double predict_s = predicted[v]->seconds / static_cast<double>(values[v].size());
      for (const std::size_t m : values[v]) {
        Deliver(m, predicted[v]->prediction, fit_s, predict_s, via);
      }
      predicted[v].reset();
    }
  }

  struct Timed {
    Prediction prediction;
    double seconds;
  };

  // Predicts with the model of one setting, or with value v of a path.
  Timed Predict(const StepModel& model, bool is_path, std::size_t v, const Members& members,
                const cf_table& test) {
    const std::size_t m = members.front();
    const Spec& learner = pipeline(m).learner();
    const PredictionRequest request{splits_.view().data->num_classes(), WantProbabilities(members)};
    const Clock::time_point start = Clock::now();
    Timed made;
    if (is_path) {
      const auto* path = learner.component().capability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
      made.prediction = CallPredict(learner, test, *test_, request, seeds(m).Predict(), site_,
                                    [&](const cf_call* call, cf_prediction* out) {
                                      return path->predict_at(call, model.get(), v, &test, out);
                                    });
    } else {
      made.prediction =
          PredictWith(learner, model.get(), test, *test_, request, seeds(m).Predict(), site_);
    }
    made.seconds = SecondsSince(start);
    return made;
  }

  bool WantProbabilities(const Members& members) const {
    return std::ranges::any_of(members,
                               [&](std::size_t m) { return WantsProbabilities(block(m)); });
  }

  StepModel MakeOne(const Spec& learner, const cf_table& train, std::uint64_t seed) {
    if (prepared_ == nullptr) return CallFit(learner, train, seed, site_);
    const auto* table = learner.component().capability<cf_cap_prepare>(CF_CAP_PREPARE);
    return MakeModel(learner.component(), seed, site_, [&](const cf_call* call, cf_model** out) {
      return table->fit_prepared(call, learner.args().data(), learner.args().size(),
                                 prepared_->get(), &train, out);
    });
  }

  StepModel MakePath(const cf_table& train, std::size_t param, std::span<const Members> values) {
    const std::size_t first = values.front().front();
    const Spec& learner = pipeline(first).learner();
    const Component& component = learner.component();
    const char* name = learner.args()[param].name;
    std::vector<cf_value> list;
    for (const Members& members : values) {
      list.push_back(pipeline(members.front()).learner().args()[param].value);
    }
    const auto* path = component.capability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
    const auto* table = component.capability<cf_cap_prepare>(CF_CAP_PREPARE);
    const bool from_prepared = prepared_ != nullptr && table->fit_path_prepared != nullptr;
    return MakeModel(
        component, seeds(first).Fit(), site_, [&](const cf_call* call, cf_model** out) {
          const std::span<const cf_arg> args = learner.args();
          if (from_prepared) {
            return table->fit_path_prepared(call, args.data(), args.size(), name, list.data(),
                                            list.size(), prepared_->get(), &train, out);
          }
          return path->fit_path(call, args.data(), args.size(), name, list.data(), list.size(),
                                &train, out);
        });
  }

  void Deliver(std::size_t m, const Prediction& p, double fit_s, double predict_s,
               const char* via) {
    SharedResult result;
    result.prediction = p;
    result.prediction.rows = rows_.test;
    result.n_train = static_cast<std::int64_t>(rows_.train.size());
    result.fit_s = fit_s + transform_s_ / static_cast<double>(cells_.num_blocks());
    result.predict_s = predict_s;
    result.via = via;
    cells_.Deliver(m, 0, std::move(result));
  }

  const CellRunner& runner_;
  ItemCells& cells_;
  const PreparedRows* prepared_;
  const std::uint64_t memory_;
  const SplitPlan& splits_;
  const SplitRows rows_;
  const FitGroups groups_;          // of the item's blocks
  const cf_table* test_ = nullptr;  // the test rows before any transform, for messages
  CallSite site_;
  double transform_s_ = 0;  // of the transforms on the way to here
};

}  // namespace

std::vector<LeftCell> RunSharedFits(const CellRunner& runner, BlockList blocks,
                                    const WorkItem& item, const PreparedRows* prepared,
                                    std::uint64_t memory, const DeliverResult& deliver) {
  ItemCells cells(blocks, item.split, item.n_splits, deliver);
  cells.Try([&] { SharedFits(runner, cells, prepared, memory).Run(); });
  return cells.Left();
}

}  // namespace crossfold

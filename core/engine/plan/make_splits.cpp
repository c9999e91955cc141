#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/split.h"
#include "engine/plan/gather.h"
#include "engine/plan/split_problems.h"
#include "engine/plugin/plugin_call.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxNotes = 20;  // so that a splitter cannot add notes without end

// A copy of what a splitter emits. Nothing may throw through the plugin that calls the sink, so the
// first problem is kept as a string.
class Emission {
 public:
  explicit Emission(std::int64_t n_rows)
      : n_rows_(n_rows), sink_{sizeof(cf_split_sink), 0, this, &EmitPartition, &EmitSplit} {}
  Emission(const Emission&) = delete;
  Emission& operator=(const Emission&) = delete;

  const cf_split_sink* sink() const { return &sink_; }
  const std::string& problem() const { return problem_; }
  std::vector<Partition>& partitions() { return partitions_; }
  std::vector<ListedRows>& lists() { return lists_; }

 private:
  static cf_status CF_CALL EmitPartition(const cf_split_sink* sink, const std::int32_t* folds,
                                         std::int64_t n_rows, std::int32_t n_folds) {
    Emission& self = *static_cast<Emission*>(sink->sink_data);
    return self.Guarded([&]() -> const char* {
      if (!self.lists_.empty()) return "it emits both partitions and lists of rows";
      if (n_rows != self.n_rows_) return "it emits fold numbers for a different number of rows";
      if (folds == nullptr) return "it emits no fold numbers";
      self.partitions_.push_back({{folds, folds + n_rows}, n_folds});
      return nullptr;
    });
  }

  static cf_status CF_CALL EmitSplit(const cf_split_sink* sink, const std::int64_t* train,
                                     std::int64_t n_train, const std::int64_t* test,
                                     std::int64_t n_test) {
    Emission& self = *static_cast<Emission*>(sink->sink_data);
    return self.Guarded([&]() -> const char* {
      if (!self.partitions_.empty()) return "it emits both partitions and lists of rows";
      if (n_train < 1 || train == nullptr) return "it emits a split without training rows";
      if (n_test < 1 || test == nullptr) return "it emits a split without test rows";
      self.lists_.emplace_back(self.n_rows_, std::span(train, static_cast<std::size_t>(n_train)),
                               std::span(test, static_cast<std::size_t>(n_test)));
      return nullptr;
    });
  }

  // Runs `take`, which returns what is wrong, or null.
  template <class Take>
  cf_status Guarded(Take&& take) noexcept {
    try {
      const char* problem = take();
      if (problem == nullptr) return CF_OK;
      if (problem_.empty()) problem_ = problem;
      return CF_E_INVALID_ARGUMENT;
    } catch (...) {  // std::length_error and std::bad_alloc, of absurd sizes
      if (problem_.empty()) problem_ = "out of memory";
      return CF_E_OUT_OF_MEMORY;
    }
  }

  std::int64_t n_rows_;
  cf_split_sink sink_;
  std::vector<Partition> partitions_;
  std::vector<ListedRows> lists_;
  std::string problem_;
};

// cf_split_input of a view, with the memory that it points to.
class SplitInput {
 public:
  explicit SplitInput(const DataView& view) {
    const Dataset& data = *view.data;
    const std::int64_t* rows = view.rows ? view.rows->data() : nullptr;
    const std::int64_t n = view.num_rows();
    input_.struct_size = sizeof(cf_split_input);
    input_.n_rows = n;
    if (data.task() == Task::kClassification) {
      input_.labels = Gather(data.labels(), rows, n, labels_);
      input_.n_classes = data.num_classes();
      input_.class_names = data.class_name_pointers().data();
    } else if (data.task() == Task::kRegression) {
      input_.values = Gather(data.values(), rows, n, values_);
    }
    input_.weights = Gather(data.weights(), rows, n, weights_);
    input_.groups = Gather(data.groups(), rows, n, groups_);
    input_.time = Gather(data.time(), rows, n, time_);
    input_.time_exact = Gather(data.time_exact(), rows, n, time_exact_);
    input_.seconds_per_tick = data.seconds_per_tick();
    input_.folds = Gather(data.folds(), rows, n, folds_);
    input_.strata = Gather(data.strata(), rows, n, strata_);
  }
  SplitInput(const SplitInput&) = delete;
  SplitInput& operator=(const SplitInput&) = delete;

  const cf_split_input& get() const { return input_; }

 private:
  cf_split_input input_{};
  std::vector<std::int32_t> labels_;
  std::vector<double> values_, weights_, time_;
  std::vector<std::int64_t> groups_, folds_, strata_, time_exact_;
};

std::string FindRoleProblem(const cf_splitter& splitter, const Dataset& data) {
  const std::uint32_t uses = splitter.uses;
  if ((uses & CF_SPLIT_USES_TARGET) != 0 && data.task() == Task::kNone) {
    return "it has no target; read it with target = \"<column>\"";
  }
  if ((uses & CF_SPLIT_USES_GROUPS) != 0 && data.groups().empty()) {
    return "it has no group column; read it with groups = \"<column>\"";
  }
  if ((uses & CF_SPLIT_USES_TIME) != 0 && data.time().empty()) {
    return "it has no time column; read it with time = \"<column>\"";
  }
  if ((uses & CF_SPLIT_USES_FOLDS) != 0 && data.folds().empty()) {
    return "it has no fold column; read it with folds = \"<column>\"";
  }
  return "";
}

}  // namespace

std::shared_ptr<const SplitPlan> MakeSplits(const Spec& splitter, const DataView& view,
                                            std::uint64_t seed, const CancelToken* cancel,
                                            const LogSink& log) {
  const Component& component = splitter.component();
  const std::string attempt = "cannot split dataset '" + view.data->name() + "'";
  const std::string with = " with '" + ShortSpecText(splitter.ToString()) + "': ";
  const std::string attempt_with_rows =
      attempt + " (" + std::to_string(view.num_rows()) + " rows)" + with;

  const std::string role_problem = FindRoleProblem(*component.splitter, *view.data);
  if (!role_problem.empty()) {
    throw Error(ErrorKind::kInvalidArgument, attempt + with + role_problem);
  }
  if (view.num_rows() == 0) {
    throw Error(ErrorKind::kInvalidArgument, attempt_with_rows + "there are no rows");
  }

  const SplitInput input(view);
  Emission emission(view.num_rows());
  const auto split = [&](const cf_call* call) {
    return component.splitter->split(call, splitter.args().data(), splitter.args().size(),
                                     &input.get(), emission.sink());
  };
  std::vector<std::string> notes;
  std::mutex noting;  // a splitter may have threads
  const LogSink take_notes = [&](std::int32_t level, const std::string& message) {
    const std::lock_guard lock(noting);
    if (level >= CF_LOG_INFO && notes.size() < kMaxNotes) notes.push_back(message);
    if (log) log(level, message);
  };
  CallOptions options;
  options.seed = seed;
  options.cancel = cancel;
  options.log = &take_notes;
  const CallResult result = CallPlugin(component, options, std::cref(split));
  for (const std::string& warning : result.warnings) {
    if (log) log(CF_LOG_WARN, "split " + std::string(ShortId(component.id)) + ": " + warning);
  }

  if (result.status == CF_E_CANCELLED && cancel != nullptr && cancel->cancelled()) {
    throw Error(ErrorKind::kCancelled, attempt_with_rows + "cancelled");
  }
  if (!emission.problem().empty()) {
    throw Error(ErrorKind::kBadPlugin, attempt_with_rows + emission.problem());
  }
  if (!result.ok()) throw Error(ErrorKind::kInvalidArgument, attempt_with_rows + result.message);

  const bool by_lists = !emission.lists().empty();
  const std::string problem = by_lists ? FindListProblem(view, emission.lists())
                                       : FindPartitionProblem(view, emission.partitions());
  if (!problem.empty()) {
    throw Error(ErrorKind::kBadPlugin, attempt_with_rows + problem);
  }
  return by_lists
             ? SplitPlan::FromListedRows(view, std::move(emission.lists()), std::move(notes))
             : SplitPlan::FromPartitions(view, std::move(emission.partitions()), std::move(notes));
}

}  // namespace crossfold

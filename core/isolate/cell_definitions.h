// What a process that runs cells for another one has received: datasets, splits, learners and
// metrics by number, and how blocks of cells are made of these.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/plugin_host.h"
#include "encoding/spec_fields.h"
#include "isolate/messages.h"

namespace crossfold {

// Not thread-safe. Throws plugin::Error for an invalid message.
class CellDefinitions {
 public:
  void SetDataset(std::uint64_t number, std::shared_ptr<const Dataset> data) {
    datasets_[number] = std::move(data);
  }
  // Sets WorkerSettings::locked for learners and metrics that are defined from now on.
  void set_locked(bool locked) { locked_ = locked; }
  // Handles kForgetDataset, kSplits, kLearner and kMetrics.
  void Define(MessageType type, FieldReader& fields);
  // Forgets everything but datasets and plugins.
  void Forget();

  // Adds a block; returns "", or why its cells cannot run.
  std::string AddBlock(const ItemBlock& item, std::vector<CellBlock>& blocks) const;
  // The outcome of such a cell. It is not the cell's own fault: another try may succeed.
  static Outcome CannotRun(const std::string& problem);

 private:
  // A definition, or why it cannot be made here.
  template <class T>
  using Made = std::variant<std::shared_ptr<const T>, std::string>;

  template <class T>
  static const Made<T>& Look(const std::map<std::uint64_t, Made<T>>& defined, std::uint64_t number);
  std::vector<std::shared_ptr<const Spec>> MakeSpecs(FieldReader& fields);
  const PluginHost& HostFor(const SpecRecord& record, const LoadedFiles& files);

  bool locked_ = false;
  // The files by path and whether they are locked.
  std::map<std::pair<std::string, bool>, std::unique_ptr<PluginHost>> hosts_;
  std::map<std::uint64_t, std::shared_ptr<const Dataset>> datasets_;
  std::map<std::uint64_t, std::shared_ptr<const SplitPlan>> splits_;
  std::map<std::uint64_t, Made<Pipeline>> learners_;
  std::map<std::uint64_t, Made<MetricList>> metrics_;
};

}  // namespace crossfold

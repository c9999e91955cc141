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

// Not thread-safe. Throws plugin::Error for a message that makes no sense.
class CellDefinitions {
 public:
  void SetDataset(std::uint64_t number, std::shared_ptr<const Dataset> data) {
    datasets_[number] = std::move(data);
  }
  // WorkerSettings::locked, of learners and metrics that are defined from now on.
  void set_locked(bool locked) { locked_ = locked; }
  // kForgetDataset, kSplits, kLearner and kMetrics.
  void Define(MessageType type, FieldReader& fields);
  // Everything but datasets and plugins.
  void Forget();

  // "" = added; else why its cells cannot run.
  std::string AddBlock(const ItemBlock& item, std::vector<CellBlock>& blocks) const;
  // Of such a cell. Not its own fault: another try may succeed.
  static Outcome CannotRun(const std::string& problem);

 private:
  // A definition, or why it cannot be made here.
  template <class T>
  using Made = std::variant<std::shared_ptr<const T>, std::string>;

  template <class T>
  static const Made<T>& Look(const std::map<std::uint64_t, Made<T>>& defined, std::uint64_t number);
  std::vector<std::shared_ptr<const Spec>> MakeSpecs(FieldReader& fields);
  const PluginHost& HostFor(const SpecRecord& record, const std::vector<LockedLibrary>& libraries);

  bool locked_ = false;
  // By path and whether it is locked; a file each.
  std::map<std::pair<std::string, bool>, std::unique_ptr<PluginHost>> hosts_;
  std::map<std::uint64_t, std::shared_ptr<const Dataset>> datasets_;
  std::map<std::uint64_t, std::shared_ptr<const SplitPlan>> splits_;
  std::map<std::uint64_t, Made<Pipeline>> learners_;
  std::map<std::uint64_t, Made<MetricList>> metrics_;
};

}  // namespace crossfold

// The input of a check, and the place for its findings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/seed.h"
#include "crossfold/spec.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::check {

// The result of one check.
struct Verdict {
  enum class Kind { kOk, kFailed, kWarning, kSkipped };
  Kind kind = Kind::kOk;
  // Findings or notes, separated by "; "; why it was skipped; or the answer of a part.
  std::string text;
  // Whether the process must end through exit(), with destructors and handlers, and not at once.
  bool ends_normally = false;
};

// Not thread-safe.
class CheckContext {
 public:
  // `component` is null for checks of the file.
  CheckContext(std::filesystem::path file, std::shared_ptr<const Component> component,
               std::uint64_t seed, int strictness)
      : file_(std::move(file)),
        component_(std::move(component)),
        seed_(seed),
        strictness_(strictness) {}

  const std::filesystem::path& file() const { return file_; }  // absolute
  // Whether the plugin is a folder with a program, which never runs in this process.
  bool is_folder() const;
  // Skips a check of shared libraries.
  void NeedsLibrary() {
    if (is_folder()) Skip("it is a folder, whose program runs in a process of its own");
  }
  // Skips the check of a component that does not declare the flag (CF_DET_...). `name` is that of
  // the flag, and may go on with a reason.
  void NeedsDeterminism(std::uint32_t flag, const std::string& name) {
    if ((component_->determinism & flag) == 0) Skip("it does not declare " + name);
  }
  // The table of a capability. Skips the check of a component that does not offer it.
  template <class Table>
  const Table& NeedsCapability(const std::string& id) {
    const auto* table = component_->capability<Table>(id);
    if (table == nullptr) Skip("it does not offer " + id);
    return *table;
  }
  // REQUIRES: the check is not one of the file.
  const Component& component() const { return *component_; }
  const std::shared_ptr<const Component>& shared_component() const { return component_; }
  // The component under its defaults. REQUIRES: the check is not one of the file.
  std::shared_ptr<const Spec> Defaults() const { return Spec::Make(component_, {}); }
  // The seed of this check and component; equal in every run with the same --seed.
  std::uint64_t seed() const { return seed_; }
  std::uint64_t SeedOf(std::string_view purpose) const { return SeedOfPath(seed_, {purpose}); }
  plugin::Random RandomOf(std::string_view purpose) const {
    return plugin::Random(SeedOf(purpose));
  }
  int strictness() const { return strictness_; }

  // The files of --data, as SampleText::ToString() has them.
  const std::vector<std::string>& data() const { return data_; }
  void SetData(std::vector<std::string> files) { data_ = std::move(files); }

  // Adds a finding: a sentence with what was done and what happened. More may follow.
  void Fail(std::string finding);
  // Adds `what` and the problem after it as a finding, unless the problem is "". Returns whether
  // there is one.
  bool FailIf(const std::string& what, const std::string& problem);
  void Warn(std::string finding);
  // Adds a note, which is printed only if there are no findings.
  void Note(std::string fact);
  // Ends the check by an exception that only the runner catches. Findings that were reported win.
  [[noreturn]] void Skip(std::string reason);

  // The answer of this check in another process of the same program, which runs it with this part.
  // It is "" if there is no such program (checks that are run in-process). Throws if it does not
  // answer.
  std::string AskOtherProcess(std::string_view part) const {
    return other_process_ ? other_process_(part) : "";
  }
  // The part of the check that this process must run; "" = the check.
  const std::string& part() const { return part_; }
  // Sets the answer of a part, which is not for users.
  void Answer(std::string text) { answer_ = std::move(text); }
  void SetPart(std::string part) { part_ = std::move(part); }
  void SetOtherProcess(std::function<std::string(std::string_view part)> run) {
    other_process_ = std::move(run);
  }

  // The process of this check ends through exit(): a crash there is one of this check.
  void EndNormally() { ends_normally_ = true; }

  bool has_failed() const { return !failures_.empty(); }

  // Runs the check and returns its verdict. Catches everything.
  Verdict Run(void (*check)(CheckContext&));

 private:
  Verdict Conclude(const std::string& skipped) const;

  std::filesystem::path file_;
  std::shared_ptr<const Component> component_;
  std::vector<std::string> data_;
  std::uint64_t seed_;
  int strictness_;
  bool ends_normally_ = false;
  std::string part_, answer_;
  std::function<std::string(std::string_view part)> other_process_;
  std::vector<std::string> failures_, warnings_, notes_;
};

}  // namespace crossfold::check

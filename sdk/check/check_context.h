// What a check gets, and where it puts its findings.
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

// What one check found.
struct Verdict {
  enum class Kind { kOk, kFailed, kWarning, kSkipped };
  Kind kind = Kind::kOk;
  // Findings or notes, "; " between them; why it was skipped; the answer of a part.
  std::string text;
  // Whether the process is to end through exit(), with destructors and handlers, and not at once.
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
  // REQUIRES: the check is not one of the file.
  const Component& component() const { return *component_; }
  const std::shared_ptr<const Component>& shared_component() const { return component_; }
  // The component under its defaults. REQUIRES: the check is not one of the file.
  std::shared_ptr<const Spec> Defaults() const { return Spec::Make(component_, {}); }
  // Of this check and component; equal in every run with the same --seed.
  std::uint64_t seed() const { return seed_; }
  std::uint64_t SeedOf(std::string_view purpose) const { return SeedOfPath(seed_, {purpose}); }
  plugin::Random RandomOf(std::string_view purpose) const {
    return plugin::Random(SeedOf(purpose));
  }
  int strictness() const { return strictness_; }

  // What --data names, as SampleText::ToString() has it.
  const std::vector<std::string>& data() const { return data_; }
  void SetData(std::vector<std::string> files) { data_ = std::move(files); }

  // A finding: a sentence that says what was done and what came of it. More may follow.
  void Fail(std::string finding);
  void Warn(std::string finding);
  // What is worth knowing although nothing is wrong. Told only if nothing was found.
  void Note(std::string fact);
  // Ends the check by an exception that only the runner catches. Findings that were reported win.
  [[noreturn]] void Skip(std::string reason);

  // What this check answers in another process of the same program, which runs it with this part.
  // "" if there is no such program (checks that are run in-process). Throws if it does not answer.
  std::string AskOtherProcess(std::string_view part) const {
    return other_process_ ? other_process_(part) : "";
  }
  // Which part of the check this process is to run: "" = the check.
  const std::string& part() const { return part_; }
  // What a part answers. Not for people.
  void Answer(std::string text) { answer_ = std::move(text); }
  void SetPart(std::string part) { part_ = std::move(part); }
  void SetOtherProcess(std::function<std::string(std::string_view part)> run) {
    other_process_ = std::move(run);
  }

  // The process of this check ends through exit(): a crash there is one of this check.
  void EndNormally() { ends_normally_ = true; }

  bool has_failed() const { return !failures_.empty(); }

  // Runs the check and says what came of it. Catches everything.
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

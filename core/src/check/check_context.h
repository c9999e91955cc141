// What a check gets, and where it puts its findings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/seed.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::check {

// What one check found.
struct Verdict {
  enum class Kind { kOk, kFailed, kWarning, kSkipped };
  Kind kind = Kind::kOk;
  std::string text;  // findings or notes, "; " between them; why it was skipped
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
  // Of this check and component; equal in every run with the same --seed.
  std::uint64_t seed() const { return seed_; }
  std::uint64_t SeedOf(std::string_view purpose) const { return DeriveSeed(seed_, {purpose}); }
  plugin::Random RandomOf(std::string_view purpose) const {
    return plugin::Random(SeedOf(purpose));
  }
  int strictness() const { return strictness_; }

  // A finding: a sentence that says what was done and what came of it. More may follow.
  void Fail(std::string finding);
  void Warn(std::string finding);
  // What is worth knowing although nothing is wrong. Told only if nothing was found.
  void Note(std::string fact);
  // Ends the check by an exception that only the runner catches. Findings that were told win.
  [[noreturn]] void Skip(std::string reason);

  // The process of this check ends through exit(): a crash there is one of this check.
  void EndNormally() { ends_normally_ = true; }

  bool has_failed() const { return !failures_.empty(); }

  // Runs the check and says what came of it. Catches everything.
  Verdict Run(void (*check)(CheckContext&));

 private:
  Verdict Conclude(const std::string& skipped) const;

  std::filesystem::path file_;
  std::shared_ptr<const Component> component_;
  std::uint64_t seed_;
  int strictness_;
  bool ends_normally_ = false;
  std::vector<std::string> failures_, warnings_, notes_;
};

}  // namespace crossfold::check

// Random reads of damaged files by one source.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/source_calls.h"
#include "crossfold_plugin/random.hpp"
#include "files/scratch_folder.h"

namespace crossfold::check {

class SourcePlay {
 public:
  // Gets what a step is going to do.
  using Teller = std::function<void(const std::string&)>;

  // Skips the check if there is no file for the source. The context outlives this.
  SourcePlay(CheckContext& context, Teller tell);

  // Damages a copy of one of the files, and reads it under random settings and hints. Fails the
  // check for an outcome that no host could use.
  void Step();

 private:
  struct Original {
    Sample sample;
    std::string bytes;
    std::vector<std::string> columns;  // their names
  };

  // Changes `bytes` and returns in which way.
  std::string Damage(std::string& bytes);
  std::vector<cf_column_hint> DrawHints(const Original& original);
  std::size_t Below(std::size_t n) { return static_cast<std::size_t>(random_.Below(n)); }

  CheckContext& context_;
  Teller tell_;
  plugin::Random random_;
  ScratchFolder folder_;
  std::vector<Original> originals_;
};

}  // namespace crossfold::check

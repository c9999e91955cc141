#include "check/fuzz_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <utility>

#include "check/random_settings.h"
#include "check/trial.h"
#include "files/file_bytes.h"

namespace crossfold::check {

namespace fs = std::filesystem;

SourcePlay::SourcePlay(CheckContext& context, Teller tell)
    : context_(context),
      tell_(std::move(tell)),
      random_(context.RandomOf("steps")),
      folder_(ScratchFolder::Temporary()) {
  for (Sample& sample : SamplesOf(context)) {
    Original original{std::move(sample), "", {}};
    original.bytes = ReadFileBytes(original.sample.path);
    for (const Column& column : ReadSource(*original.sample.spec, original.sample.path).columns) {
      original.columns.push_back(column.name);
    }
    originals_.push_back(std::move(original));
  }
}

std::string SourcePlay::Damage(std::string& bytes) {
  if (bytes.empty()) return "as it is";
  const std::size_t at = Below(bytes.size());
  const std::size_t n = std::min(1 + Below(64), bytes.size() - at);
  const std::string place = std::to_string(n) + " bytes at " + std::to_string(at);
  switch (Below(6)) {
    case 0:
      return "as it is";
    case 1:
      bytes.resize(at);
      return "cut off after " + std::to_string(at) + " bytes";
    case 2:
      bytes.erase(at, n);
      return "without " + place;
    case 3:
      bytes.insert(Below(bytes.size()), bytes.substr(at, n));
      return "with " + place + " twice";
    case 4:
      // Sizes and counts are numbers of several bytes: extreme ones are tried on purpose.
      for (std::size_t i = 0; i < std::min<std::size_t>(n, 8); ++i) {
        bytes[at + i] = static_cast<char>(Below(2) == 0 ? 0xFF : 0);
      }
      return "with ones and zeros at " + std::to_string(at);
    default:
      for (std::size_t left = 1 + Below(8); left > 0; --left) {
        bytes[Below(bytes.size())] = static_cast<char>(Below(256));
      }
      return "with a few other bytes";
  }
}

std::vector<cf_column_hint> SourcePlay::DrawHints(const Original& original) {
  static constexpr std::int32_t kTypes[] = {0, CF_F64, CF_F32, CF_I64, CF_I32, CF_BOOL8, CF_CAT32};
  static const char* const kLevels[] = {"1", "a", "b"};
  std::vector<cf_column_hint> hints;
  for (const std::string& name : original.columns) {
    if (Below(3) != 0) continue;
    cf_column_hint hint{};
    hint.struct_size = sizeof hint;
    hint.name = name.c_str();
    hint.dtype = kTypes[Below(std::size(kTypes))];
    for (const std::uint32_t flag :
         {std::uint32_t{CF_HINT_FIRM}, std::uint32_t{CF_HINT_UNUSED},
          std::uint32_t{CF_HINT_COMPLETE}, std::uint32_t{CF_HINT_DROP_MISSING}}) {
      if (Below(4) == 0) hint.flags |= flag;
    }
    if (hint.dtype == CF_CAT32 && Below(2) == 0) {
      hint.levels = kLevels;
      hint.n_levels = static_cast<std::int32_t>(std::size(kLevels));
      if (Below(2) == 0) hint.flags |= CF_HINT_ORDERED | CF_HINT_CLOSED;
    }
    hints.push_back(hint);
  }
  return hints;
}

void SourcePlay::Step() {
  const Original& original = originals_[Below(originals_.size())];
  std::string bytes = original.bytes;
  const std::string damage = Damage(bytes);
  const SpecPtr drawn = DrawSpec(context_.shared_component(), random_);
  const SpecPtr merged = Merged(original.sample, *drawn);
  const SpecPtr& spec = merged == nullptr ? original.sample.spec : merged;
  const std::vector<cf_column_hint> hints = DrawHints(original);
  std::vector<const cf_column_hint*> pointers;
  for (const cf_column_hint& hint : hints) pointers.push_back(&hint);

  // A new file: one that is mapped must not change under its reader.
  const fs::path file = folder_.path() / original.sample.path.filename();
  fs::remove(file);
  std::ofstream(file, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const std::string what = "read of " + original.sample.name() + " " + damage + " by " +
                           spec->ToString() + " with " + std::to_string(hints.size()) + " hints";
  tell_(what);
  const std::string problem = FindImproperReading(ReadSource(*spec, file, {}, pointers));
  if (!problem.empty()) context_.Fail(what + ": " + problem);
}

}  // namespace crossfold::check

// Checks of sources with damaged files and with hints: they must give data or a proper error.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/source_calls.h"
#include "engine/plugin/foreign_text.h"
#include "files/file_bytes.h"
#include "files/scratch_folder.h"

namespace crossfold::check {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A slow source is tried with fewer damaged files.
constexpr std::chrono::seconds kMaxTime{4};

// Reads files that differ from a sample, under its name.
class Damages {
 public:
  Damages(CheckContext& context, const fs::path& folder, const Sample& sample)
      : context_(context),
        spec_(sample.spec),
        file_(folder / sample.path.filename()),
        whole_(ReadSource(*spec_, sample.path)) {}

  // `what` is "the first 7 bytes of 'a.csv'".
  void Try(const std::string& what, const std::string& bytes, bool is_part) {
    // A new file: one that is mapped must not change under its reader.
    fs::remove(file_);
    std::ofstream(file_, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const SourceRead read = ReadSource(*spec_, file_);
    ++n_tried_;
    if (!read.reply.ok()) ++n_refused_;
    const std::string improper = FindImproperReading(read);
    if (!improper.empty()) context_.Fail("reading " + what + ", " + improper);
    if (read.ok() && is_part && read.num_rows() > whole_.num_rows()) {
      context_.Fail("reading " + what + ", it gave " + std::to_string(read.num_rows()) +
                    " rows, the whole file has " + std::to_string(whole_.num_rows()));
    }
  }
  bool is_over() const { return Clock::now() > until_ || context_.has_failed(); }
  void Tell() {
    context_.Note(std::to_string(n_tried_) + " files, " + std::to_string(n_refused_) +
                  " of them refused");
  }

 private:
  CheckContext& context_;
  SpecPtr spec_;
  fs::path file_;
  SourceRead whole_;
  Clock::time_point until_ = Clock::now() + kMaxTime;
  int n_tried_ = 0, n_refused_ = 0;
};

// ---- source-truncated ---------------------------------------------------------------------------

// The ends first, then the others in an order that spreads them.
std::vector<std::size_t> Cuts(std::size_t size, plugin::Random random) {
  constexpr std::size_t kMax = 3000;
  std::vector<std::size_t> cuts;
  if (size <= kMax) {
    for (std::size_t cut = 0; cut < size; ++cut) cuts.push_back(cut);
  } else {
    for (std::size_t i = 0; i < kMax; ++i) cuts.push_back(random.Below(size));
  }
  for (std::size_t i = cuts.size(); i > 1; --i) std::swap(cuts[i - 1], cuts[random.Below(i)]);
  for (const std::size_t cut : {size / 2, size - 1, std::size_t{1}, std::size_t{0}}) {
    if (cut < size) cuts.insert(cuts.begin(), cut);
  }
  return cuts;
}

void SourceTruncated(CheckContext& context) {
  const ScratchFolder folder = ScratchFolder::Temporary();
  for (const Sample& sample : SamplesOf(context)) {
    const std::string bytes = ReadFileBytes(sample.path);
    const std::string of = " bytes of " + sample.name();
    Damages damages(context, folder.path(), sample);
    for (const std::size_t cut : Cuts(bytes.size(), context.RandomOf("cuts"))) {
      if (damages.is_over()) break;
      damages.Try("the first " + std::to_string(cut) + of, bytes.substr(0, cut), true);
    }
    damages.Tell();
  }
}

// ---- source-garbage -----------------------------------------------------------------------------

std::string Noise(std::size_t n, plugin::Random& random) {
  std::string bytes;
  while (bytes.size() < n) bytes.push_back(static_cast<char>(random.Below(256)));
  return bytes;
}

std::string WithOtherBytes(std::string bytes, plugin::Random& random) {
  for (std::uint64_t n = 1 + random.Below(8); n > 0 && !bytes.empty(); --n) {
    bytes[random.Below(bytes.size())] = static_cast<char>(random.Below(256));
  }
  return bytes;
}

void SourceGarbage(CheckContext& context) {
  constexpr int kMutations = 400;
  const ScratchFolder folder = ScratchFolder::Temporary();
  for (const Sample& sample : SamplesOf(context)) {
    plugin::Random random = context.RandomOf("bytes");
    const std::string bytes = ReadFileBytes(sample.path), name = sample.name();
    Damages damages(context, folder.path(), sample);
    for (const std::size_t n : {0, 1, 100, 10000}) {
      damages.Try(std::to_string(n) + " random bytes", Noise(n, random), false);
    }
    damages.Try("zero bytes", std::string(1000, '\0'), false);
    damages.Try(name + " with random bytes after it", bytes + Noise(500, random), false);
    damages.Try(name + " twice in one file", bytes + bytes, false);
    for (int i = 0; i < kMutations && !damages.is_over(); ++i) {
      damages.Try(name + " with a few other bytes", WithOtherBytes(bytes, random), false);
    }
    damages.Tell();
  }
}

// ---- source-hints -------------------------------------------------------------------------------

cf_column_hint HintFor(const char* column, std::uint32_t flags, std::int32_t dtype) {
  cf_column_hint hint{};
  hint.struct_size = sizeof hint;
  hint.name = column;
  hint.flags = flags;
  hint.dtype = dtype;
  return hint;
}

class Hinting {
 public:
  Hinting(CheckContext& context, Sample sample)
      : context_(context),
        sample_(std::move(sample)),
        plain_(ReadSource(*sample_.spec, sample_.path)) {}

  const std::vector<Column>& columns() const { return plain_.columns; }

  void OfNothing() {
    const SourceRead read = With(HintFor("no such column", CF_HINT_FIRM, CF_F64));
    const std::string difference = Difference(read, plain_);
    if (!difference.empty()) Fail("a hint for a column that does not exist", difference);
  }

  void Unused(std::size_t i) {
    SourceRead expected = plain_;
    expected.columns.erase(expected.columns.begin() + static_cast<std::ptrdiff_t>(i));
    const SourceRead read = With(HintFor(NameOf(i), CF_HINT_UNUSED, 0));
    const std::string difference = Difference(read, expected);
    if (!difference.empty()) Fail("CF_HINT_UNUSED for " + Quoted(i), difference);
  }

  // A hint for a type: a wish, which must not fail, or a firm one.
  void Typed(std::size_t i, std::int32_t dtype, bool is_firm) {
    const SourceRead read =
        With(HintFor(NameOf(i), is_firm ? std::uint32_t{CF_HINT_FIRM} : 0, dtype));
    const std::string what = "dtype " + std::to_string(dtype) + " for " + Quoted(i) +
                             (is_firm ? ", with CF_HINT_FIRM" : ", as a wish");
    const std::string improper = FindImproperReading(read);
    if (!improper.empty()) return Fail(what, improper);
    if (!read.ok()) {
      if (!is_firm) Fail(what, "it ended with " + read.Describe());
      return;
    }
    Compare(what, i, read);
  }

  void Complete(std::size_t i) {
    const SourceRead read = With(HintFor(NameOf(i), CF_HINT_COMPLETE, 0));
    const std::string what = "CF_HINT_COMPLETE for " + Quoted(i);
    const std::string improper = FindImproperReading(read);
    if (!improper.empty()) return Fail(what, improper);
    if (!read.ok() && columns()[i].CountMissing() > 0) return;
    const std::string difference = Difference(read, plain_);
    if (!difference.empty()) Fail(what, difference);
  }

 private:
  const char* NameOf(std::size_t i) const { return columns()[i].name.c_str(); }
  std::string Quoted(std::size_t i) const { return "column '" + CleanText(NameOf(i)) + "'"; }

  SourceRead With(const cf_column_hint& hint) const {
    const cf_column_hint* const hints[] = {&hint};
    return ReadSource(*sample_.spec, sample_.path, {}, hints);
  }
  void Fail(const std::string& what, const std::string& finding) {
    context_.Fail("reading " + sample_.name() + " with " + what + ": " + finding);
  }
  // The column may have another type, but the same rows and no other missing entries.
  void Compare(const std::string& what, std::size_t i, const SourceRead& read) {
    if (read.columns.size() != columns().size() || read.num_rows() != plain_.num_rows()) {
      return Fail(what, "it gave other columns or rows");
    }
    const Column &got = read.columns[i], &expected = columns()[i];
    for (std::int64_t row = 0; row < expected.n_rows; ++row) {
      if (got.is_missing(row) == expected.is_missing(row)) continue;
      return Fail(what, "row " + std::to_string(row + 1) +
                            (got.is_missing(row) ? " has lost its entry without an error"
                                                 : " has an entry, which is missing otherwise"));
    }
  }

  CheckContext& context_;
  Sample sample_;
  SourceRead plain_;
};

void SourceHints(CheckContext& context) {
  constexpr std::size_t kMaxColumns = 10;
  for (const Sample& sample : SamplesOf(context)) {
    Hinting hinting(context, sample);
    hinting.OfNothing();
    for (std::size_t i = 0; i < std::min(hinting.columns().size(), kMaxColumns); ++i) {
      hinting.Unused(i);
      hinting.Complete(i);
      for (const std::int32_t dtype : {CF_F64, CF_F32, CF_I32, CF_I64, CF_BOOL8, CF_CAT32}) {
        hinting.Typed(i, dtype, false);
        hinting.Typed(i, dtype, true);
      }
    }
  }
}

constexpr Check kSourceDamageChecks[] = {
    {"source-hints", CheckScope::kSource, 3, false, "source-smoke",
     "hints change types or are errors, and lose no entry", &SourceHints},
    {"source-truncated", CheckScope::kSource, 4, false, "source-smoke",
     "a truncated file is an error or data", &SourceTruncated},
    {"source-garbage", CheckScope::kSource, 4, false, "source-truncated",
     "random and changed bytes are an error or data", &SourceGarbage},
};

}  // namespace

std::span<const Check> SourceDamageChecks() { return kSourceDamageChecks; }

}  // namespace crossfold::check

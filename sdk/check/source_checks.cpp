// Checks of sources.
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arrow/arrow_struct.h"
#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/probe_call.h"
#include "check/source_calls.h"
#include "crossfold/arrow.h"
#include "crossfold/dataset.h"
#include "crossfold/error.h"
#include "engine/data/column_entries.h"
#include "engine/plugin/foreign_text.h"
#include "engine/plugin/plugin_call.h"
#include "files/file_bytes.h"
#include "files/file_descriptor.h"
#include "files/scratch_folder.h"

namespace crossfold::check {
namespace {

namespace fs = std::filesystem;

// ---- source-smoke -------------------------------------------------------------------------------

void SourceSmoke(CheckContext& context) {
  for (const Sample& sample : SamplesOf(context)) {
    const SourceRead read = ReadSource(*sample.spec, sample.path);
    if (!read.ok()) {
      context.Fail("reading " + sample.name() + " ended with " + read.Describe());
    } else if (read.columns.empty()) {
      context.Fail("reading " + sample.name() + " gave no columns");
    } else if (read.reply.said_why) {
      context.Fail("reading " + sample.name() + " called host->fail() and returned ok");
    }
  }
}

// ---- source-stream ------------------------------------------------------------------------------

// The arrays of a stream, which are taken one by one and kept.
class KeptArrays {
 public:
  KeptArrays(CheckContext& context, std::string subject)
      : context_(context), subject_(std::move(subject)) {}
  ~KeptArrays() { ReleaseAll(); }
  KeptArrays(const KeptArrays&) = delete;
  KeptArrays& operator=(const KeptArrays&) = delete;

  void TakeSchema(ArrowArrayStream* stream) {
    Demand(stream->get_schema(stream, &schema_) == 0 && schema_.release != nullptr,
           "get_schema() gives none");
  }
  // Takes at most `most` arrays. Returns whether there was a next one.
  bool Take(ArrowArrayStream* stream, std::size_t most) {
    while (arrays_.size() < most) {
      auto array = std::make_unique<ArrowArray>();
      if (stream->get_next(stream, array.get()) != 0) {
        context_.Fail(subject_ + "get_next() fails, although it did not before");
        return false;
      }
      if (array->release == nullptr) return false;
      arrays_.push_back(std::move(array));
    }
    return true;
  }
  // The columns where they are; they must not outlive this.
  std::vector<Column> Columns() const {
    const std::string attempt;
    const ArrowFields fields(schema_, attempt, {});
    std::vector<Column> columns;
    for (const auto& array : arrays_) {
      ArrowArray borrowed = *array;
      borrowed.release = [](ArrowArray* a) { a->release = nullptr; };
      const auto taken = std::make_shared<const Taken<ArrowArray>>(&borrowed);
      for (Column& column : fields.ColumnsOf(taken)) columns.push_back(std::move(column));
    }
    return columns;
  }
  // The last one first, the schema at the end.
  void ReleaseAll() {
    while (!arrays_.empty()) {
      arrays_.back()->release(arrays_.back().get());
      Demand(arrays_.back()->release == nullptr,
             "release() of an array does not set `release` to null, so that it is released twice");
      arrays_.pop_back();
    }
    if (schema_.release == nullptr) return;
    schema_.release(&schema_);
    Demand(schema_.release == nullptr,
           "release() of the schema does not set `release` to null, so that it is released twice");
    schema_.release = nullptr;
  }

 private:
  void Demand(bool is_so, const char* finding) {
    if (!is_so) context_.Fail(subject_ + finding);
  }

  CheckContext& context_;
  std::string subject_;
  ArrowSchema schema_{};
  std::vector<std::unique_ptr<ArrowArray>> arrays_;
};

constexpr std::size_t kAllArrays = 1 << 20;

class StreamUse {
 public:
  StreamUse(CheckContext& context, const Sample& sample)
      : context_(context), sample_(sample), subject_("of " + sample.name() + ", ") {}

  // Released before it was read, after its schema, and after one array.
  void Early() {
    Use([&](ArrowArrayStream* stream) { Release(stream); });
    UseWithSchema([](KeptArrays&, ArrowArrayStream*) {});
    UseWithSchema([](KeptArrays& kept, ArrowArrayStream* stream) { kept.Take(stream, 1); });
  }

  // The data stay unchanged after the stream is released and the call is over, and another thread
  // may release them.
  void Outlived() {
    KeptArrays kept(context_, subject_);
    std::vector<Column> copies;
    Use([&](ArrowArrayStream* stream) {
      kept.TakeSchema(stream);
      kept.Take(stream, kAllArrays);
      for (const Column& column : kept.Columns())
        copies.push_back(column.Selected(RowRange(0, column.n_rows)));
      Release(stream);
    });
    if (context_.has_failed()) return;
    context_.FailIf(subject_ + "arrays do not outlive their stream: after its release ",
                    Difference(kept.Columns(), copies));
    std::thread([&] { kept.ReleaseAll(); }).join();
  }

  void LastError() {
    UseWithSchema([](KeptArrays& kept, ArrowArrayStream* stream) {
      if (stream->get_last_error != nullptr) stream->get_last_error(stream);
      kept.Take(stream, kAllArrays);
    });
  }

  // A second stream of the same file, read in turn with the first.
  void Beside() {
    const SourceRead alone = ReadSource(*sample_.spec, sample_.path);
    UseWithSchema([&](KeptArrays& kept, ArrowArrayStream* stream) {
      kept.Take(stream, 1);
      context_.FailIf(subject_ + "while another stream of it is open, ",
                      Difference(ReadSource(*sample_.spec, sample_.path), alone));
      kept.Take(stream, kAllArrays);
    });
  }

 private:
  void Use(const std::function<void(ArrowArrayStream*)>& use) {
    if (context_.has_failed()) return;
    const Reply reply = OpenSource(*sample_.spec, sample_.path, use);
    if (!reply.ok()) context_.Fail(subject_ + "open() ended with " + reply.Describe());
  }
  // Of a stream whose schema was taken, and which is released afterwards.
  void UseWithSchema(const std::function<void(KeptArrays&, ArrowArrayStream*)>& use) {
    Use([&](ArrowArrayStream* stream) {
      KeptArrays kept(context_, subject_);
      kept.TakeSchema(stream);
      use(kept, stream);
      Release(stream);
    });
  }
  void Release(ArrowArrayStream* stream) {
    if (stream->release == nullptr) return;
    stream->release(stream);
    if (stream->release == nullptr) return;
    context_.Fail(subject_ +
                  "release() of the stream does not set `release` to null, so that it is released "
                  "twice");
    stream->release = nullptr;
  }

  CheckContext& context_;
  Sample sample_;
  std::string subject_;
};

void SourceStream(CheckContext& context) {
  for (const Sample& sample : SamplesOf(context)) {
    StreamUse use(context, sample);
    use.Early();
    use.Outlived();
    use.LastError();
    use.Beside();
  }
}

// ---- source-missing-file ------------------------------------------------------------------------

void SourceMissingFile(CheckContext& context) {
  const ScratchFolder folder = ScratchFolder::Temporary();
  for (const Sample& sample : SamplesOf(context)) {
    const fs::path nothing = folder.path() / sample.path.filename();
    const SourceRead read = ReadSource(*sample.spec, nothing);
    const std::string what = "reading " + sample.name() + " in a folder that lacks it ";
    if (read.reply.ok() || read.reply.status != CF_E_IO) {
      context.Fail(what + "ended with " + read.Describe() + " instead of " +
                   std::string(StatusName(CF_E_IO)));
      continue;
    }
    context.FailIf(what, FindBadError(read.reply));
    fs::create_directory(nothing);
    context.FailIf("reading a folder of the name " + sample.name() + ", ",
                   FindImproperReading(ReadSource(*sample.spec, nothing)));
    fs::remove(nothing);
  }
}

// ---- source-sniff -------------------------------------------------------------------------------

struct Sniffed {
  std::int32_t sure = -1;
  Reply reply;
  bool operator==(const Sniffed& other) const {
    return sure == other.sure && reply.status == other.reply.status;
  }
  std::string Describe() const { return reply.ok() ? std::to_string(sure) : reply.Describe(); }
};

Sniffed Sniff(const Spec& spec, const ShownPath& shown) {
  Sniffed sniffed;
  const cf_source_input input = shown.Input();
  sniffed.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return spec.component().source->sniff(call, &input, &sniffed.sure);
  });
  return sniffed;
}

// Whether files of a folder are opened.
class OpenWatch {
 public:
  explicit OpenWatch(const fs::path& folder) : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    ::inotify_add_watch(events_.get(), folder.c_str(), IN_OPEN);
  }
  bool has_seen() const {
    alignas(inotify_event) char event[4096];
    return ::read(events_.get(), event, sizeof event) > 0;
  }

 private:
  FileDescriptor events_;
};

class Sniffing {
 public:
  Sniffing(CheckContext& context, const fs::path& folder)
      : context_(context), spec_(context.Defaults()), folder_(folder) {}

  void Look(const Sample& sample) {
    const fs::path copy = folder_ / sample.path.filename();
    fs::copy_file(sample.path, copy, fs::copy_options::overwrite_existing);
    const ShownPath shown(copy);
    const OpenWatch watch(folder_);
    const Sniffed first = Sniff(*spec_, shown);
    const std::string what = "sniff of " + sample.name() + " ";
    if (watch.has_seen()) context_.Fail(what + "opened the file");
    if (!first.reply.ok() || first.sure < CF_SNIFF_NO || first.sure > CF_SNIFF_CONTENT) {
      context_.Fail(what + "gave " + first.Describe() + " instead of a number from 0 to 100");
    } else if (first.sure == CF_SNIFF_NO) {
      context_.Fail(what + "says that open() would refuse it, and it does not");
    }
    if (!(Sniff(*spec_, shown) == first)) context_.Fail(what + "gave another answer a second time");
    fs::remove(copy);
    if (!(Sniff(*spec_, shown) == first)) {
      context_.Fail(what + "gave another answer when the file was gone");
    }
  }

  // Bytes in no known format, under a name without one.
  void Nothing() {
    plugin::Random random = context_.RandomOf("bytes");
    std::string noise;
    for (int i = 0; i < 4096; ++i) noise.push_back(static_cast<char>(random.Below(256)));
    for (const std::string& bytes : {std::string(), noise}) {
      const ShownPath shown(folder_ / "unnamed", bytes, static_cast<std::int64_t>(bytes.size()));
      const Sniffed sniffed = Sniff(*spec_, shown);
      const std::string what = "sniff of " +
                               std::string(bytes.empty() ? "no bytes" : "random bytes") +
                               " without an ending ";
      if (!sniffed.reply.ok() || sniffed.sure >= CF_SNIFF_NAME) {
        context_.Fail(what + "gave " + sniffed.Describe() + ": it is sure of what it cannot read");
      }
    }
    const Sniffed unknown = Sniff(*spec_, ShownPath(folder_ / "unnamed"));
    if (!unknown.reply.ok() || unknown.sure >= CF_SNIFF_NAME) {
      context_.Fail("sniff without the first bytes and an ending gave " + unknown.Describe());
    }
  }

 private:
  CheckContext& context_;
  SpecPtr spec_;
  fs::path folder_;
};

void SourceSniff(CheckContext& context) {
  const ScratchFolder folder = ScratchFolder::Temporary();
  Sniffing sniffing(context, folder.path());
  for (const Sample& sample : SamplesOf(context)) sniffing.Look(sample);
  sniffing.Nothing();
}

// ---- source-same-data ---------------------------------------------------------------------------

void SourceSameData(CheckContext& context) {
  for (const Sample& sample : SamplesOf(context)) {
    const SourceRead expected = ReadSource(*sample.spec, sample.path);
    for (const std::uint32_t threads : {1u, 2u, 3u, 8u}) {
      const SourceRead read =
          ReadSource(*sample.spec, sample.path, {.seed = threads, .n_threads = threads});
      const std::string how =
          threads == 1 ? "a second time" : "by " + std::to_string(threads) + " threads";
      context.FailIf("reading " + sample.name() + " " + how + ", ", Difference(read, expected));
    }
  }
}

// Checks of sources with damaged files and with hints: they must give data or a proper error.

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
    context_.FailIf("reading " + what + ", ", FindImproperReading(read));
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
    FailIf("a hint for a column that does not exist", Difference(read, plain_));
  }

  void Unused(std::size_t i) {
    SourceRead expected = plain_;
    expected.columns.erase(expected.columns.begin() + static_cast<std::ptrdiff_t>(i));
    const SourceRead read = With(HintFor(NameOf(i), CF_HINT_UNUSED, 0));
    FailIf("CF_HINT_UNUSED for " + Quoted(i), Difference(read, expected));
  }

  // A hint for a type: a wish, which must not fail, or a firm one.
  void Typed(std::size_t i, std::int32_t dtype, bool is_firm) {
    const SourceRead read =
        With(HintFor(NameOf(i), is_firm ? std::uint32_t{CF_HINT_FIRM} : 0, dtype));
    const std::string what = "dtype " + std::to_string(dtype) + " for " + Quoted(i) +
                             (is_firm ? ", with CF_HINT_FIRM" : ", as a wish");
    if (FailIf(what, FindImproperReading(read))) return;
    if (!read.ok()) {
      if (!is_firm) FailIf(what, "it ended with " + read.Describe());
      return;
    }
    Compare(what, i, read);
  }

  void Complete(std::size_t i) {
    const SourceRead read = With(HintFor(NameOf(i), CF_HINT_COMPLETE, 0));
    const std::string what = "CF_HINT_COMPLETE for " + Quoted(i);
    if (FailIf(what, FindImproperReading(read))) return;
    if (!read.ok() && columns()[i].CountMissing() > 0) return;
    FailIf(what, Difference(read, plain_));
  }

 private:
  const char* NameOf(std::size_t i) const { return columns()[i].name.c_str(); }
  std::string Quoted(std::size_t i) const { return "column '" + CleanText(NameOf(i)) + "'"; }

  SourceRead With(const cf_column_hint& hint) const {
    const cf_column_hint* const hints[] = {&hint};
    return ReadSource(*sample_.spec, sample_.path, {}, hints);
  }
  bool FailIf(const std::string& what, const std::string& finding) {
    return context_.FailIf("reading " + sample_.name() + " with " + what + ": ", finding);
  }
  // The column may have another type, but the same rows and no other missing entries.
  void Compare(const std::string& what, std::size_t i, const SourceRead& read) {
    if (read.columns.size() != columns().size() || read.num_rows() != plain_.num_rows()) {
      FailIf(what, "it gave other columns or rows");
      return;
    }
    const Column &got = read.columns[i], &expected = columns()[i];
    for (std::int64_t row = 0; row < expected.n_rows; ++row) {
      if (got.is_missing(row) == expected.is_missing(row)) continue;
      FailIf(what, "row " + std::to_string(row + 1) +
                       (got.is_missing(row) ? " has lost its entry without an error"
                                            : " has an entry, which is missing otherwise"));
      return;
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

// A stream of one array for a source to write. It may fail instead of ending.
class HostStream {
 public:
  explicit HostStream(std::shared_ptr<const Dataset> data, bool fails = false)
      : data_(std::move(data)), fails_(fails) {
    stream_.get_schema = [](ArrowArrayStream* stream, ArrowSchema* out) {
      ArrowArray array{};
      ExportArrow(Of(stream).data_, out, &array);
      array.release(&array);
      return 0;
    };
    stream_.get_next = [](ArrowArrayStream* stream, ArrowArray* out) {
      return Of(stream).Next(out);
    };
    stream_.get_last_error = [](ArrowArrayStream*) { return "the columns cannot be read further"; };
    stream_.release = [](ArrowArrayStream* stream) { stream->release = nullptr; };
    stream_.private_data = this;
  }
  HostStream(const HostStream&) = delete;
  HostStream& operator=(const HostStream&) = delete;

  ArrowArrayStream* get() { return &stream_; }
  bool is_released() const { return stream_.release == nullptr; }

 private:
  static HostStream& Of(ArrowArrayStream* stream) {
    return *static_cast<HostStream*>(stream->private_data);
  }
  int Next(ArrowArray* out) {
    *out = {};
    if (std::exchange(is_given_, true)) return fails_ ? EIO : 0;
    ArrowSchema schema{};
    ExportArrow(data_, &schema, out);
    schema.release(&schema);
    return 0;
  }

  std::shared_ptr<const Dataset> data_;
  bool fails_, is_given_ = false;
  ArrowArrayStream stream_{};
};

struct WrittenTable {
  std::string name;
  std::shared_ptr<const Dataset> data;
};

WrittenTable TableOf(std::string name, std::vector<Column> columns) {
  auto data = Dataset::Create(name, std::move(columns), {});
  return {std::move(name), std::move(data)};
}

std::vector<WrittenTable> Tables() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto doubles = [&] { return Column::Doubles("x", {0.1, none, -1.5e300, 5e-324}); };
  const auto floats = [] { return Column::Floats("f", {0.5f, 1e-30f, -3, 7}); };
  const auto integers = [] {
    return Column::Integers("n", {(std::int64_t{1} << 53) + 1, 0, -7, 12},
                            {true, false, true, true});
  };
  const auto small = [] { return Column::Integers32("i", {1, -2, 3, 2000000000}); };
  const auto booleans = [] {
    return Column::Booleans("b", {true, false, true, false}, {true, true, false, true});
  };
  const auto categories = [] {
    return Column::Categories("kind, \"quoted\"", {2, -1, 0, 1}, {"b", "a, c", "\xc3\xa4 \"d\""});
  };
  const auto ordered = [] {
    Column column = Column::Categories("size", {0, 2, 1, 0}, {"small", "middle", "large"});
    column.ordered = true;
    return column;
  };
  return {TableOf("doubles", {doubles()}),
          TableOf("floats", {floats()}),
          TableOf("integers", {integers()}),
          TableOf("integers of 32 bits", {small()}),
          TableOf("booleans", {booleans()}),
          TableOf("categories", {categories()}),
          TableOf("ordered categories", {ordered()}),
          TableOf("columns of all types",
                  {doubles(), floats(), integers(), small(), booleans(), categories(), ordered()})};
}

double NumberAt(const Column& column, std::int64_t row) {
  return VisitEntries(column, [row](const auto entries) {
    return static_cast<double>(entries[static_cast<std::size_t>(row)]);
  });
}

bool SameValue(const Column& a, const Column& b, std::int64_t row) {
  return a.dtype == b.dtype ? SameEntry(a, b, row) : NumberAt(a, row) == NumberAt(b, row);
}

// A number may come back in another type: the law is about entries.
std::string RoundTripDifference(const Column& got, const Column& expected) {
  const std::string subject = "column '" + expected.name + "' ";
  if (got.name != expected.name) return subject + "is called '" + got.name + "'";
  if ((got.dtype == CF_CAT32) != (expected.dtype == CF_CAT32))
    return subject + "has a different type";
  if (got.levels != expected.levels) return subject + "has different levels";
  if (got.ordered != expected.ordered) return subject + "has levels of another order";
  if (got.n_rows != expected.n_rows) return subject + "has other rows";
  for (std::int64_t row = 0; row < got.n_rows; ++row) {
    const bool is_missing = expected.is_missing(row);
    if (got.is_missing(row) == is_missing && (is_missing || SameValue(got, expected, row))) {
      continue;
    }
    return subject + "has another entry in row " + std::to_string(row + 1);
  }
  return "";
}

class Writing {
 public:
  Writing(CheckContext& context, const cf_cap_write& table, const fs::path& folder)
      : context_(context), spec_(context.Defaults()), table_(table) {
    const cf_source& source = *context.component().source;
    const std::string ending = source.n_endings == 0 ? "data" : source.endings[0];
    file_ = folder / ("written." + ending);
    nowhere_ = folder / "nosuchfolder" / ("written." + ending);
  }

  // Whether it was written.
  bool RoundTrip(const WrittenTable& table) {
    const std::string what = "write of " + table.name;
    SourceRead written;
    written.reply = Write(what, table, {}, file_);
    if (!written.reply.ok()) {
      Look(what, written);
      return false;
    }
    const SourceRead read = ReadSource(*spec_, file_);
    fs::remove(file_);
    if (!read.ok()) {
      context_.Fail("after " + what + " reading ended with " + read.Describe());
    } else if (read.columns.size() != static_cast<std::size_t>(table.data->columns().size())) {
      context_.Fail("after " + what + " there are other columns");
    } else {
      for (std::size_t i = 0; i < read.columns.size(); ++i) {
        context_.FailIf("after " + what + " ",
                        RoundTripDifference(read.columns[i], table.data->columns()[i]));
      }
    }
    return true;
  }

  // Of a table that can be written.
  void Failures(const WrittenTable& table) {
    SourceRead failed;
    failed.reply = Write("write", table, {}, file_, true);
    if (failed.reply.ok()) context_.Fail("write of columns whose stream fails ended with ok");
    Look("write of columns whose stream fails", failed);
    failed.reply = Write("write", table, {}, nowhere_);
    if (failed.reply.status != CF_E_IO) {
      context_.Fail("write into a folder that does not exist ended with " +
                    failed.reply.Describe() + " instead of " + std::string(StatusName(CF_E_IO)));
    }
    const Reply reply = Write("write", table, {.cancel_at = 1}, file_);
    if (reply.ok()) {
      fs::remove(file_);
    } else if (reply.status != CF_E_CANCELLED || fs::exists(file_)) {
      context_.Fail("a cancelled write ended with " + reply.Describe() +
                    (fs::exists(file_) ? " and left a file" : ""));
    }
  }

 private:
  Reply Write(const std::string& what, const WrittenTable& table, const ProbeOptions& options,
              const fs::path& path, bool fails = false) {
    HostStream columns(table.data, fails);
    const Reply reply = ProbeCall(*spec_, options, [&](const cf_call* call) {
      return table_.write(call, spec_->args().data(), spec_->args().size(), path.c_str(),
                          columns.get());
    });
    if (columns.is_released()) {
      context_.Fail(what + " released the stream of columns, which belongs to the host");
    }
    return reply;
  }

  void Look(const std::string& what, const SourceRead& failed) {
    context_.FailIf(what + ": ", FindImproperReading(failed));
    if (!fs::exists(file_)) return;
    context_.Fail(what + " failed and left a file");
    fs::remove(file_);
  }

  CheckContext& context_;
  SpecPtr spec_;
  const cf_cap_write& table_;
  fs::path file_, nowhere_;
};

void CapWrite(CheckContext& context) {
  const auto& table = context.NeedsCapability<cf_cap_write>(CF_CAP_WRITE);
  const ScratchFolder folder = ScratchFolder::Temporary();
  Writing writing(context, table, folder.path());
  std::vector<WrittenTable> written;
  for (const WrittenTable& tried : Tables()) {
    if (writing.RoundTrip(tried)) written.push_back(tried);
  }
  if (written.empty()) {
    context.Fail("it refuses to write every table that was tried");
  } else {
    writing.Failures(written.front());
  }
}

constexpr Check kSourceChecks[] = {
    {"source-smoke", kSource, 2, false, "descriptor-complete",
     "a valid file becomes columns that a host accepts", &SourceSmoke},
    {"source-stream", kSource, 3, false, "source-smoke",
     "streams may be released at any time, and their arrays outlive them", &SourceStream},
    {"source-missing-file", kSource, 3, false, "source-smoke",
     "a missing file is an input or output error with a reason", &SourceMissingFile},
    {"source-sniff", kSource, 3, false, "source-smoke",
     "sniff opens nothing, repeats its answer, and is not sure of unknown formats", &SourceSniff},
    {"source-same-data", kSource, 3, false, "source-smoke",
     "the same file gives the same bits, for any number of threads", &SourceSameData},
    {"source-hints", kSource, 3, false, "source-smoke",
     "hints change types or are errors, and lose no entry", &SourceHints},
    {"source-truncated", kSource, 4, false, "source-smoke", "a truncated file is an error or data",
     &SourceTruncated},
    {"source-garbage", kSource, 4, false, "source-truncated",
     "random and changed bytes are an error or data", &SourceGarbage},
    {"cap-write", kSource, 3, false, "descriptor-complete",
     "reading what was written gives the same columns, and a write that fails leaves no file",
     &CapWrite},
};

}  // namespace

std::span<const Check> SourceChecks() { return kSourceChecks; }

}  // namespace crossfold::check

// Checks of sources: a valid file, and the stream that it becomes.
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arrow/arrow_struct.h"
#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/error_reply.h"
#include "check/source_calls.h"
#include "crossfold/error.h"
#include "engine/plugin/plugin_call.h"
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
    Use([&](ArrowArrayStream* stream) {
      KeptArrays kept(context_, subject_);
      kept.TakeSchema(stream);
      Release(stream);
    });
    Use([&](ArrowArrayStream* stream) {
      KeptArrays kept(context_, subject_);
      kept.TakeSchema(stream);
      kept.Take(stream, 1);
      Release(stream);
    });
  }

  // The data stay unchanged after the stream is released and the call is over, and another thread
  // may release them.
  void Outlived() {
    KeptArrays kept(context_, subject_);
    std::vector<Column> copies;
    Use([&](ArrowArrayStream* stream) {
      kept.TakeSchema(stream);
      kept.Take(stream, kAllArrays);
      for (const Column& column : kept.Columns()) copies.push_back(column.Selected(Rows(column)));
      Release(stream);
    });
    if (context_.has_failed()) return;
    const std::string difference = Difference(kept.Columns(), copies);
    if (!difference.empty()) {
      context_.Fail(subject_ + "arrays do not outlive their stream: after its release " +
                    difference);
    }
    std::thread([&] { kept.ReleaseAll(); }).join();
  }

  void LastError() {
    Use([&](ArrowArrayStream* stream) {
      KeptArrays kept(context_, subject_);
      kept.TakeSchema(stream);
      if (stream->get_last_error != nullptr) stream->get_last_error(stream);
      kept.Take(stream, kAllArrays);
      Release(stream);
    });
  }

  // A second stream of the same file, read in turn with the first.
  void Beside() {
    const SourceRead alone = ReadSource(*sample_.spec, sample_.path);
    Use([&](ArrowArrayStream* stream) {
      KeptArrays kept(context_, subject_);
      kept.TakeSchema(stream);
      kept.Take(stream, 1);
      const std::string difference = Difference(ReadSource(*sample_.spec, sample_.path), alone);
      if (!difference.empty()) {
        context_.Fail(subject_ + "while another stream of it is open, " + difference);
      }
      kept.Take(stream, kAllArrays);
      Release(stream);
    });
  }

 private:
  static std::vector<std::int64_t> Rows(const Column& column) {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < column.n_rows; ++row) rows.push_back(row);
    return rows;
  }
  void Use(const std::function<void(ArrowArrayStream*)>& use) {
    if (context_.has_failed()) return;
    const Reply reply = OpenSource(*sample_.spec, sample_.path, {},
                                   [&](const cf_call*, ArrowArrayStream* stream) { use(stream); });
    if (!reply.ok()) context_.Fail(subject_ + "open() ended with " + reply.Describe());
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
    const std::string problem = FindBadError(read.reply);
    if (!problem.empty()) context.Fail(what + problem);
    fs::create_directory(nothing);
    const std::string improper = FindImproperReading(ReadSource(*sample.spec, nothing));
    if (!improper.empty())
      context.Fail("reading a folder of the name " + sample.name() + ", " + improper);
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
      ProbeOptions options;
      options.n_threads = threads;
      options.seed = threads;
      const std::string difference =
          Difference(ReadSource(*sample.spec, sample.path, options), expected);
      if (difference.empty()) continue;
      const std::string how =
          threads == 1 ? "a second time" : "by " + std::to_string(threads) + " threads";
      context.Fail("reading " + sample.name() + " " + how + ", " + difference);
    }
  }
}

constexpr Check kSourceChecks[] = {
    {"source-smoke", CheckScope::kSource, 2, false, "descriptor-complete",
     "a valid file becomes columns that a host accepts", &SourceSmoke},
    {"source-stream", CheckScope::kSource, 3, false, "source-smoke",
     "streams may be released at any time, and their arrays outlive them", &SourceStream},
    {"source-missing-file", CheckScope::kSource, 3, false, "source-smoke",
     "a missing file is an input or output error with a reason", &SourceMissingFile},
    {"source-sniff", CheckScope::kSource, 3, false, "source-smoke",
     "sniff opens nothing, repeats its answer, and is not sure of unknown formats", &SourceSniff},
    {"source-same-data", CheckScope::kSource, 3, false, "source-smoke",
     "the same file gives the same bits, for any number of threads", &SourceSameData},
};

}  // namespace

std::span<const Check> SourceChecks() { return kSourceChecks; }

}  // namespace crossfold::check

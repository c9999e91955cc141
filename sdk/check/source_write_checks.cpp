// The check of sources that write their format.
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/source_calls.h"
#include "crossfold/arrow.h"
#include "crossfold/dataset.h"
#include "engine/data/column_entries.h"
#include "engine/plugin/plugin_call.h"
#include "files/scratch_folder.h"

namespace crossfold::check {
namespace {

namespace fs = std::filesystem;

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
  if (a.dtype != b.dtype) return NumberAt(a, row) == NumberAt(b, row);
  const std::size_t size = EntrySize(a.dtype), at = static_cast<std::size_t>(row) * size;
  return std::memcmp(static_cast<const char*>(a.data) + at, static_cast<const char*>(b.data) + at,
                     size) == 0;
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
        const std::string difference =
            RoundTripDifference(read.columns[i], table.data->columns()[i]);
        if (!difference.empty()) context_.Fail("after " + what + " " + difference);
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
    ProbeOptions stopped;
    stopped.cancel_at = 1;
    const Reply reply = Write("write", table, stopped, file_);
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
    const std::string improper = FindImproperReading(failed);
    if (!improper.empty()) context_.Fail(what + ": " + improper);
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
  const auto* table = context.component().capability<cf_cap_write>(CF_CAP_WRITE);
  if (table == nullptr) context.Skip("it does not offer " CF_CAP_WRITE);
  const ScratchFolder folder = ScratchFolder::Temporary();
  Writing writing(context, *table, folder.path());
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

constexpr Check kSourceWriteChecks[] = {
    {"cap-write", CheckScope::kSource, 3, false, "descriptor-complete",
     "reading what was written gives the same columns, and a write that fails leaves no file",
     &CapWrite},
};

}  // namespace

std::span<const Check> SourceWriteChecks() { return kSourceWriteChecks; }

}  // namespace crossfold::check

// A source in C++ is a struct with
//
//   static constexpr std::array<const char*, 1> kEndings = {"csv"};
//   static constexpr cf::SourceInfo kInfo{.component = {.id = "org.example.s"},
//                                         .endings = kEndings};
//   struct Params { bool header = true; };
//   static constexpr auto kSchema =
//       cf::Schema(cf::Boolean("header", &Params::header, "Whether the first line has names."));
//   static int Sniff(const cf::SourceInput&);   // CF_SNIFF_...
//   static cf::Columns Open(const Params&, const cf::SourceInput&, const cf::Context&);
//
// This Open reads all columns at once (columns.hpp). To read in portions, Open returns an object
// with the function
//
//   bool Next(cf::Columns& portion, const cf::Context&);
//
// which gives at least one portion, and returns false if there are no more. With Write the source
// can also write the format (crossfold.write/1):
//
//   static void Write(const Params&, const std::string& path, ArrowArrayStream& columns,
//                     const cf::Context&);
#pragma once

#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "crossfold_plugin/arrow.h"
#include "crossfold_plugin/columns.hpp"
#include "crossfold_plugin/columns_to_arrow.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/source.h"

namespace crossfold::plugin {

struct SourceInfo {
  ComponentInfo component;
  // Of static constexpr arrays: "csv" without the dot, and "s3".
  std::span<const char* const> endings = {};
  std::span<const char* const> schemes = {};
  std::uint32_t promises = 0;  // CF_SOURCE_...
};

// What to read, and which columns are wanted: SourceInput, below. Its pointers are valid until the
// stream is released; a reader keeps a copy of it, not a reference. A template, so that only
// plugins with sources compile it.
template <class Hint>
class BasicSourceInput {
 public:
  explicit BasicSourceInput(const cf_source_input& input) : input_(&input) {
    for (const Hint* hint : hints()) hint_of_.emplace(hint->name, hint);
  }

  std::string_view location() const { return input_->location; }
  // The first bytes; empty if they are not known.
  std::string_view head() const {
    if (input_->head == nullptr) return {};
    return {reinterpret_cast<const char*>(input_->head), static_cast<std::size_t>(input_->n_head)};
  }
  std::int64_t n_bytes() const { return input_->n_bytes; }      // -1 = not known
  std::int64_t max_bytes() const { return input_->max_bytes; }  // that the columns may take
  // False: see CF_INPUT_NOT_TRUSTED.
  bool is_trusted() const { return (input_->flags & CF_INPUT_NOT_TRUSTED) == 0; }
  std::span<const Hint* const> hints() const { return {input_->hints, input_->n_hints}; }
  // Null if there is no hint for that column.
  const Hint* HintOf(std::string_view column) const {
    const auto found = hint_of_.find(column);
    return found == hint_of_.end() ? nullptr : found->second;
  }
  // Whether the name has this ending, in upper or lower case; `ending` has its dot: ".csv".
  bool EndsWith(std::string_view ending) const {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
    const std::string_view name = location();
    return name.size() >= ending.size() &&
           std::equal(ending.begin(), ending.end(), name.end() - ending.size(),
                      [&](char a, char b) { return lower(a) == lower(b); });
  }

 private:
  const cf_source_input* input_;
  std::unordered_map<std::string_view, const Hint*> hint_of_;
};

using SourceInput = BasicSourceInput<cf_column_hint>;

template <class S>
concept Writes = requires(const typename S::Params& params, const std::string& path,
                          ArrowArrayStream& columns, const Context& context) {
  { S::Write(params, path, columns, context) } -> std::same_as<void>;
};
template <class S>
concept NamesWrite = Writes<S> || requires {
  &S::Write;
};

namespace internal {

inline int ErrnoOf(cf_status status) {
  switch (status) {
    case CF_OK:
      return 0;
    case CF_E_OUT_OF_MEMORY:
      return ENOMEM;
    case CF_E_CANCELLED:
      return ECANCELED;
    case CF_E_INVALID_ARGUMENT:
    case CF_E_INVALID_PARAM:
      return EINVAL;
    default:
      return EIO;
  }
}

// A reader that returns all columns as one portion.
template <class Table>
class OnePortion {
 public:
  explicit OnePortion(Table columns) : columns_(std::move(columns)) {}
  bool Next(Table& portion, const Context&) {
    portion = std::exchange(columns_, {});
    return !portion.empty();
  }

 private:
  Table columns_;
};

// The stream of a reader; `Reader` has Next. The next portion is read ahead once, for the schema.
template <class Reader>
class SourceStream {
 public:
  // Fills in `out`, which owns the stream.
  static void Give(Reader reader, const cf_call* call, ArrowArrayStream& out) {
    auto stream = std::make_unique<SourceStream>(std::move(reader), call);
    out.get_schema = &GetSchema;
    out.get_next = &GetNext;
    out.get_last_error = &GetLastError;
    out.release = &Release;
    out.private_data = stream.release();
  }
  SourceStream(Reader reader, const cf_call* call) : reader_(std::move(reader)), call_(call) {}

 private:
  static SourceStream& Of(ArrowArrayStream* stream) {
    return *static_cast<SourceStream*>(stream->private_data);
  }
  bool ReadAhead() {
    if (portion_.empty() && !reader_.Next(portion_, Context(*call_))) return false;
    if (!portion_.empty()) return true;
    throw Error(CF_E_UNSUPPORTED_DATA, "there are no columns");
  }

  static int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
    SourceStream& self = Of(stream);
    return ErrnoOf(Guard(self.call_, [&] {
      if (!self.ReadAhead()) throw Error(CF_E_UNSUPPORTED_DATA, "there are no columns");
      ToArrow(self.portion_, *out);
    }));
  }
  static int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
    SourceStream& self = Of(stream);
    *out = ArrowArray{};
    return ErrnoOf(Guard(self.call_, [&] {
      if (!self.ReadAhead()) return;
      ToArrow(self.portion_, *out);
      self.portion_.clear();
    }));
  }
  // The reason was already reported to the host.
  static const char* GetLastError(ArrowArrayStream*) { return nullptr; }
  static void Release(ArrowArrayStream* stream) {
    delete &Of(stream);
    stream->release = nullptr;
  }

  Reader reader_;
  const cf_call* call_;
  Columns portion_;
};

template <class S>
const cf_cap_write* WriteTable() {
  static_assert(Writes<S>,
                "Write must be: static void Write(const Params&, const std::string& path, "
                "ArrowArrayStream&, const Context&)");
  static const cf_cap_write table{
      sizeof(cf_cap_write), 0,
      [](const cf_call* call, const cf_arg* args, std::size_t n_args, const char* path,
         ArrowArrayStream* columns) {
        return Guard(call,
                     [&] { S::Write(ParamsOf<S>(args, n_args), path, *columns, Context(*call)); });
      }};
  return &table;
}

template <class S>
class SourceAdapter {
 public:
  static const cf_source* Table() {
    static const cf_source table = Make();
    return &table;
  }

 private:
  [[gnu::cold]] static cf_source Make() {
    cf_source t{};
    t.struct_size = sizeof(cf_source);
    t.promises = S::kInfo.promises;
    t.info = MakeInfo<S>();
    t.endings = S::kInfo.endings.data();
    t.n_endings = S::kInfo.endings.size();
    t.schemes = S::kInfo.schemes.data();
    t.n_schemes = S::kInfo.schemes.size();
    t.sniff = &Sniff;
    t.open = &Open;
    t.get_capability = &Capability;
    return t;
  }

  static cf_status CF_CALL Sniff(const cf_call* call, const cf_source_input* input,
                                 std::int32_t* sure) {
    *sure = CF_SNIFF_NO;
    return Guard(call, [&] { *sure = S::Sniff(SourceInput(*input)); });
  }

  static cf_status CF_CALL Open(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                const cf_source_input* input, ArrowArrayStream* out) {
    *out = ArrowArrayStream{};
    return Guard(call, [&] {
      auto opened = S::Open(ParamsOf<S>(args, n_args), SourceInput(*input), Context(*call));
      if constexpr (std::is_same_v<decltype(opened), Columns>) {
        SourceStream<OnePortion<Columns>>::Give(OnePortion(std::move(opened)), call, *out);
      } else {
        SourceStream<decltype(opened)>::Give(std::move(opened), call, *out);
      }
    });
  }

  static const void* CF_CALL Capability(const cf_info*, const char* id) {
    if constexpr (NamesWrite<S>) {
      if (std::string_view(id) == CF_CAP_WRITE) return WriteTable<S>();
    }
    (void)id;
    return nullptr;
  }
};

}  // namespace internal
}  // namespace crossfold::plugin

// A source of one column `a` with the entries 1, 2 and 3, which keeps to no hint, and breaks the
// rule that its parameter names. It is sure of what ends in ".lie".
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "crossfold_plugin.h"

namespace {

constexpr const char* kLies[] = {"none", "fails_in_open", "fails_in_stream", "throws", "too_short"};
enum Lie { kNone, kFailsInOpen, kFailsInStream, kThrows, kTooShort };

const cf_param kLie = [] {
  cf_param param{};
  param.struct_size = sizeof param;
  param.name = "lie";
  param.doc = "What the source does wrong.";
  param.type = CF_P_CHOICE;
  param.def.type = CF_P_CHOICE;
  param.choices = kLies;
  param.n_choices = 5;
  return param;
}();
const cf_param* const kParams[] = {&kLie};

struct State {
  const cf_call* call;
  std::int64_t lie;
  bool is_done = false;
};

State& Of(ArrowArrayStream* stream) { return *static_cast<State*>(stream->private_data); }

int GetSchema(ArrowArrayStream*, ArrowSchema* out) {
  static ArrowSchema column, *columns[] = {&column};
  column = {"l", "a", nullptr, 0, 0, nullptr, nullptr, [](ArrowSchema*) {}, nullptr};
  *out = {"+s",   "", nullptr, 0, 1, columns, nullptr, [](ArrowSchema* s) { s->release = nullptr; },
          nullptr};
  return 0;
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  static const std::int64_t entries[] = {1, 2, 3};
  static const void *buffers[] = {nullptr, entries}, *no_buffers[] = {nullptr};
  static ArrowArray column, *columns[] = {&column};
  State& state = Of(stream);
  *out = {};
  if (state.lie == kFailsInStream) {
    state.call->host->fail(state.call, CF_E_IO, "the line is dead");
    return EIO;
  }
  if (state.lie == kThrows) throw std::runtime_error("a mistake");
  if (state.is_done) return 0;
  state.is_done = true;
  column = {state.lie == kTooShort ? 2 : 3,
            0,
            0,
            2,
            0,
            buffers,
            nullptr,
            nullptr,
            [](ArrowArray*) {},
            nullptr};
  *out = {
      3,      0, 0, 1, 1, no_buffers, columns, nullptr, [](ArrowArray* a) { a->release = nullptr; },
      nullptr};
  return 0;
}

cf_status Sniff(const cf_call*, const cf_source_input* input, std::int32_t* sure) {
  *sure = std::string_view(input->location).ends_with(".lie") ? CF_SNIFF_CONTENT : CF_SNIFF_NO;
  return CF_OK;
}

cf_status Open(const cf_call* call, const cf_arg* args, std::size_t, const cf_source_input*,
               ArrowArrayStream* out) {
  if (args[0].value.u.i == kFailsInOpen) {
    return call->host->fail(call, CF_E_UNSUPPORTED_DATA, "nothing is in it");
  }
  *out = {GetSchema, GetNext, nullptr,
          [](ArrowArrayStream* s) {
            delete &Of(s);
            s->release = nullptr;
          },
          new State{call, args[0].value.u.i}};
  return CF_OK;
}

const char* const kEndings[] = {"lie"};
const cf_source kSource = [] {
  cf_source source{};
  source.struct_size = sizeof source;
  source.info.id = "org.example.liar";
  source.info.version = "1.0.0";
  source.info.title = "Liar";
  source.info.doc = "Breaks rules.";
  source.info.params = kParams;
  source.info.n_params = 1;
  source.endings = kEndings;
  source.n_endings = 1;
  source.sniff = &Sniff;
  source.open = &Open;
  return source;
}();
const cf_source* const kSources[] = {&kSource};

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"org.example.lies\",\"version\":\"1.0.0\","
    "\"sources\":[\"org.example.liar\"]}");

}  // namespace

extern "C" CF_EXPORT const cf_plugin* crossfold_plugin_v1(std::uint32_t, const cf_host*) {
  static const cf_plugin plugin = [] {
    cf_plugin p{};
    p.magic = CF_ABI_MAGIC;
    p.struct_size = sizeof p;
    p.abi_major = CF_ABI_MAJOR;
    p.abi_minor = CF_ABI_MINOR;
    p.id = "org.example.lies";
    p.version = "1.0.0";
    p.vendor = "Tests";
    p.license = "Apache-2.0";
    p.n_sources = 1;
    p.sources = kSources;
    return p;
  }();
  return &plugin;
}

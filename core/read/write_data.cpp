#include "crossfold/write_data.h"

#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "crossfold/arrow.h"
#include "crossfold/arrow_abi.h"
#include "crossfold/component.h"
#include "crossfold/error.h"
#include "crossfold/spec.h"
#include "crossfold_plugin/source.h"
#include "engine/plugin/plugin_call.h"
#include "read/source_choice.h"

namespace crossfold {
namespace {

const cf_cap_write* WriterOf(const Component& source) {
  return source.capability<cf_cap_write>(CF_CAP_WRITE);
}

// Returns "choose one of arrow, feather", with the endings of the sources that write.
std::string WritableFormats(const PluginHost& host) {
  std::set<std::string> names;
  for (const auto& source : LoadedSources(host)) {
    if (WriterOf(*source) == nullptr) continue;
    for (std::string& ending : EndingsOf(*source)) names.insert(std::move(ending));
  }
  if (names.empty()) return "there is no source that writes";
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  return "choose one of " + listed;
}

std::shared_ptr<const Component> ChooseWriter(const PluginHost& host, const std::string& path,
                                              const std::string& format,
                                              const std::string& attempt) {
  const auto refuse = [&](const std::string& finding) {
    throw Error(ErrorKind::kInvalidArgument, attempt + finding + "; " + WritableFormats(host));
  };
  std::string wanted = format;
  if (wanted.empty()) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending.size() < 2) refuse("its name has no ending that gives the format");
    wanted = ending.substr(1);
  }
  auto source = NamedSource(host, wanted);
  if (source == nullptr) refuse("there is no format '" + wanted + "'");
  if (WriterOf(*source) == nullptr) refuse("source '" + source->id + "' does not write");
  return source;
}

// A stream that is released at the end.
class ExportedStream {
 public:
  explicit ExportedStream(std::shared_ptr<const Dataset> data) {
    ExportArrowStream(std::move(data), &stream_);
  }
  ~ExportedStream() { stream_.release(&stream_); }
  ExportedStream(const ExportedStream&) = delete;
  ExportedStream& operator=(const ExportedStream&) = delete;
  ArrowArrayStream* get() { return &stream_; }

 private:
  ArrowArrayStream stream_{};
};

}  // namespace

void WriteData(const PluginHost& host, const std::shared_ptr<const Dataset>& data,
               const std::string& path, const WriteRequest& request) {
  const std::string attempt = "cannot write '" + path + "': ";
  const auto source = ChooseWriter(host, path, request.format, attempt);
  std::error_code unknown;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, unknown))) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "it exists already; remove it or choose another name");
  }
  const auto spec = Spec::Make(source, request.options);
  ExportedStream columns(data);
  CallOptions options;
  options.cancel = request.cancel;
  options.log = &host.log();
  const CallResult result = CallPlugin(*source, options, [&](const cf_call* call) {
    return WriterOf(*source)->write(call, spec->args().data(), spec->args().size(), path.c_str(),
                                    columns.get());
  });
  if (!result.ok()) throw Error(KindOfStatus(result.status), attempt + result.message);
}

}  // namespace crossfold

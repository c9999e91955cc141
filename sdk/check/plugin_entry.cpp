#include "check/plugin_entry.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <system_error>

#include "crossfold/error.h"
#include "engine/plugin/descriptor.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold::check {
namespace {

// A host table that ends where readable memory ends, so that a plugin that reads more of it than
// its struct_size allows is caught. It stays mapped, but not readable, when it is destroyed:
// nothing else must be placed there.
class GuardedHost {
 public:
  explicit GuardedHost(const cf_host& host) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t size = std::min<std::size_t>(host.struct_size, sizeof(cf_host));
    void* memory =
        ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw Error(ErrorKind::kIo, "cannot make a host: " + std::generic_category().message(errno));
    }
    pages_ = static_cast<char*>(memory);
    page_ = page;
    ::mprotect(pages_ + page, page, PROT_NONE);
    host_ = pages_ + page - size;
    std::memcpy(host_, &host, size);
  }
  ~GuardedHost() { ::mprotect(pages_, page_, PROT_NONE); }
  GuardedHost(const GuardedHost&) = delete;
  GuardedHost& operator=(const GuardedHost&) = delete;

  const cf_host* get() const { return reinterpret_cast<const cf_host*>(host_); }

 private:
  char* pages_ = nullptr;
  std::size_t page_ = 0;
  char* host_ = nullptr;
};

std::string PointerText(const void* pointer) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(pointer));
}

void Add(std::string& text, const std::string& key, const std::string& value) {
  text += key + ": " + value + "\n";
}

void DescribeComponent(const Component& c, std::string& text) {
  Add(text, std::string(KindName(c.kind)), c.id);
  for (const std::string* fact : {&c.version, &c.title, &c.doc, &c.reference})
    Add(text, c.id, *fact);
  Add(text, c.id + " determinism", std::to_string(c.determinism));
  Add(text, c.id + " process_flags", std::to_string(c.process_flags));
  Add(text, c.id + " threading", std::to_string(c.threading));
  for (const ParamSpec& param : c.params) {
    Add(text, c.id + " parameter '" + param.name + "'",
        crossfold::Describe(param) + ", flags " + std::to_string(param.flags) + ", " +
            param.active_if + ", " + param.doc);
  }
  for (const OfferedCapability& offered : c.capabilities) {
    Add(text, c.id + " table of " + offered.id, PointerText(offered.table));
  }
}

}  // namespace

cf_plugin_fn LoadEntry(const std::filesystem::path& file) {
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<cf_plugin_fn>(::dlsym(library, "crossfold_plugin_v1"));
}

Entered Enter(cf_plugin_fn entry, std::uint32_t host_minor, const ProbeOptions& options) {
  ProbeLog log;
  const GuardedHost host(MakeProbeHost(log, options));
  Entered entered;
  try {
    entered.plugin = entry(host_minor, host.get());
    if (entered.plugin == nullptr) {
      entered.problem = "it declines: " + (log.lines.empty() ? "it gave no reason"
                                                             : CleanText(log.lines.back().c_str()));
    }
  } catch (const std::exception& e) {
    entered.problem = "a C++ exception crossed the plugin boundary: " + CleanText(e.what());
  } catch (...) {
    entered.problem = "a C++ exception crossed the plugin boundary: of an unknown type";
  }
  return entered;
}

std::string DescribeTables(const cf_plugin& plugin, const Manifest& manifest) {
  const DescriptorReading reading = ReadDescriptor(plugin, manifest);
  if (!reading.problem.empty()) return "problem: " + reading.problem;
  std::string text;
  Add(text, "vendor", reading.vendor);
  Add(text, "license", reading.license);
  Add(text, "build_info", reading.build_info);
  for (const Component& component : reading.components) DescribeComponent(component, text);
  return text;
}

}  // namespace crossfold::check

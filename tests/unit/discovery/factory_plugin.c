/* A plugin without components of the host's kinds, and with one of a kind of its inventor's. */
#include <crossfold_plugin.h>
#include <string.h>

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"org.example.explains\",\"version\":\"1.0.0\","
    "\"factories\":[\"org.example.explainers/1\"]}");

static const void* CF_CALL GetFactory(const cf_plugin* self, const char* kind) {
  static const char kTable[] = "a table of org.example.explains";
  const int is_mine = strcmp(self->id, "org.example.explains") == 0;
  return is_mine && strcmp(kind, "org.example.explainers/1") == 0 ? kTable : NULL;
}

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  plugin.magic = CF_ABI_MAGIC;
  plugin.struct_size = sizeof(cf_plugin);
  plugin.abi_major = CF_ABI_MAJOR;
  plugin.abi_minor = CF_ABI_MINOR;
  plugin.id = "org.example.explains";
  plugin.version = "1.0.0";
  plugin.vendor = "The Crossfold Authors";
  plugin.license = "MIT";
  plugin.get_factory = GetFactory;
  return &plugin;
}

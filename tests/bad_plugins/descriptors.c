/* Plugins whose descriptor is wrong, or which refuse to give one: one library for each, of the name
 * that CMakeLists.txt gives as DEFECT. */
#include <string.h>

#include "smoother.h"

/* ---- a table of the learner ------------------------------------------------------------------ */

static void DropPredict(SmootherParts* parts) { parts->learner.predict = NULL; }
static void CallVersionLatest(SmootherParts* parts) { parts->learner.info.version = "latest"; }
static void DeclareNoTask(SmootherParts* parts) { parts->learner.tasks = 0; }
static void CutCapability(SmootherParts* parts) { parts->importance.struct_size = 0; }
static void ReverseBounds(SmootherParts* parts) { parts->params[kPower].ilo = 9; }
static void RepeatParameter(SmootherParts* parts) { parts->params[kPower].name = "width"; }
static void RepeatChoice(SmootherParts* parts) {
  static const char* const shapes[] = {"tails", "tails"};
  parts->params[kShape].choices = shapes;
}
static void DependOnNothing(SmootherParts* parts) {
  parts->params[kPower].active_if = "kernel=tails";
}
static void PutDefaultOut(SmootherParts* parts) {
  cf_param* param = &parts->params[kPower];
  param->name = "k";
  param->def.u.i = 0;
  param->ilo = 1;
  param->ihi = 100;
}
static void WorkOnce(SmootherParts* parts) {
  static int n_entries;
  if (++n_entries > 1) parts->learner.fit = NULL;
}

/* ---- the plugin ------------------------------------------------------------------------------ */

static const cf_plugin* TakeMagic(cf_plugin* plugin, uint32_t minor, const cf_host* host) {
  (void)minor, (void)host;
  plugin->magic = 0x12345678u;
  return plugin;
}
static const cf_plugin* TakeOtherId(cf_plugin* plugin, uint32_t minor, const cf_host* host) {
  (void)minor, (void)host;
  plugin->id = "bad.given";
  return plugin;
}
static const cf_plugin* TakeOtherAbi(cf_plugin* plugin, uint32_t minor, const cf_host* host) {
  (void)minor, (void)host;
  plugin->abi_major = 2;
  return plugin;
}
static const cf_plugin* Cut(cf_plugin* plugin, uint32_t minor, const cf_host* host) {
  (void)minor, (void)host;
  plugin->struct_size = 40;
  return plugin;
}
static const cf_plugin* Decline(cf_plugin* plugin, uint32_t minor, const cf_host* host) {
  (void)plugin, (void)minor;
  host->log(host, CF_LOG_INFO, "looking for a graphics card");
  host->log(host, CF_LOG_ERROR, "no graphics card");
  return NULL;
}
static const cf_plugin* DeclineSilently(cf_plugin* plugin, uint32_t minor, const cf_host* host) {
  (void)plugin, (void)minor, (void)host;
  return NULL;
}
static const cf_plugin* RefuseNewer(cf_plugin* plugin, uint32_t minor, const cf_host* host) {
  if (minor <= CF_ABI_MINOR) return plugin;
  host->log(host, CF_LOG_ERROR, "built for another version");
  return NULL;
}

static const struct {
  const char* defect;
  void (*change)(SmootherParts* parts);
  const cf_plugin* (*enter)(cf_plugin* plugin, uint32_t minor, const cf_host* host);
} kDefects[] = {
    {"missing_function", DropPredict, NULL},              /* a mandatory function is missing */
    {"version_without_numbers", CallVersionLatest, NULL}, /* cannot be compared with others */
    {"no_tasks", DeclareNoTask, NULL},                    /* the learner declares no task */
    {"short_capability", CutCapability, NULL},    /* the size of a capability's table is 0 */
    {"bounds_reversed", ReverseBounds, NULL},     /* a lower bound is above the upper one */
    {"repeats_parameter", RepeatParameter, NULL}, /* two parameters have one name */
    {"repeats_choice", RepeatChoice, NULL},       /* a parameter has one choice twice */
    {"active_if_nothing", DependOnNothing, NULL}, /* active by a parameter that there is not */
    {"default_out_of_range", PutDefaultOut, NULL},
    {"entry_works_once", WorkOnce, NULL},
    {"wrong_magic", NULL, TakeMagic},
    {"manifest_disagrees", NULL, TakeOtherId}, /* the manifest has another id */
    {"other_abi", NULL, TakeOtherAbi},         /* another major version than the manifest says */
    {"short_descriptor", NULL, Cut},           /* shorter than version 1.0 */
    {"declines", NULL, Decline},               /* no defect: it says why it does not work here */
    {"declines_silently", NULL, DeclineSilently},
    {"refuses_newer_hosts", NULL, RefuseNewer},
};

CF_MANIFEST(WORKING_MANIFEST("bad." DEFECT));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_plugin plugin;
  size_t i = 0;
  while (strcmp(kDefects[i].defect, DEFECT) != 0) ++i;
  plugin = *EnterSmoother("bad." DEFECT, kDefects[i].change);
  return kDefects[i].enter == NULL ? &plugin : kDefects[i].enter(&plugin, host_abi_minor, host);
}

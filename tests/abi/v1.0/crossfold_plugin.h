/* crossfold_plugin.h: everything a Crossfold plugin and its host say to each other.
 *
 * C99, no dependency. A plugin is a shared library "NAME.crossfold.so" that exports one
 * function, crossfold_plugin_v1, which returns a static cf_plugin. C authors include crossfold_c.h,
 * which writes the tables; C++ authors include crossfold_plugin.hpp, which fills them from plain
 * structs.
 *
 * Rules that hold for every struct and call below:
 *  - An extensible struct starts with struct_size. A reader uses CF_HAS() before it touches a field
 *    that was added after version 1.0. Fields are only ever appended; a struct marked "fixed" never
 *    changes at all.
 *  - A field called `reserved` is 0. A host refuses a component where it is not; a plugin does not
 *    read it.
 *  - Unknown bits. A host refuses a component that sets a bit unknown to it in cf_param.flags,
 *    cf_info.process_flags, cf_splitter.uses or cf_metric.needs, because the component relies on
 *    what the bit asks for. Bits of CF_MAY_BE_IGNORED are the exception: they are hints. Bits of
 *    cf_info.determinism, tasks, accepts and cf_source.promises only grant something; a host
 *    ignores those that it does not know. A plugin ignores unknown bits that a host sets.
 *  - A component that needs a newer host (an unknown bit, parameter type or threading, a `reserved`
 *    field in use) is refused alone; the others of its plugin work. The descriptor may offer fewer
 *    components than the manifest; they are matched by id.
 *  - Whoever allocated frees. Descriptors, parameter tables and capability tables are static for
 *    the life of the process; pointers handed to a call are borrowed until that call returns.
 *  - No exception, longjmp, panic or signal crosses a function pointer of this header.
 *  - Strings are UTF-8 and NUL-terminated unless a length is given. Numbers never travel as text.
 *  - A call that fails returns a cf_status other than CF_OK, the one that it gave host->fail()
 *    together with the reason. Output handles are then NULL and output arrays are ignored.
 *  - Every call says who is called: cf_call.self, or the parameter `self`, is the cf_info in the
 *    called component's own table. So one function may serve many components.
 *  - A plugin is never unloaded, and two hosts in one process may enter it: keep no host pointer.
 *  - Thread tags: [any] = from any thread, at the same time as anything else.
 *                 [threading] = as the component's cf_info.threading declares. */
#ifndef CROSSFOLD_PLUGIN_H
#define CROSSFOLD_PLUGIN_H

#include "crossfold_plugin/arrow.h"
#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/data.h"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/learner.h"
#include "crossfold_plugin/metric.h"
#include "crossfold_plugin/param.h"
#include "crossfold_plugin/source.h"
#include "crossfold_plugin/splitter.h"
#include "crossfold_plugin/status.h"
#include "crossfold_plugin/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the one exported symbol ------------------------------------------------------------------
 */

typedef struct cf_plugin cf_plugin;
struct cf_plugin {
  uint32_t magic; /* CF_ABI_MAGIC */
  uint32_t struct_size;
  uint32_t abi_major, abi_minor; /* of the header it was built with */
  const char* id;                /* "org.example.neighbours" */
  const char* version;
  const char* vendor;
  const char* license;    /* SPDX expression */
  const char* build_info; /* compiler and flags, for reports; may be NULL */
  size_t n_learners;
  const cf_learner* const* learners;
  size_t n_transforms;
  const cf_transform* const* transforms;
  size_t n_splitters;
  const cf_splitter* const* splitters;
  size_t n_metrics;
  const cf_metric* const* metrics;
  size_t n_sources;
  const cf_source* const* sources;
  /* [any] A static table of components of a kind that this header does not have, whose layout its
   * inventor documents, such as "org.example.explainers/1"; or NULL. May itself be NULL. The
   * manifest lists these kinds under "factories". */
  const void*(CF_CALL* get_factory)(const cf_plugin* self, const char* kind);
};

/* Must be cheap; must not start threads, touch files, locale, signals or the floating-point
 * environment; may be called again and from two hosts. NULL = this plugin cannot serve such a host
 * (it has said why with host->log). */
CF_EXPORT const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor,
                                                       const cf_host* host);
typedef const cf_plugin*(CF_CALL* cf_plugin_fn)(uint32_t, const cf_host*);

/* What a host reads before it loads the library: a JSON object in the section
 * ".crossfold.manifest",
 *   {"crossfold":1,"abi_minor":0,"id":"org.example.neighbours","version":"1.0.0",
 *    "learners":["org.example.knn"]}
 * with the ids of all components under "learners", "transforms", "splitters", "metrics" and
 * "sources"; a kind without components may be left out. Other keys are ignored.
 * `retain` keeps it through --gc-sections. C authors write CF_MANIFEST("{...}"); the C++ macro
 * makes it from the components. */
#define CF_MANIFEST_SECTION ".crossfold.manifest"
#if defined(__GNUC__)
#define CF_MANIFEST_ATTRIBUTES __attribute__((used, retain, section(CF_MANIFEST_SECTION)))
#define CF_MANIFEST(json) CF_MANIFEST_ATTRIBUTES static const char cf_manifest_text[] = json
#endif

/* The layout is frozen; these stop a build in which it moved (64-bit targets). */
#define CF_LAYOUT(name, condition) typedef char cf_layout_##name[(condition) ? 1 : -1]
#if UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu
CF_LAYOUT(column, sizeof(cf_column) == 72 && offsetof(cf_column, validity_offset) == 56);
CF_LAYOUT(table, sizeof(cf_table) == 80 && offsetof(cf_table, rows) == 24);
CF_LAYOUT(prediction, sizeof(cf_prediction) == 48);
CF_LAYOUT(prediction_view, sizeof(cf_prediction_view) == 48);
CF_LAYOUT(host, sizeof(cf_host) == 80 && offsetof(cf_host, fail) == 48);
CF_LAYOUT(call, sizeof(cf_call) == 40 && offsetof(cf_call, self) == 32);
CF_LAYOUT(value, sizeof(cf_value) == 24 && offsetof(cf_value, u) == 8);
CF_LAYOUT(param, sizeof(cf_param) == 120 && offsetof(cf_param, def) == 32);
CF_LAYOUT(arg, sizeof(cf_arg) == 32);
CF_LAYOUT(info, sizeof(cf_info) == 80 && offsetof(cf_info, data) == 72);
CF_LAYOUT(learner, sizeof(cf_learner) == 128 && offsetof(cf_learner, fit) == 96);
CF_LAYOUT(transform, sizeof(cf_transform) == 128 && offsetof(cf_transform, fit) == 96);
CF_LAYOUT(split_input, sizeof(cf_split_input) == 104 && offsetof(cf_split_input, strata) == 80);
CF_LAYOUT(splitter, sizeof(cf_splitter) == 104 && offsetof(cf_splitter, split) == 88);
CF_LAYOUT(metric_input, sizeof(cf_metric_input) == 120);
CF_LAYOUT(metric, sizeof(cf_metric) == 128 && offsetof(cf_metric, score) == 112);
CF_LAYOUT(column_hint, sizeof(cf_column_hint) == 40);
CF_LAYOUT(source_input, sizeof(cf_source_input) == 64 && offsetof(cf_source_input, hints) == 48);
CF_LAYOUT(source, sizeof(cf_source) == 144 && offsetof(cf_source, sniff) == 120);
CF_LAYOUT(plugin, sizeof(cf_plugin) == 144 && offsetof(cf_plugin, n_sources) == 120);
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif

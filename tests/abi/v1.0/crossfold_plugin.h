/* crossfold_plugin.h: everything a Crossfold plugin and its host say to each other.
 *
 * C99, no dependency. A plugin is a shared library "NAME.crossfold.so" that exports one
 * function, crossfold_plugin_v1, which returns a static cf_plugin. C++ authors include
 * crossfold_plugin.hpp instead, which fills these tables from plain structs.
 *
 * Rules that hold for every struct and call below:
 *  - An extensible struct starts with struct_size. A reader uses CF_HAS() before it touches a field
 *    that was added after version 1.0. Fields are only ever appended; a struct marked "fixed" never
 *    changes at all.
 *  - Whoever allocated frees. Descriptors, parameter tables and capability tables are static for
 *    the life of the process; pointers handed to a call are borrowed until that call returns.
 *  - No exception, longjmp, panic or signal crosses a function pointer of this header.
 *  - Strings are UTF-8 and NUL-terminated unless a length is given. Numbers never travel as text.
 *  - A call that fails returns a cf_status other than CF_OK and has said why with host->fail().
 *    Output handles are then NULL and output arrays are ignored.
 *  - A plugin is never unloaded, and two hosts in one process may enter it: keep no host pointer.
 *  - Thread tags: [any] = from any thread, at the same time as anything else.
 *                 [threading] = as the component's cf_info.threading declares. */
#ifndef CROSSFOLD_PLUGIN_H
#define CROSSFOLD_PLUGIN_H

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/data.h"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/learner.h"
#include "crossfold_plugin/metric.h"
#include "crossfold_plugin/param.h"
#include "crossfold_plugin/splitter.h"
#include "crossfold_plugin/status.h"
#include "crossfold_plugin/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the one exported symbol ------------------------------------------------------------------
 */

typedef struct cf_plugin {
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
} cf_plugin;

/* Must be cheap; must not start threads, touch files, locale, signals or the floating-point
 * environment; may be called again and from two hosts. NULL = this plugin cannot serve such a host
 * (it has said why with host->log). */
CF_EXPORT const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor,
                                                       const cf_host* host);
typedef const cf_plugin*(CF_CALL* cf_plugin_fn)(uint32_t, const cf_host*);

/* What a host reads before it loads the library: a JSON object in the section
 * ".crossfold.manifest",
 *   {"crossfold":1,"abi_minor":0,"id":"org.example.neighbours","version":"1.0.0",
 *    "learners":["org.example.knn"],"transforms":[],"splitters":[],"metrics":[]}
 * with the component ids in the order of the cf_plugin's lists.
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
CF_LAYOUT(column, sizeof(cf_column) == 64 && offsetof(cf_column, validity_offset) == 56);
CF_LAYOUT(table, sizeof(cf_table) == 80 && offsetof(cf_table, rows) == 24);
CF_LAYOUT(prediction, sizeof(cf_prediction) == 48);
CF_LAYOUT(host, sizeof(cf_host) == 80 && offsetof(cf_host, fail) == 48);
CF_LAYOUT(call, sizeof(cf_call) == 32 && offsetof(cf_call, seed) == 24);
CF_LAYOUT(value, sizeof(cf_value) == 24 && offsetof(cf_value, u) == 8);
CF_LAYOUT(param, sizeof(cf_param) == 120 && offsetof(cf_param, def) == 32);
CF_LAYOUT(arg, sizeof(cf_arg) == 32);
CF_LAYOUT(info, sizeof(cf_info) == 72);
CF_LAYOUT(learner, sizeof(cf_learner) == 120 && offsetof(cf_learner, fit) == 88);
CF_LAYOUT(transform, sizeof(cf_transform) == 120 && offsetof(cf_transform, fit) == 88);
CF_LAYOUT(split_input, sizeof(cf_split_input) == 88 && offsetof(cf_split_input, strata) == 80);
CF_LAYOUT(splitter, sizeof(cf_splitter) == 96 && offsetof(cf_splitter, split) == 80);
CF_LAYOUT(metric_input, sizeof(cf_metric_input) == 120);
CF_LAYOUT(metric, sizeof(cf_metric) == 120 && offsetof(cf_metric, score) == 104);
CF_LAYOUT(plugin, sizeof(cf_plugin) == 120 && offsetof(cf_plugin, n_learners) == 56);
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif

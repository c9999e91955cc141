/* What every other header of the boundary builds on: versions, calling convention, status codes.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_STATUS_H
#define CROSSFOLD_PLUGIN_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CF_ABI_MAGIC 0x444C4658u /* "XFLD" in memory on a little-endian machine */
#define CF_ABI_MAJOR 1u          /* the name of the entry function changes with it */
#define CF_ABI_MINOR 0u          /* appended fields */

#if defined(_WIN32)
#define CF_CALL __cdecl
#define CF_EXPORT __declspec(dllexport)
#else
#define CF_CALL
#define CF_EXPORT __attribute__((visibility("default")))
#endif

/* Bits that a reader may ignore without asking. The other half of a set of flags changes what is
 * asked for: a reader that does not know such a bit refuses. */
#define CF_MAY_BE_IGNORED 0xFFFF0000u

/* True if the struct at `p` is new enough to have `field`. */
#define CF_HAS(p, T, field) \
  ((p) != NULL && (size_t)(p)->struct_size >= offsetof(T, field) + sizeof((p)->field))

/* ---- status ------------------------------------------------------------------------------- */

typedef int32_t cf_status;
enum {
  CF_OK = 0,
  CF_E_INVALID_ARGUMENT = 1, /* the call itself is wrong: a bug of the host or of this plugin */
  CF_E_INVALID_PARAM = 2,    /* a parameter value that the declaration could not exclude */
  CF_E_UNSUPPORTED_DATA = 3, /* the method cannot learn from such data at all */
  CF_E_NOT_CONVERGED = 4,
  CF_E_NUMERIC = 5, /* overflow, singular matrix, no finite answer */
  CF_E_OUT_OF_MEMORY = 6,
  CF_E_CANCELLED = 7,
  CF_E_BAD_BLOB = 8, /* a serialised model that cannot be read */
  CF_E_UNSUPPORTED = 9,
  CF_E_UNDEFINED = 10, /* metrics only: no value exists here; fail() gives the reason */
  CF_E_IO = 11,        /* a file or service cannot be read, or a disk is full */
  CF_E_INTERNAL = 100
};

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif

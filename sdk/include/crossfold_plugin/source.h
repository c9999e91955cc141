/* A source reads data: it turns a path or URI into columns. So formats are plugins, and a host
 * knows none. Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_SOURCE_H
#define CROSSFOLD_PLUGIN_SOURCE_H

#include "crossfold_plugin/arrow.h"
#include "crossfold_plugin/data.h"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/param.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- source: sniff*, (open, then the stream: get_schema, get_next*, release)* ---------------- */

/* cf_column_hint.flags. A source ignores other bits. */
enum {
  /* The user asked for this type: an entry that does not fit it is an error that names its place.
   * Without it the type is a wish, and a column that does not fit keeps its own. */
  CF_HINT_FIRM = 1u,
  CF_HINT_ORDERED = 2u,   /* the levels have an order */
  CF_HINT_CLOSED = 4u,    /* another level than these is an error that names its place */
  CF_HINT_UNUSED = 8u,    /* nobody needs the column: give it as an Arrow null column ("n") */
  CF_HINT_COMPLETE = 16u, /* a missing entry is an error: a source that knows where it stands names
                             the place, and the host refuses it otherwise */
  CF_HINT_DROP_MISSING = 32u /* the host leaves out rows without an entry here; an entry that is
                                missing elsewhere in such a row is no error */
};

/* What is wanted of the column of that name. A hint for a column that does not exist is ignored;
 * the host reports it. */
typedef struct cf_column_hint {
  uint32_t struct_size;
  uint32_t flags; /* CF_HINT_... */
  const char* name;
  int32_t dtype;    /* CF_F64 ... CF_CAT32; 0 = whatever the source finds */
  int32_t n_levels; /* CF_CAT32: the first levels, distinct; 0 = none given */
  const char* const* levels;
  const char* role; /* "target", "weights", "groups", "time", "folds", "strata" or "row_costs"; NULL
                       = none */
} cf_column_hint;

/* cf_source_input.flags. A source ignores other bits. */
enum {
  /* What names the location and the parameters must not hold up the host, such as a script in a
   * sandbox. The source refuses what it could not cancel within a second. */
  CF_INPUT_NOT_TRUSTED = 1u
};

/* What to read, and how. */
typedef struct cf_source_input {
  uint32_t struct_size;
  uint32_t flags;       /* CF_INPUT_... */
  const char* location; /* a path or URI, as the user gave it */
  const uint8_t* head;  /* the first bytes of a regular file; NULL = it is none, or not readable */
  int64_t n_head;       /* at least 4096, or all that the file has */
  int64_t n_bytes;      /* of the file; -1 = not known */
  int64_t max_bytes;    /* that the columns may take, about; INT64_MAX = no limit */
  const cf_column_hint* const* hints; /* n_hints of them; sniff() gets none */
  size_t n_hints;
} cf_source_input;

/* How sure sniff() is. Other numbers between 0 and 100 order the rest. */
enum {
  CF_SNIFF_NO = 0,       /* open() would refuse it */
  CF_SNIFF_GUESS = 1,    /* nothing speaks against it */
  CF_SNIFF_NAME = 50,    /* the ending of the name, or the scheme of the URI */
  CF_SNIFF_CONTENT = 100 /* the first bytes leave no doubt */
};

/* cf_source.promises */
enum {
  /* Reads nothing but the file at `location`, and files that belong to it by its format (the
   * journal of a database). Only such sources are used in a sandbox. */
  CF_SOURCE_READS_ONE_FILE = 1u
};

/* A stream of columns follows the specification of Arrow, and these rules:
 *  - Its schema is a struct ("+s"); a child is a column. The names are not empty and distinct.
 *  - Taken without a copy, if the stream gives one array with the offset 0: float64, float32,
 * int64, int32, and dictionaries of utf8 with int32 indices, which are categories. An index of -1
 * is a missing entry, and so is a NaN. Levels keep the order of the dictionary; with
 *    ARROW_FLAG_DICTIONARY_ORDERED they have one.
 *  - Converted: other integers, booleans, utf8 (a category whose levels are sorted), dates, times
 *    and timestamps (whole numbers of their unit). Refused, by the name of the column: the rest.
 *  - The metadata "crossfold.role" of a column, with a value as in cf_column_hint.role, is its role
 *    unless the user names another column for it.
 *  - The functions of the stream are called by one thread at a time, get_schema() once before the
 *    first get_next(). Arrays outlive the stream and the call; any thread may release them. They
 *    hold no scratch memory.
 *  - An error of a function is a call of host->fail() with the reason, or get_last_error(). */
typedef struct cf_source {
  uint32_t struct_size;
  uint32_t promises; /* CF_SOURCE_... */
  cf_info info;
  const char* const* endings; /* of names, without the dot: "csv"; n_endings of them */
  size_t n_endings;
  const char* const* schemes; /* of URIs: "s3"; n_schemes of them */
  size_t n_schemes;
  /* [threading] How sure the source is that it can read this. Cheap: looks at the name and `head`,
   * and opens nothing. */
  cf_status(CF_CALL* sniff)(const cf_call*, const cf_source_input*, int32_t* sure);
  /* [threading] Starts to read. `call`, `args` and `input` stay valid until `out` is released, so
   * get_next() may use them: for threads, cancellation, failures. */
  cf_status(CF_CALL* open)(const cf_call*, const cf_arg*, size_t n_args, const cf_source_input*,
                           struct ArrowArrayStream* out);
  /* [any] A static table for one of the CF_CAP_ ids, or NULL. May itself be NULL. */
  const void*(CF_CALL* get_capability)(const cf_info* self, const char* id);
} cf_source;

/* Sources that can write the format, too.
 * Law: reading what was written gives the same columns: names, entries, missing entries, levels and
 * their order. */
#define CF_CAP_WRITE "crossfold.write/1"
typedef struct cf_cap_write {
  uint32_t struct_size, reserved; /* 0 */
  /* Writes a new file at `path`, or leaves none. The host owns `columns` and releases it. */
  cf_status(CF_CALL* write)(const cf_call*, const cf_arg*, size_t n_args, const char* path,
                            struct ArrowArrayStream* columns);
} cf_cap_write;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif

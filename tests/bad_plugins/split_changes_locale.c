/* Defect: it changes the locale and leaves it so. */
#include "broken_splitter.h"

#include <locale.h>

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  setlocale(LC_ALL, "C.UTF-8");
  return WorkingSplit(call, args, n_args, input, sink);
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }

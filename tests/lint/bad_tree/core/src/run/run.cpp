#include <oneapi/tbb/info.h>
#include "stats/own.h"
#include "crossfold/error.h"

/* Defect: the value that is declared as the best cannot be reached. */
#include "broken_metric.h"

static void Break(cf_metric* metric) { metric->best = 2; }

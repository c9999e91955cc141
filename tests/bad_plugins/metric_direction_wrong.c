/* Defect: more is better, but it is declared as worse. */
#include "broken_metric.h"

static void Break(cf_metric* metric) { metric->direction = -1; }

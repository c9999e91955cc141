/* Defect: the worst value is declared as the best. */
#include "broken_metric.h"

static void Break(cf_metric* metric) {
  metric->worst = 0.9;
  metric->best = 1;
}

#include "stats/own.h"

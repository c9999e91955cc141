#include <lua.hpp>
#include <nlohmann/json.hpp>
#include "run/run.h"

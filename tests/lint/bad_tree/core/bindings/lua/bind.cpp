#include <lua.hpp>
#include <nlohmann/json.hpp>
#include "engine/run/run.h"

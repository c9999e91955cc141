#include "engine/run/run.h"
#include <CLI/CLI.hpp>
#include <iostream>
#include <regex>
#include <sqlite3.h>

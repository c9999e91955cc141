std = "lua54"
self = false  -- methods need not use self

-- LuaUnit finds test classes as globals; the runners set data_folder and sanitized.
files["tests/scripts"] = { allow_defined_top = true, read_globals = { "data_folder", "sanitized" } }
files["tests/cluster"] = { allow_defined_top = true, globals = { "arg" } }
files["tests/cli"] = { allow_defined_top = true, globals = { "arg" } }
files["tests/package"] = { allow_defined_top = true, globals = { "arg" } }
files["tests/onnx"] = { allow_defined_top = true, globals = { "arg" } }
-- Definitions for editors: empty functions.
-- Texts of pages.
files["docs/reference/option_tables.lua"] = { max_string_line_length = false }

-- Runs the program in a process of its own, so that a plugin that crashes or does not end harms nothing else.
local program = {}

local seconds = 60
program.most_shown = 64 * 1024 -- bytes of an output that are shown
local most_read = 16 * 1024 * 1024

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function read_file(path, most)
  local file = io.open(path, "rb")
  if not file then return "" end
  local text = file:read(most) or ""
  file:close()
  return text
end

program.too_long = ("it did not end within %d seconds"):format(seconds)

local function how_it_ended(how, code)
  if code == 124 or code == 137 then return program.too_long end
  if how == "signal" or code > 128 then
    return ("signal %d ended it"):format(code > 128 and code - 128 or code)
  end
  return ("it ended with status %d"):format(code)
end

-- Runs `PROGRAM --plugin-path plugin arguments...` in `folder`, without the user's own plugins. Returns what it writes
-- to standard output and to standard error, and nil or how it failed. The output goes to files beside the folder, which
-- a process that the plugin has started cannot keep open. `host` = { program = (its path), cancelled = (a function) }.
function program.run(host, plugin, folder, arguments)
  if host.cancelled() then return "", "", "it was cancelled" end
  local words = { quoted(host.program), "--quiet", "--plugin-path", quoted(plugin) }
  for _, argument in ipairs(arguments) do words[#words + 1] = quoted(argument) end
  local output, errors = folder .. ".output", folder .. ".errors"
  -- In the foreground, so that Ctrl-C reaches the program; os.execute would keep it from this one.
  local line = ("cd %s && XDG_DATA_HOME=%s CROSSFOLD_PLUGIN_PATH= timeout --foreground -k 5 %d %s </dev/null >%s 2>%s")
    :format(quoted(folder), quoted(folder), seconds, table.concat(words, " "), quoted(output), quoted(errors))
  local is_ok, how, code = assert(io.popen(line)):close()
  return read_file(output, most_read), read_file(errors, program.most_shown),
    not is_ok and how_it_ended(how, code) or nil
end

return program

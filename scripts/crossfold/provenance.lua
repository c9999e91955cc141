-- Where numbers come from, as plain rows: learners with the plugin inside, datasets with their hash.
local native = require "crossfold.native"

local provenance = {}

-- { name =, learner = its definition, plugin =, plugin_version =, plugin_sha256 = }; a learner in Lua has
-- the plugin of the learner that it is made of, or none.
function provenance.learner(name, spec)
  local inside = spec
  while native.kind(inside) ~= "learner" and inside.learner do inside = inside.learner end
  local row = { name = name, learner = tostring(spec) }
  if native.kind(inside) == "learner" then
    row.plugin, row.plugin_version, row.plugin_sha256 = native.plugin_of(inside)
  end
  return row
end

function provenance.dataset(name, data) return { name = name, rows = #data, hash = data:hash() } end

return provenance

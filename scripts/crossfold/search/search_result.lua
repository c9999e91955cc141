-- What a search reports of its choice (see search:fit and result:tuning), with methods that repeat the choice on the
-- predictions that the search kept: corrected() and confidence_set().
local native = require "crossfold.native"
local confidence_set = require "crossfold.search.confidence_set"
local corrected = require "crossfold.search.corrected"
local options = require "crossfold.options"

local search_result = {}

local methods = options.class "crossfold.SearchResult"

-- What the methods need, by the table of a search. It does not go into a store.
local sources = setmetatable({}, { __mode = "k" })

-- What is to be said of the candidates in lists of entries that have the worst value of the metric in some inner folds,
-- because they have none there for their prediction; "" if there are none.
function search_result.note_worst(lists, metric_name)
  local n, first = 0, nil
  for _, entries in ipairs(lists) do
    for _, entry in ipairs(entries) do
      if entry.as_worst then n, first = n + 1, first or entry end
    end
  end
  if n == 0 then return "" end
  return ("\n(%d %s no %s in some inner folds because of the predictions, which count as the worst value there; the "
    .. "first: %s, %d of %d: %s)"):format(n, n == 1 and "candidate has" or "candidates have", metric_name,
      first.candidate, first.as_worst, first.n_folds, first.why_worst)
end

function methods:__tostring()
  if not self.candidate then return ("nothing chosen among %d candidates"):format(#(self.inner or {})) end
  return ("%s of %d candidates: %s %s, optimistic, as it made the choice"):format(self.candidate, #self.inner,
    self.metric, native.format_number(self.mean, 4)) .. search_result.note_worst({ self.inner }, self.metric)
end

-- Gives the table `detail` its methods. `source` = { search =, board =, entries =, places =, direction =, test_share =,
-- place = the one chosen, n_dropped = candidates that were left out before the choice }.
function search_result.new(detail, source)
  sources[detail] = source
  return setmetatable(detail, methods)
end

-- Gives `row`, a copy of the fields of `detail`, the methods of that if it has them.
function search_result.as(row, detail)
  if not (type(detail) == "table" and detail.inner and detail.metric) then return row end
  sources[row] = sources[detail]
  return setmetatable(row, methods)
end

local function source_of(self, what)
  local source = sources[self]
  if not source then
    native.fail("%s: a result that was read from a store has no predictions of the candidates; run its script again "
      .. "with the store, which fits nothing again", what)
  end
  if not self.candidate then native.fail("%s: the search chose nothing", what) end
  if source.board.predictions then return source end
  native.fail("%s: the predictions of the candidates were not kept: %s", what,
    source.board.unkept or "the search does not keep them")
end

function methods:corrected(given)
  local o = options.check("corrected", given, corrected.options)
  return corrected.of(source_of(self, "corrected"), o)
end

function methods:confidence_set(given)
  local o = options.check("confidence_set", given, confidence_set.options)
  return confidence_set.of(source_of(self, "confidence_set"), o)
end

options.methods(methods, { "corrected", "confidence_set" }, "search_result:", { "corrected", "confidence_set" })

return search_result

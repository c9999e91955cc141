-- Defines imported predictions as a learner: a composite that gives what another tool predicted for the test rows
-- of a split, and cannot be fitted. evaluate.lua runs it on its own splits, and on no others.
local native = require "crossfold.native"

local imported = {}
imported.__index = imported
imported.__name = "crossfold.Imported"

-- of: { name =, source = { text =, sha256 = }, data =, splits =, folds = } with the prediction of each split:
-- folds[s] = { labels =, values =, probabilities = } by row id, or { failed = true } if the tool gave none.
function imported.new(of) return setmetatable(of, imported) end

function imported.is(value) return getmetatable(value) == imported end

function imported:__tostring() return "imported from " .. self.source.text end

local function refuse(self, attempt, finding)
  native.fail("cannot %s '%s': it is the predictions %s, %s", attempt, self.name, tostring(self), finding)
end

function imported:fit()
  refuse(self, "fit", "not a method; use it in cf.evaluate with the splits that they were made on")
end

-- Raises unless `data` are those that were predicted.
function imported:check(data)
  if data:hash() ~= self.data:hash() then
    refuse(self, "evaluate", ("which are of other data than '%s' (rows, columns, their order or roles differ); "
      .. "import them again with data = these"):format(data:name()))
  end
end

-- Raises unless `splits` are those that were predicted.
function imported:check_splits(splits)
  if self.splits:same(splits) then return end
  refuse(self, "evaluate", ("which were made on other folds than these %s, so scores of the two are not pairs; "
    .. "evaluate all learners on the imported ones, with splitter = imported:splits()"):format(tostring(splits)))
end

-- As fitting.predict_on_split: the prediction of a split, and the sizes of both parts. The number of training rows is
-- nil if nobody knows it.
function imported:predict_on_split(splits, split)
  local fold = self.folds[split]
  if fold.failed then native.fail("%s has no predictions of this fold", self.source.text) end
  local test = splits:test(split)
  local answer = {}
  for name, by_row in pairs(fold) do
    local list = {}
    for i, id in ipairs(test:row_ids()) do list[i] = by_row[id] end
    answer[name] = list
  end
  local n_train = splits:trains() and #splits:train(split) or nil
  return native.prediction(test, answer), n_train, #test
end

return imported

-- Keeps the out-of-fold predictions of the candidates of a search, from which search/corrected.lua and
-- search/confidence_set.lua repeat the choice without a fit. They take memory, so a search keeps them up to a limit,
-- which is lower inside an experiment, where many searches run. Option `keep_inner` decides instead.
local native = require "crossfold.native"
local metric = require "crossfold.metric"
local run = require "crossfold.run"

local kept_predictions = {}

local mebibyte = 1 << 20
kept_predictions.limits = { alone = 64 * mebibyte, inside = 2 * mebibyte }

-- The option of a search.
kept_predictions.option = { "boolean",
  doc = "Whether the predictions of all candidates are kept, for `corrected` and `confidence_set`; default: if they "
    .. "take up to 64 MiB, or up to 2 MiB in a search inside an experiment." }

local function size_text(bytes) return ("%s MiB"):format(native.format_number(bytes / mebibyte, 1)) end

-- Why the predictions of n candidates are not kept; nil if they are.
local function too_large(search, splits, n, probabilities)
  local bytes, left = native.inner_bytes(splits, probabilities)
  bytes = bytes * n
  if left and bytes > left // 4 then
    return ("they take %s, more than a quarter of what is left of the sandbox's memory"):format(size_text(bytes))
  end
  if search.keep_inner then return nil end
  local inside = run.defaults().purpose ~= nil
  local limit = inside and kept_predictions.limits.inside or kept_predictions.limits.alone
  if bytes <= limit then return nil end
  return ("they take %s, and a search%s keeps up to %s; give it keep_inner = true"):format(size_text(bytes),
    inside and " inside an experiment" or "", size_text(limit))
end

-- What the cells of the candidates `live` keep of their predictions on `splits`: "none", "labels" or
-- "probabilities". Board `board` gets a place for them, or `unkept`, the reason why there is none.
function kept_predictions.wanted(board, search, live, splits)
  if board.unkept then return "none" end
  local probabilities = metric.needs_probabilities(search.metrics[1])
  for _, c in ipairs(live) do
    if not board.rows[c].keeps then
      board.rows[c].keeps, board.n_kept = true, (board.n_kept or 0) + 1
    end
  end
  board.unkept = search.keep_inner == false and "keep_inner = false"
    or too_large(search, splits, board.n_kept, probabilities)
  if board.unkept then
    board.predictions = nil
    return "none"
  end
  if not board.predictions and not native.planning() then
    board.predictions = native.inner_predictions(splits, probabilities)
    board.splits, board.has_probabilities = splits, probabilities
  end
  return probabilities and "probabilities" or "labels"
end

-- Keeps the prediction of candidate c for the test rows of a fold, if any are kept.
function kept_predictions.add(board, c, fold, prediction)
  if board.predictions and prediction then board.predictions:add(c, fold, prediction) end
end

return kept_predictions

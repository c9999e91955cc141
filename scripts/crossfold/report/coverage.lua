-- Writes the section on the intervals and class sets of learners made by cf.conformal: what is covered of the test
-- rows, and whether that changes in their order or by the true class.
local contents = require "crossfold.report.contents"
local html = require "crossfold.report.html"
local measured = require "crossfold.conformal.coverage"

local coverage = {}

local most_jobs = 12
local n_blocks = 5
local fewest_rows = 100  -- of blocks

local function columns_of(found)
  return {
    { title = "part", head = true }, { title = "rows", number = true },
    { title = "coverage", number = true, decimals = 3 },
    { title = "from", number = true, decimals = 3 }, { title = "to", number = true, decimals = 3 },
    { title = found.of_sets and "mean size" or "mean width", key = "width", number = true },
    { title = "infinite", number = true },
  }
end

local function of_job(page, self, job)
  local of = self.result:coverage { learner = job.learner_name, dataset = job.dataset }
  if of.lines[1].rows >= fewest_rows then
    of = self.result:coverage { learner = job.learner_name, dataset = job.dataset, blocks = n_blocks,
      by = of.of_sets and job.data and job.data:roles().target or nil }
  end
  local rows = {}
  for i, line in ipairs(of.lines) do
    rows[i] = { part = line.kind == "by" and ("%s = %s"):format(of.by, line.name) or line.name, rows = line.rows,
      coverage = line.coverage, from = line.low, to = line.high, width = line.width,
      infinite = line.infinite > 0 and line.infinite or nil }
  end
  local title = job.learner_name .. (#self.datasets > 1 and " on " .. job.dataset or "")
  local text = {}
  for sentence in of:sentence():gmatch("[^\n]+") do text[#text + 1] = html.paragraph(sentence) end
  return page:heading(title) .. table.concat(text)
    .. html.table(("Measured coverage of '%s'"):format(job.learner_name), columns_of(of), rows)
end

function coverage.write(page, self)
  local out, more = {}, 0
  for _, dataset in ipairs(self.datasets) do
    for _, learner in ipairs(self.learners) do
      local job = contents.job(self, learner, dataset)
      if job and measured.has(job) then
        if #out < most_jobs then out[#out + 1] = of_job(page, self, job) else more = more + 1 end
      end
    end
  end
  if #out == 0 then return nil, "no learner gives intervals or class sets (cf.conformal makes one that does)" end
  if more > 0 then
    out[#out + 1] = html.paragraph(("%s left out: result:coverage has them."):format(
      html.count(more, "more learner is", "more learners are")), "note")
  end
  return table.concat(out)
end

return coverage

-- The table of subjects: what is measured, along which axis, and how fast it may grow.
--   theme   the file of subjects/ that has it
--   axis    what grows: rows, columns, levels, classes, folds, candidates, cells, learners ...
--   name    of the subject: axis/what
--   time, memory   the exponents that the method must have at most; logarithms do not count
--   from, to       the sizes: 1, 2 and 5 times powers of ten; a run stops before a size that would take too long
--   why     where an exponent is above 1: why the method must have it
--   quick   measured by --quick, too
--   make(n, folder)   prepares size n and returns the function that is measured; `folder` is for files
local subjects = { list = {} }

local function adder(theme)
  return function(axis, name, o)
    subjects.list[#subjects.list + 1] = {
      theme = theme, axis = axis, name = ("%s/%s"):format(axis, name), time = o.time or 1, memory = o.memory or 1,
      from = o.from or 1000, to = o.to or 1000000, quick = o.quick, why = o.why, make = o[1],
    }
  end
end

for _, theme in ipairs { "learners", "parts", "metrics", "folds", "searches", "cells", "reading" } do
  require("subjects." .. theme)(adder(theme))
end

return subjects

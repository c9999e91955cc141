-- A comment in front of code.
local told = "a string that is mended" .. 'on call 1' --[[ and one
of several lines, read anew ]]
return told .. [[for the 3. time]], "it\"s behind"

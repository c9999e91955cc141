-- The pages of the guide in the order of its navigation, docs/guide/mkdocs.yml below the folder `root`. A page with a
-- title of its own ("- All components: ...") is not a file: docs/guide/hooks.py makes it.
return function(root)
  local pages = {}
  for line in io.lines(root .. "/docs/guide/mkdocs.yml") do
    local page = line:match("^%s*%- ([%w_/]+%.md)$")
    if page then pages[#pages + 1] = "docs/" .. page end
  end
  return pages
end

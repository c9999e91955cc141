return { { title = "Start", pages = { "docs/listed.md", "docs/gone.md", "docs/listed.md" } } }

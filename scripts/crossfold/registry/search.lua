-- Holds the script of the list of plugins: it shows the rows that have every word of the search field, which
-- index.html?q=WORDS fills in. The field is hidden where scripts do not run. The test of the pages checks that hash and
-- text agree.
local search = {}

search.text = [[
"use strict";
(() => {
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const rows = [...document.querySelectorAll("#plugin-list tbody tr")]
    .map((row) => [row, row.textContent.toLowerCase()]);
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    let n = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      n += row.hidden ? 0 : 1;
    }
    found.textContent = n + " of " + rows.length;
  };
  field.value = new URLSearchParams(location.search).get("q") || "";
  document.getElementById("search-box").hidden = false;
  field.addEventListener("input", show);
  show();
})();
]]

-- SHA-256 of the text, in base64.
search.sha256 = "zqOdCJfOvUgE1upo/oNcTgX8T2RUmZzU3KD4sn13XlM="

return search

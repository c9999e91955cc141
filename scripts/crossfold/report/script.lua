-- Holds the only script of the page. It shows the values of a mark at once (a browser alone takes a second, and on a
-- phone shows none), sorts tables by a column, and opens what is folded away while the page is printed, in
-- browsers whose style sheets cannot (report/style.lua asks the others). The page is complete without it. Its
-- hash stands in the policy of the page, so that no other script runs there, whatever a name in the data
-- contains; tests/report checks that hash and text agree.
local script = {}

script.text = [[
"use strict";
(() => {
  const box = document.createElement("div");
  box.id = "hover";
  box.hidden = true;
  document.body.append(box);
  const valueOf = (target) => {
    for (let node = target; node && node.nodeName.toLowerCase() !== "svg"; node = node.parentNode) {
      if (node.nodeType !== 1) return "";
      if (node.dataset && node.dataset.value) return node.dataset.value;
      const title = node.querySelector(":scope > title");
      if (title) {
        node.dataset.value = title.textContent;
        node.setAttribute("aria-label", title.textContent);
        title.remove();
        return node.dataset.value;
      }
    }
    return "";
  };
  const show = (event) => {
    const inside = event.target.closest && event.target.closest("figure svg");
    const value = inside ? valueOf(event.target) : "";
    box.hidden = !value;
    if (!value) return;
    box.textContent = value;
    box.style.left = "0";
    const width = document.documentElement.clientWidth;
    const left = Math.min(event.clientX + 14, width - box.offsetWidth - 6);
    const above = event.clientY - box.offsetHeight - 12;
    box.style.left = Math.max(left, 4) + window.scrollX + "px";
    box.style.top = (above > 0 ? above : event.clientY + 18) + window.scrollY + "px";
  };
  document.addEventListener("pointermove", show, { passive: true });
  document.addEventListener("pointerdown", show, { passive: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") box.hidden = true; });

  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const one of opened) one.open = true;
  });
  window.addEventListener("afterprint", () => { for (const one of opened) one.open = false; });

  const number = new RegExp("^[<\\s]*([-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|inf))", "i");
  const keyOf = (cell) => {
    const text = cell.textContent.trim();
    const found = cell.classList.contains("n") && number.exec(text);
    if (!found) return text;
    return found[1].endsWith("inf") ? (found[1][0] === "-" ? -Infinity : Infinity) : parseFloat(found[1]);
  };
  const compare = (a, b) => {
    if (a === b) return 0;
    if (a === "") return 1;
    if (b === "") return -1;
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "sort by this column";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows].map((row) => [keyOf(row.cells[column]), row]);
        rows.sort((a, b) => (a[0] === "" || b[0] === "" || !down ? 1 : -1) * compare(a[0], b[0]));
        table.tBodies[0].append(...rows.map((entry) => entry[1]));
      });
    });
  }
})();
]]

-- SHA-256 of the text, in base64.
script.sha256 = "2LnhpyX7ZlLEC72xUiRK+aVDDt2872rgvNBghGc7tSQ="

return script

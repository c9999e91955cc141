-- Defines how the page looks: on a screen, light or dark, on a phone and on paper.
return [[
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --text: #1b1f24; --muted: #57606a; --line: #d5dae0;
  --link: #0a58a8; --focus: #b35900; --mark: #0a58a8;
  --alert: #fff5e5; --alert-line: #b86e00; --bad: #fdecec; --bad-line: #b3261e;
  --good: #e9f3fc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --panel: #1d2127; --text: #e6e8eb; --muted: #a2abb5; --line: #363d46;
    --link: #7bb8f5; --focus: #ffb454; --mark: #7bb8f5;
    --alert: #2e2413; --alert-line: #e0a040; --bad: #331a1a; --bad-line: #f08a84;
    --good: #16273a;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .3rem .6rem; z-index: 3; }
.frame { max-width: 84rem; margin: 0 auto; padding: 0 1rem 3rem; }
header { padding: 1.6rem 0 .6rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 2.6rem 0 .6rem; padding-top: .7rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.7rem 0 .4rem; }
h4 { font-size: 1rem; margin: 1.3rem 0 .3rem; }
h5 { font-size: 1rem; margin: 1rem 0 .3rem; font-weight: 600; color: var(--muted); }
p { margin: .5rem 0; max-width: 46rem; }
.lead { font-size: 1.05rem; color: var(--muted); }
.note { color: var(--muted); font-size: .88rem; }
.note { max-width: 52rem; }
nav ol { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem .9rem; }
nav ol ol { padding-left: .8rem; flex-direction: column; }
nav a { text-decoration: none; display: inline-block; padding: .18rem 0; }
nav a:hover { text-decoration: underline; }
nav .part { font-weight: 600; }
@media (max-width: 68.99rem) { nav { border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
  nav ol ol { flex-direction: row; padding-left: 0; } nav li { max-width: 100%; } }
@media (min-width: 69rem) {
  .frame.wide { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: 0 2.5rem; }
  .wide header, .wide footer { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto;
    padding: 1rem .2rem; font-size: .95rem; }
  nav ol { flex-direction: column; gap: 0; }
}
main > section:first-of-type > h2 { margin-top: .6rem; border-top: 0; }
.alert { border-left: 4px solid var(--alert-line); background: var(--alert); padding: .6rem .9rem;
  margin: .7rem 0; border-radius: 0 6px 6px 0; max-width: 60rem; }
.alert.bad { border-color: var(--bad-line); background: var(--bad); }
.alert p { margin: .15rem 0; max-width: none; }
.answer { border-left: 4px solid var(--mark); background: var(--good); padding: .7rem 1rem;
  margin: .9rem 0; border-radius: 0 6px 6px 0; max-width: 60rem; }
.answer p { font-size: 1.08rem; margin: .2rem 0; max-width: none; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 1.8rem; margin: .8rem 0; }
.facts div { min-width: 6rem; max-width: 100%; }
.facts dt { color: var(--muted); font-size: .82rem; }
.facts dd { margin: 0; font-weight: 550; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; min-width: min(100%, 21rem); margin: .5rem 0; font-size: .92rem;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); font-size: .88rem; padding: .2rem 0 .35rem;
  caption-side: top; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
thead th { border-bottom: 2px solid var(--line); color: var(--muted); font-weight: 600;
  vertical-align: bottom; white-space: nowrap; }
tbody th { font-weight: 550; max-width: 22rem; overflow-wrap: break-word; }
tbody tr:hover { background: var(--panel); }
.k { white-space: nowrap; }
.n { text-align: right; white-space: nowrap; padding-left: .5rem; }
td small { color: var(--muted); white-space: nowrap; }
td.text, .message { min-width: 16rem; overflow-wrap: anywhere; }
.sortable button { all: unset; cursor: pointer; }
.sortable button:focus-visible { outline: 3px solid var(--focus); }
.sortable th[aria-sort="ascending"] button::after { content: " \2191"; }
.sortable th[aria-sort="descending"] button::after { content: " \2193"; }
figure { margin: .8rem 0 1.2rem; min-width: 0; }
figure svg { display: block; width: 100%; height: auto; }
.small-figure svg { max-width: 22rem; }
.half-figure svg { max-width: 30rem; }
.medium-figure svg { max-width: 33rem; }
.full-figure svg { max-width: 48rem; min-width: 30rem; }
.links { white-space: nowrap; font-size: .85rem; }
.links a { margin-right: .6rem; }
.grid { display: grid; gap: .4rem 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 23rem), 1fr)); }
.grid.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--link); width: fit-content; max-width: 100%; }
details[open] > summary { margin-bottom: .3rem; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem;
  overflow-x: auto; font: .84rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  margin: .4rem 0; tab-size: 2; }
code { font: .92em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.blank { color: var(--muted); font-style: italic; }
.hash { font: .84em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .8rem; color: var(--muted);
  font-size: .88rem; }
#hover { position: absolute; z-index: 5; pointer-events: none; background: var(--text);
  color: var(--page); font-size: .82rem; line-height: 1.35; padding: .25rem .5rem; border-radius: 4px;
  max-width: 18rem; white-space: pre-line; }
@media (max-width: 30rem) {
  h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; }
  header { padding-top: .8rem; } .frame { padding: 0 .7rem 2rem; }
  .answer { padding: .4rem .7rem; margin: .5rem 0; }
  .answer p { font-size: .875rem; line-height: 1.35; margin: .25rem 0; }
  .answer p:first-child { font-size: 1rem; }
  th, td { padding-right: .6rem; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --panel: #fff; --text: #000; --muted: #333; --line: #999;
    --link: #000; --mark: #000; --alert: #fff; --alert-line: #000; --bad: #fff; --bad-line: #000;
    --good: #fff; }
  @page { margin: 16mm 14mm; }
  body { font-size: 10pt; }
  .frame, .frame.wide { display: block; max-width: none; padding: 0; }
  nav, .links, .skip, #hover { display: none; }
  a { text-decoration: none; color: inherit; }
  h2, h3, h4, h5 { break-after: avoid; }
  figure, tr, .answer, .alert { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  table { font-size: 8.5pt; max-width: 100%; }
  thead th, .n, .k, td small { white-space: normal; }
  table.short { break-inside: avoid; }
  summary { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .grid, .grid.small { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .2rem 1rem; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 7.5pt; }
  summary { color: var(--text); list-style: none; }
  .full-figure svg { min-width: 0; }
  .medium-figure svg { max-width: 115mm; }
}
]]

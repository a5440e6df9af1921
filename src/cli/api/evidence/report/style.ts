/** The tokens of the review page that the report uses, with the same values. */
const tokens = `  --ecr-canvas: light-dark(#f6f7f9, #0e1115);
  --ecr-surface: light-dark(#ffffff, #161a20);
  --ecr-sunken: light-dark(#f0f2f5, #1d222a);
  --ecr-line: light-dark(#dde1e7, #2b323c);
  --ecr-ink: light-dark(#12161d, #eaeef3);
  --ecr-ink-2: light-dark(#434c59, #b9c2cd);
  --ecr-accent: light-dark(#1c55c7, #86b0ff);
  --ecr-focus: light-dark(#1c55c7, #86b0ff);
  --ecr-ok: light-dark(#14683a, #74d19a);
  --ecr-ok-soft: light-dark(#e4f3ea, #14291d);
  --ecr-care: light-dark(#7d4a00, #f0bd5b);
  --ecr-care-soft: light-dark(#fdf3dc, #2b2210);
  --ecr-font: -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --ecr-mono: ui-monospace, SFMono-Regular, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
  --ecr-text-s: 0.75rem;
  --ecr-text-m: 0.875rem;
  --ecr-text-l: 1rem;
  --ecr-text-xl: 1.25rem;
  --ecr-text-2xl: 1.5rem;
  --ecr-leading: 1.25rem;
  --ecr-leading-xl: 1.75rem;
  --ecr-leading-2xl: 2rem;
  --ecr-space-1: 0.25rem;
  --ecr-space-2: 0.5rem;
  --ecr-space-3: 0.75rem;
  --ecr-space-4: 1rem;
  --ecr-space-5: 1.5rem;
  --ecr-space-6: 2rem;
  --ecr-thick: 2px;
  --ecr-radius-s: 4px;
  --ecr-radius-m: 8px;
  --ecr-width: 75rem;
`

/** The style of the report. It needs no other file. */
export const style = `:root {
  color-scheme: light dark;
${tokens}}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: var(--ecr-space-5) var(--ecr-space-4);
  max-width: var(--ecr-width);
  background: var(--ecr-canvas);
  color: var(--ecr-ink);
  font: var(--ecr-text-m) / var(--ecr-leading) var(--ecr-font);
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 var(--ecr-space-2); font-size: var(--ecr-text-2xl); line-height: var(--ecr-leading-2xl); }
h2 { margin: var(--ecr-space-6) 0 var(--ecr-space-3); font-size: var(--ecr-text-xl); line-height: var(--ecr-leading-xl); }
h3 { margin: var(--ecr-space-5) 0 var(--ecr-space-2); font-size: var(--ecr-text-l); }
section.request h2 { margin: 0 0 var(--ecr-space-2); font-size: var(--ecr-text-l); }
p { margin: 0 0 var(--ecr-space-3); max-width: 44rem; color: var(--ecr-ink-2); }
a { color: var(--ecr-accent); }
a:focus-visible, [tabindex]:focus-visible { outline: var(--ecr-thick) solid var(--ecr-focus); outline-offset: 2px; }
pre, code { font-family: var(--ecr-mono); font-size: var(--ecr-text-s); }
pre { margin: 0; white-space: pre-wrap; }
ul { margin: 0; padding-inline-start: var(--ecr-space-5); }
.scroll { overflow-x: auto; border: 1px solid var(--ecr-line); border-radius: var(--ecr-radius-m); background: var(--ecr-surface); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: var(--ecr-space-2) var(--ecr-space-3); text-align: start; vertical-align: top; overflow-wrap: break-word; border-block-end: 1px solid var(--ecr-line); }
tr:last-child > * { border-block-end: 0; }
th { color: var(--ecr-ink-2); font-weight: 600; white-space: nowrap; }
thead th { background: var(--ecr-sunken); }
.number { text-align: end; }
.time { white-space: nowrap; }
.kind { padding: 0 var(--ecr-space-2); border-radius: var(--ecr-radius-s); background: var(--ecr-care-soft); color: var(--ecr-care); white-space: nowrap; }
.none { padding: var(--ecr-space-3); border-radius: var(--ecr-radius-m); background: var(--ecr-ok-soft); color: var(--ecr-ok); }
.totals { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: var(--ecr-space-3); margin: var(--ecr-space-4) 0; }
.totals div, section.request { padding: var(--ecr-space-3); border: 1px solid var(--ecr-line); border-radius: var(--ecr-radius-m); background: var(--ecr-surface); }
.totals dt { color: var(--ecr-ink-2); }
.totals dd { margin: 0; font-size: var(--ecr-text-2xl); line-height: var(--ecr-leading-2xl); }
section.request { margin-block-end: var(--ecr-space-4); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: var(--ecr-space-1) var(--ecr-space-4); margin: 0; }
.facts dt { color: var(--ecr-ink-2); }
.facts dd { margin: 0; }
svg { display: block; width: 100%; height: auto; margin-block-end: var(--ecr-space-4); }
.bar { fill: var(--ecr-care); }
.axis { stroke: var(--ecr-line); }
svg text { fill: var(--ecr-ink-2); font: 11px var(--ecr-font); }
@media (max-width: 40rem) { .facts { grid-template-columns: 1fr; } .facts dd { margin-block-end: var(--ecr-space-2); } }
@media print {
  :root { color-scheme: light; --ecr-canvas: #fff; --ecr-ink: #000; --ecr-ink-2: #000; }
  body { padding: 0; max-width: none; }
  .scroll { overflow: visible; }
  th, .time, .kind { white-space: normal; }
  .kind { padding: 0; }
  th, td { padding: var(--ecr-space-1) var(--ecr-space-2); }
  tr, section.request, svg, .totals div { break-inside: avoid; }
  thead { display: table-header-group; }
  h2 { break-after: avoid; }
}
`

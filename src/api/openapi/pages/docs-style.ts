/** Style sheet of the documentation page. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --mark: #2457d6; }
@media (prefers-color-scheme: dark) { :root { --mark: #8fb0ff; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 19rem 1fr; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); }
nav h2 { margin: 1rem 0 .25rem; font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; opacity: .7; }
nav a { display: block; padding: .1rem 0; color: inherit; text-decoration: none; }
nav a:has(.method) { padding-left: 3.65rem; text-indent: -3.65rem; }
nav a:hover, nav a:focus-visible { text-decoration: underline; }
main { padding: 1rem 2rem 6rem; max-width: 62rem; min-width: 0; }
section { padding: 1rem 0 2rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
h1, h2, h3, h4 { line-height: 1.25; }
h4 { margin: 1.25rem 0 .25rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
code { background: var(--soft); padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .75rem 1rem; border-radius: 6px; overflow: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
.method { display: inline-block; min-width: 3.4rem; font: 600 12px ui-monospace, monospace; color: var(--mark); text-indent: 0; }
.note { opacity: .75; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;

import { createHash } from 'node:crypto';

/** Style of our few HTML pages: one column, light or dark as the reader's system is, no external resources. */
const PAGE_STYLE = `:root{color-scheme:light dark;--ink:#1c2330;--soft:#5a6478;--page:#f3f5f9;--card:#fff;--line:#c6cdd9;--act:#2457d6;--on-act:#fff;--bad:#a61b1b;--bad-page:#fdecec}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf2;--soft:#a3adbf;--page:#12161e;--card:#1b212c;--line:#3b4557;--act:#8fb0ff;--on-act:#0e1420;--bad:#ffb4b4;--bad-page:#3a1d20}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:24rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{margin:0 0 .25rem;font-size:1.4rem;line-height:1.25}
p{margin:0 0 1rem}
p.soft{color:var(--soft)}
p.error{padding:.6rem .8rem;border-radius:.4rem;background:var(--bad-page);color:var(--bad)}
label{display:block;margin:0 0 .25rem;font-weight:600}
input{display:block;width:100%;margin:0 0 1rem;padding:.6rem .7rem;font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:.4rem}
button{width:100%;padding:.65rem 1rem;font:inherit;font-weight:600;overflow-wrap:anywhere;color:var(--on-act);background:var(--act);border:0;border-radius:.4rem;cursor:pointer}
button:hover{filter:brightness(1.08)}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--act);outline-offset:2px}
pre{margin:0 0 1rem;padding:.75rem;font-size:.875rem;white-space:pre-wrap;background:var(--page);border:1px solid var(--line);border-radius:.4rem}
pre code{user-select:all}
main:has(pre){max-width:36rem}
main:has(table){min-width:0;max-width:64rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:.75rem 0 1rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
h2{margin:1.5rem 0 .5rem;font-size:1.1rem}
.wide{margin:0 0 1rem;overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{padding:.4rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600;white-space:nowrap}
td time{white-space:nowrap;font-variant-numeric:tabular-nums}
main>:last-child{margin-bottom:0}
@media(max-width:30rem){body{padding:.5rem}main:has(table){padding:1rem}main:has(table) th,main:has(table) td{padding:.4rem .3rem}td time{white-space:normal}}
strong,code{overflow-wrap:anywhere}
a{color:var(--act)}`;

/** Content security policy of a page with that style: forms to this host only, no scripts, no frames, no other hosts. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of such a page, except its content type. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Returns a whole page around `body`, which is HTML; `title` must be trusted text. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${PAGE_STYLE}</style></head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>
`;
}

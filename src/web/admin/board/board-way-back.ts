import { CONSOLE_PATH, fromBoard } from '../admin-paths.js';

/** At the foot of the board's sidebar, above its version. A narrow window has none; the menu of the account has the link too. */
const LOOK = `<style>
.to-console{position:fixed;z-index:100;bottom:44px;left:16px;padding:8px 12px;border:1px solid var(--border);border-radius:6px;
background:var(--sidebar);color:inherit;font-size:.875rem;line-height:1;text-decoration:none}
.to-console:hover{text-decoration:underline}
@media (max-width:767px){.to-console{display:none}}
</style>`;

/** Returns the board's page with a link to the page of the console from which people come. */
export function withWayBack(html: string): string {
  const link = `<a class="to-console" href="${fromBoard(`${CONSOLE_PATH}queues`)}">Back to the console</a>`;
  const region = `<nav aria-label="Console">${link}</nav>`;
  return html.replace('</head>', `${LOOK}</head>`).replace('</body>', `${region}</body>`);
}

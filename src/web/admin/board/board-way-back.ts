import { CONSOLE_PATH, fromBoard } from '../admin-paths.js';

/** In the board's head, beside its own button there; a narrow head has no room, and the menu of the account has the link too. */
const LOOK = `<style>
.to-console{position:fixed;z-index:100;top:16px;left:360px;padding:6px 10px;border:1px solid;border-radius:6px;
font-size:.875rem;line-height:1;color:inherit;text-decoration:none}
.to-console:hover{text-decoration:underline}
@media (max-width:767px){.to-console{display:none}}
</style>`;

/** Returns the board's page with a link to the page of the console from which people come. */
export function withWayBack(html: string): string {
  const link = `<a class="to-console" href="${fromBoard(`${CONSOLE_PATH}queues`)}">Back to the console</a>`;
  return html.replace('</head>', `${LOOK}</head>`).replace('</body>', `${link}</body>`);
}

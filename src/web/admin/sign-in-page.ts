import { htmlPage } from '../../platform/http/page-style.js';
import { escapeHtml } from '../../platform/text/escape-html.js';
import { BOARD_PATH, SIGN_IN_PATH, SIGN_OUT_PATH } from './admin-paths.js';

const FOCUS = ' autofocus';

/**
 * Returns the sign-in page. `prefix`: what a proxy takes off paths; `fault`: the error of the last attempt, `user`: the name
 * typed then.
 */
export function signInPage(
  prefix: string,
  { fault, user = '' }: { fault?: string; user?: string } = {},
): string {
  const error = fault === undefined ? '' : `<p class="error" role="alert">${escapeHtml(fault)}</p>`;
  return htmlPage(
    'Fabula',
    `<p class="soft">Sign in to see the queues.</p>${error}
<form method="post" action="${prefix}${SIGN_IN_PATH}">
<label for="user">User</label>
<input id="user" name="user" value="${escapeHtml(user)}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="200" required${user === '' ? FOCUS : ''}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000" required${user === '' ? '' : FOCUS}>
<button type="submit">Sign in</button>
</form>`,
  );
}

/** Returns the page that asks for confirmation; its button signs out. `prefix`: what a proxy takes off paths. */
export function signOutPage(prefix: string): string {
  return htmlPage(
    'Fabula',
    `<p class="soft">Sign out on this computer?</p>
<form method="post" action="${prefix}${SIGN_OUT_PATH}"><p><button type="submit">Sign out</button></p></form>
<p><a href="${prefix}${BOARD_PATH}">Back to the queues</a></p>`,
  );
}

import express, { type Request, type Response, Router } from 'express';
import { AppError } from '../../platform/errors.js';
import { forwardedPrefix } from '../../platform/http/address/own-base-url.js';
import { htmlPage, PAGE_HEADERS } from '../../platform/http/page-style.js';
import type { AccountAuth } from './admin-auth.js';
import { BOARD_PATH, SIGN_IN_PATH, SIGN_OUT_PATH } from './admin-paths.js';
import { boardAddress } from './board/board-address.js';
import type { BoardAudit } from './board/board-audit.js';
import { escapeHtml } from '../../platform/text/escape-html.js';

const FOCUS = ' autofocus';

const readForm = express.urlencoded({ extended: false, limit: '8kb', parameterLimit: 10 });
const WRONG = 'Wrong user name or password.';

/** The outcome of a sign-in, or a session that ended. */
export type SignIn = 'signed_in' | 'signed_out' | 'wrong' | 'refused';

export interface SignInRouterDeps extends AccountAuth {
  audit: BoardAudit;
  /** Counts sign-ins; absent: they are not counted. */
  onSignIn?: ((outcome: SignIn) => void) | undefined;
}

/** Creates the sign-in and sign-out pages of the board, which work without scripts. */
export function createSignInRouter(deps: SignInRouterDeps): Router {
  const router = Router();
  router.get(SIGN_IN_PATH, (req: Request, res: Response) => show(req, res, deps));
  router.post(SIGN_IN_PATH, readForm, (req: Request, res: Response) => signIn(req, res, deps));
  router.get(SIGN_OUT_PATH, (req: Request, res: Response) =>
    send(res, 200, signOutPage(forwardedPrefix(req))),
  );
  router.post(SIGN_OUT_PATH, (req: Request, res: Response) => signOut(req, res, deps));
  return router;
}

async function show(req: Request, res: Response, { cookies }: SignInRouterDeps): Promise<void> {
  if ((await cookies.session(req)) === undefined) send(res, 200, signInPage(forwardedPrefix(req)));
  else res.redirect(303, boardAddress(req, BOARD_PATH));
}

async function signOut(req: Request, res: Response, deps: SignInRouterDeps): Promise<void> {
  const { cookies, audit } = deps;
  const ended = await cookies.end(req, res);
  if (ended) deps.onSignIn?.('signed_out');
  if (ended) await audit.record({ action: 'board.sign_out', status: 303 }, req, res);
  res.redirect(303, boardAddress(req, SIGN_IN_PATH));
}

async function signIn(req: Request, res: Response, deps: SignInRouterDeps): Promise<void> {
  const { user, password } = (req.body ?? {}) as Record<string, unknown>;
  const given = { user: textOf(user), password: textOf(password) };
  const page = (fault: string) => signInPage(forwardedPrefix(req), { fault, user: given.user });
  try {
    if (await deps.limits.check(req.ip, () => deps.isAccount(given))) {
      deps.cookies.begin(req, res);
      deps.onSignIn?.('signed_in');
      await deps.audit.record({ action: 'board.sign_in', status: 303 }, req, res);
      return res.redirect(303, boardAddress(req, BOARD_PATH));
    }
    deps.onSignIn?.('wrong');
    send(res, 401, page(WRONG));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.onSignIn?.('refused');
    res.set(error.headers);
    send(res, error.status, page(`${error.message}. Wait a moment and try again.`));
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1_000) : '';
}

function send(res: Response, status: number, html: string): void {
  // Not `no-referrer`: browsers would then send `Origin: null` with the form (Fetch, `Origin`).
  res
    .status(status)
    .set({ ...PAGE_HEADERS, 'Referrer-Policy': 'same-origin' })
    .type('text/html')
    .send(html);
}

/**
 * Returns the sign-in page. `prefix`: what a proxy takes off paths; `fault`: the error of the last attempt, `user`: the name
 * typed then.
 */
function signInPage(prefix: string, { fault, user = '' }: { fault?: string; user?: string } = {}): string {
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
function signOutPage(prefix: string): string {
  return htmlPage(
    'Fabula',
    `<p class="soft">Sign out on this computer?</p>
<form method="post" action="${prefix}${SIGN_OUT_PATH}"><p><button type="submit">Sign out</button></p></form>
<p><a href="${prefix}${BOARD_PATH}">Back to the queues</a></p>`,
  );
}

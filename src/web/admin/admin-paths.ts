/** Path of the board, on the operator's origin. */
export const BOARD_PATH = '/admin/queues';
/** Path of the pages about runs; `/<guid>` follows, or `?delivery=<id>`. */
export const RUNS_PATH = '/admin/runs';
/** Prefix of all paths of the board. The session cookie is sent only below it. */
export const ADMIN_ROOT = '/admin';
export const SIGN_IN_PATH = '/admin/sign-in';
export const SIGN_OUT_PATH = '/admin/sign-out';
/** Path of the console, on the people's origin. */
export const CONSOLE_PATH = '/console/';

/** Returns a path of this origin relative to the base of the board's page, so that it keeps the prefix of a proxy. */
export function fromBoard(path: string): string {
  return '../'.repeat(BOARD_PATH.split('/').length - 1) + path.slice(1);
}

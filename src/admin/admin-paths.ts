/** Where the board is, on the origin of whoever runs the instance. */
export const BOARD_PATH = '/admin/queues';
/** All of them are below it, and the session's cookie goes nowhere else. */
export const ADMIN_ROOT = '/admin';
export const SIGN_IN_PATH = '/admin/sign-in';
export const SIGN_OUT_PATH = '/admin/sign-out';

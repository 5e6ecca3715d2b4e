/* The programs that are started from a terminal. Each loads its code when it is called. */

/** Runs the command line with the arguments of this process. */
export const runCommand = async (): Promise<void> =>
  (await import('../operate/cli/fabula.js')).runFabulaCommand(
    async () => (await import('./routes.js')).ROUTES,
  );

/** `npm start`. Returns the exit code. */
export const start = async (): Promise<number> => (await import('../operate/cli/start/start.js')).runStart();

/** `npm run dev`. */
export const dev = async (): Promise<void> => (await import('../operate/cli/start/dev.js')).runDev();

/** Tries whether this user can run the program. */
export const tryAccount = async (): Promise<void> =>
  (await import('../operate/cli/try-account.js')).checkAccount();

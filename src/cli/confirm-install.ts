import { createInterface } from 'node:readline/promises';

/**
 * Asks once, at a terminal, whether system packages may be installed; without a terminal, and with `--yes`, it is said and done.
 * An answer that never comes ends with `signal`.
 */
export function createConfirmInstall({ yes, signal }: { yes: boolean; signal: AbortSignal }) {
  const asks = !yes && process.stdin.isTTY && process.stdout.isTTY;
  let answer: Promise<boolean> | undefined;
  const ask = async (what: string): Promise<boolean> => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      const said = await terminal.question(`${what} Install it? [Y/n] `, { signal });
      return !/^\s*n/i.test(said);
    } finally {
      terminal.close();
    }
  };
  return (what: string): Promise<boolean> => {
    if (!asks) return Promise.resolve(true);
    answer ??= ask(what);
    return answer;
  };
}

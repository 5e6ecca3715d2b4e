import { createInterface } from 'node:readline/promises';

/**
 * Creates a function that asks once, at a terminal, whether system packages may be installed. Without a terminal,
 * or with `--yes`, it returns true without a question. `signal` ends the wait for an answer.
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

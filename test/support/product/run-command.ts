import { Readable, Writable } from 'node:stream';
import type { CommandOrder, CommandResult } from './door.js';

/** Runs the command line in this process. */
export async function runCommand({ args, env, input }: CommandOrder): Promise<CommandResult> {
  const { run } = await import('../../../src/operate/cli/fabula.js');
  const out = collector();
  const err = collector();
  const stdin: Readable & { isTTY?: boolean } = Readable.from(input === undefined ? [] : [input]);
  if (input === undefined) stdin.isTTY = true;
  const code = await run(args, { env, stdin, stdout: out.stream, stderr: err.stream }, async () => {
    const { ROUTES } = await import('./sources.js');
    return ROUTES;
  });
  return { code, out: out.text(), err: err.text() };
}

function collector() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

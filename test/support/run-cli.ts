import { Readable, Writable } from 'node:stream';
import { run } from '../../src/operate/cli/fabula.js';

/** Runs the command line in this process; `input` is its standard input, which is a terminal without one. */
export async function runCli(args: string[], options: { env?: NodeJS.ProcessEnv; input?: string } = {}) {
  const out = collector();
  const err = collector();
  const { env = {}, input } = options;
  const stdin: Readable & { isTTY?: boolean } = Readable.from(input === undefined ? [] : [input]);
  if (input === undefined) stdin.isTTY = true;
  const code = await run(args, { env, stdin, stdout: out.stream, stderr: err.stream }, async () => {
    const { ROUTES } = await import('../../src/app/routes.js');
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

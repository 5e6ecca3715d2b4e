import { callProduct } from './product/call-product.js';
import type { CommandResult } from './product/door.js';

/** Runs the command line as it is built, in the test product; `input` is its standard input, which is a terminal without one. */
export function runCli(
  args: string[],
  { env = {}, input }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<CommandResult> {
  return callProduct('runCommand', { args, env, input });
}

import { checkResponse } from './check-response.js';
import type { Door } from './door.js';
import { runCommand } from './run-command.js';
import { type RunningFabula, runFabula } from './run-fabula.js';
import { createSilentLogger } from './sources.js';

/*
 * The test product: Fabula as it is built, with a door for the Jest worker that started it. Only that worker can call it: the
 * door is the channel between the two processes. The process ends when the worker does.
 */

/** A call, and its response, as they cross the channel (`products.js`). */
interface Call {
  id: number;
  name: keyof Door;
  /** JSON. */
  input: string;
}

const running = new Map<number, RunningFabula>();
let started = 0;

const calls: { [Name in keyof Door]: (...input: Parameters<Door[Name]>) => unknown } = {
  async start(options) {
    const fabula = await runFabula({ ...options, logger: createSilentLogger() });
    started += 1;
    running.set(started, fabula);
    return { id: started, url: fabula.url, adminUrl: fabula.adminUrl };
  },
  async stop(id) {
    const fabula = running.get(id);
    running.delete(id);
    await fabula?.close();
  },
  forget: ({ id, storyIds }) => running.get(id)?.forget(storyIds),
  async inner({ id, name, input }) {
    const fabula = running.get(id);
    if (fabula === undefined) throw new Error('This Fabula has stopped');
    const act = fabula.inner[name] as (...given: unknown[]) => unknown;
    return act(...input);
  },
  runCommand,
  checkResponse,
};

async function answer({ id, name, input }: Call): Promise<void> {
  try {
    const call = calls[name] as (value: unknown) => unknown;
    process.send?.({ id, output: JSON.stringify(await call(JSON.parse(input))) });
  } catch (error) {
    const { message, stack } = error as Error;
    process.send?.({ id, error: message, stack });
  }
}

process.on('message', (call: Call) => void answer(call));
process.once('disconnect', () => process.exit());

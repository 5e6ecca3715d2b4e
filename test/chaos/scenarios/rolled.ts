import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { UNANSWERED } from '../load-response.js';
import { PROCESS_NAMES } from '../process-group.js';
import { defineScenario } from '../scenario.js';
import type { World } from '../world.js';

/** Time that platforms give a process to stop. */
const LIMIT_MS = 30_000;
const PAUSE_MS = 500;
/** A folder with another build of the product; the processes are rolled to it and back. */
const OTHER_BUILD = process.env['CHAOS_OTHER_BUILD'];

export const rolled = defineScenario({
  name: 'rolled',
  sentence:
    'A deployment: one process after the other is stopped (SIGTERM) and started anew, under load; with CHAOS_OTHER_BUILD from another build, beside those of this one, and back.',
  async hurt(world, { short }) {
    const failures: string[] = [];
    if (OTHER_BUILD === undefined) {
      for (let round = 0; round < (short ? 1 : 3); round += 1) failures.push(...(await roll(world)));
    } else {
      failures.push(...(await roll(world, OTHER_BUILD)));
      // The processes that stop now run the other build, which has to keep what is accepted, no more.
      const others = await roll(world, world.build.folder);
      world.remark = [`rolled to ${await nameOf(OTHER_BUILD)} and back`, ...others].join('; ');
    }
    return () => Promise.resolve(failures);
  },
});

/** Stops each process and starts it anew, of the build in `folder` if one is given; gives what did not hold. */
async function roll(world: World, folder?: string): Promise<string[]> {
  const failures: string[] = [];
  const before = unanswered(world);
  for (const name of PROCESS_NAMES) {
    const { exitCode, ms } = await world.group.stop(name, folder);
    if (exitCode !== 0) failures.push(`${name} ended with ${exitCode ?? 'a signal'} on SIGTERM`);
    if (ms > LIMIT_MS) failures.push(`${name} took ${ms} ms to stop`);
    await world.group.ready(name);
    await sleep(PAUSE_MS);
  }
  const cutOff = unanswered(world) - before;
  return cutOff === 0 ? failures : [...failures, `${cutOff} calls were cut off`];
}

/** Calls that were begun and never answered. */
function unanswered({ load }: World): number {
  return [...(load?.responses.values() ?? [])].filter(({ status }) => status === UNANSWERED).length;
}

async function nameOf(folder: string): Promise<string> {
  return (await readFile(path.join(folder, 'VERSION'), 'utf8').catch(() => folder)).trim();
}

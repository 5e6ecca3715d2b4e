import { eventually } from '../../support/eventually.js';
import { retryTransient } from '../../../src/platform/mysql/connections/retry-transient.js';
import { defineScenario } from '../scenario.js';
import { eventsOf, storyBeside } from '../story-beside.js';
import type { World } from '../world.js';

/** Two deaths of the worker, each found out within half a minute, and three of a process beside it. */
const SET_ASIDE_LIMIT_MS = 4 * 60_000;
/** Two as the first one in its worker, and one more: a worker may have taken the job over before it died. */
const MOST_ENDS = 3;
const SLOW_CALLS = 10;
const SLOW_MS = 3_000;

export const poisonEvent = defineScenario({
  name: 'poison-event',
  sentence:
    'An event crashes the worker of HTTP requests each time: it is set aside within minutes, and what was in flight beside it, slow requests too, passes.',
  preloads: { 'http-request': 'poison.mjs' },
  async hurt(world) {
    const { target } = world.outside;
    target.on('/slow', { body: 'done', delayMs: SLOW_MS });
    const slow = await storyBeside(world, {
      agents: { Ask: ['HTTPRequest', { url: `${target.url}/slow`, method: 'post', payload: {} }] },
      links: ['Hook > Ask'],
    });
    const story = await storyBeside(world, {
      agents: {
        Kill: ['HTTPRequest', { url: `${target.url}/never`, headers: { 'x-poison': 'yes' } }],
      },
      links: ['Hook > Kill'],
    });
    const before = world.group.ends();
    for (let call = 0; call < SLOW_CALLS; call += 1) await slow.fire({ call });
    await eventually(() => target.requests.some(({ path }) => path === '/slow'));
    await story.fire({});
    await eventually(() => isSetAside(world, story.id), SET_ASIDE_LIMIT_MS);
    world.expectedDeadLetters = 1;
    const ends = world.group.ends() - before;
    return async () => {
      const done = (await eventsOf(world, slow.id, 'Ask')).length;
      return [
        ...(ends > 0 ? [] : ['no worker was ended: nothing was tried']),
        ...(ends <= MOST_ENDS ? [] : [`workers were ended ${ends} times before it was set aside`]),
        ...(done === SLOW_CALLS ? [] : [`${done} of ${SLOW_CALLS} slow requests came to an end`]),
      ];
    };
  },
});

async function isSetAside({ stores }: World, storyId: number): Promise<boolean> {
  const rows = await retryTransient(() =>
    stores.db.read((session) =>
      session.rows("SELECT 1 FROM deliveries WHERE story_id = ? AND state = 'failed'", [storyId]),
    ),
  );
  return rows.length > 0;
}

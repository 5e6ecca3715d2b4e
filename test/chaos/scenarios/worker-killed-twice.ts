import { eventually } from '../../support/eventually.js';
import { defineScenario } from '../scenario.js';
import { countEvents, storyBeside } from '../story-beside.js';

const KILLS = 2;
/** A lock has to run out, and be noticed, before another worker has the job. */
const TAKEN_UP_LIMIT_MS = 60_000;

export const workerKilledTwice = defineScenario({
  name: 'worker-killed-twice',
  sentence:
    'The worker that has a certain HTTP request under way is killed, and the next one that has it too.',
  async hurt(world) {
    const { target } = world.outside;
    target.on('/stuck', (_request, count) => (count <= KILLS ? { hang: true } : { body: 'done' }));
    const received = () => target.requests.filter(({ path }) => path === '/stuck');
    const story = await storyBeside(world, {
      agents: { Ask: ['HTTPRequest', { url: `${target.url}/stuck`, method: 'post', payload: {} }] },
      links: ['Hook > Ask'],
    });
    await story.fire({});
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await eventually(() => received().length >= kill, TAKEN_UP_LIMIT_MS);
      await world.group.kill('http-request');
    }
    await eventually(() => received().length > KILLS, TAKEN_UP_LIMIT_MS);
    return async () => {
      const keys = new Set(received().map(({ headers }) => headers['idempotency-key']));
      const events = await countEvents(world, story.id, 'Ask');
      return [
        ...(keys.size === 1 ? [] : [`the request came with ${keys.size} different keys`]),
        ...(events === 1 ? [] : [`the request that was begun three times has ${events} events`]),
      ];
    };
  },
});

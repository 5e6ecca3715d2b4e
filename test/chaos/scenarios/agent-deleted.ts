import { retryTransient } from '../../../src/platform/mysql/connections/retry-transient.js';
import { defineScenario } from '../scenario.js';
import { storyBeside } from '../story-beside.js';

const EVENTS = 20;
/** Longer than 20 calls beside the load may take. */
const NAP_SECONDS = 15;

export const agentDeleted = defineScenario({
  name: 'agent-deleted',
  sentence:
    'An agent is deleted from the database while 20 deliveries wait for it: each becomes a dead letter.',
  async hurt(world) {
    const story = await storyBeside(world, {
      agents: { Nap: ['EventTransformation', { mode: 'delay', seconds: NAP_SECONDS }] },
      links: ['Hook > Nap'],
    });
    await Promise.all(Array.from({ length: EVENTS }, (_, event) => story.fire({ event })));
    await retryTransient(() =>
      world.stores.db.transaction(async (session) => {
        await session.run("DELETE FROM agents WHERE story_id = ? AND name = 'Nap'", [story.id]);
        await session.run('UPDATE stories SET version = version + 1 WHERE id = ?', [story.id]);
      }),
    );
    world.expectedDeadLetters = EVENTS;
    return undefined;
  },
});

import { isDeepStrictEqual } from 'node:util';
import { defineScenario } from '../scenario.js';
import { eventsOf, storyBeside } from '../story-beside.js';

export const wideExplode = defineScenario({
  name: 'wide-explode',
  sentence: 'One list of 20,000 (short: 2,000) is exploded and imploded again.',
  async hurt(world, { short }) {
    const size = short ? 2_000 : 20_000;
    const list = Array.from({ length: size }, (_, index) => index);
    const story = await storyBeside(world, {
      agents: {
        Split: ['EventTransformation', { mode: 'explode', path: '=hook.list', to: 'item', limit: size }],
        Join: [
          'EventTransformation',
          { mode: 'implode', item_path: '=split.item', guid_path: '=split.guid', size_path: '=split.size' },
        ],
      },
      links: ['Hook > Split > Join'],
    });
    await story.fire({ list });
    return async () => {
      const lists = (await eventsOf(world, story.id, 'Join')).map(({ payload }) => payload);
      if (lists.length !== 1) return [`the list was joined ${lists.length} times`];
      return isDeepStrictEqual(lists[0], list) ? [] : ['the list did not come back in order'];
    };
  },
});

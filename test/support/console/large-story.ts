import type { JsonObject } from '../../../src/platform/json.js';
import { says } from '../run-api.js';
import { storyOf } from '../stories.js';

const ACTIONS = 78;
const COLUMNS = 6;
const SAYS = says({ one: '<<split.one>>' });

/** Returns a story of 78 actions: a webhook, and rows of transformations, each of which follows the one above it. */
export function largeStory(): JsonObject {
  const names = Array.from({ length: ACTIONS - 1 }, (_, at) => `Step ${at + 1}`);
  const steps = names.map((name, at): [string, [string, JsonObject]] => [
    name,
    says({ at, from: '<<hook.body.host>>' }),
  ]);
  const links = names.map((name, at) => `${at < COLUMNS ? 'Hook' : names[at - COLUMNS]} > ${name}`);
  return storyOf({ Hook: ['Webhook', {}], ...Object.fromEntries(steps) }, links, { name: 'Large' });
}

/** Returns a story whose runs have four events for each element of the list `all` of its call, and one more. */
export function wideStory(): JsonObject {
  return storyOf(
    {
      Hook: ['Webhook', {}],
      Split: ['EventTransformation', { mode: 'explode', path: '=hook.body.all', to: 'one', limit: 5000 }],
      First: SAYS,
      Second: SAYS,
      Third: SAYS,
    },
    ['Hook > Split > First > Second > Third'],
    { name: 'Wide' },
  );
}

/** Returns a story whose second event repeats the list `lines` of its call. */
export function heavyStory(): JsonObject {
  return storyOf({ Hook: ['Webhook', {}], Copy: says({ lines: '=hook.body.lines' }) }, ['Hook > Copy'], {
    name: 'Heavy',
  });
}

import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../../src/platform/json.js';
import { defineScenario } from '../scenario.js';
import { eventsOf, storyBeside } from '../story-beside.js';

const QUOTES = 8 * 1024 * 1024;
const DEPTH = 200;

export const largeBodies = defineScenario({
  name: 'large-bodies',
  sentence: 'A body of 8 MiB of quotes, and JSON 200 deep, go through a story.',
  async hurt(world) {
    const story = await storyBeside(world, {
      agents: { Echo: ['EventTransformation', { mode: 'message_only', payload: { copy: '=hook' } }] },
      links: ['Hook > Echo'],
    });
    const quotes = '"'.repeat(QUOTES);
    const deep = nested(DEPTH);
    await story.fire(null, { headers: { 'content-type': 'text/plain' }, body: quotes });
    await story.fire({ deep });
    return async () => {
      const sent = (await eventsOf(world, story.id, 'Hook')).map(({ payload }) => payload);
      const copies = (await eventsOf(world, story.id, 'Echo')).map(({ payload }) => payload);
      return [
        ...(sent.some((payload) => holdsText(payload, quotes)) ? [] : ['the quotes are not stored as sent']),
        ...(sent.some((payload) => isDeepStrictEqual(payload, { deep }))
          ? []
          : ['the deep JSON is not stored as sent']),
        ...(sent.every((copy) => copies.some((payload) => isDeepStrictEqual(payload, { copy })))
          ? []
          : ['a body did not come through the story as it was']),
      ];
    };
  },
});

function nested(depth: number): JsonValue {
  let value: JsonValue = 'core';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

/** A text body is the payload, or stands in it. */
function holdsText(payload: JsonValue, text: string): boolean {
  if (typeof payload === 'string') return payload === text;
  if (typeof payload !== 'object' || payload === null) return false;
  return Object.values(payload).some((value) => value === text);
}

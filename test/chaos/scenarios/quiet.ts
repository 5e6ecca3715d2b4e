import { setTimeout as sleep } from 'node:timers/promises';
import { defineScenario } from '../scenario.js';

const SHORT_MS = 3_000;
const LONG_MS = 20_000;

export const quiet = defineScenario({
  name: 'quiet',
  sentence: 'Nothing is done: what the others are compared with.',
  async hurt(_world, { short }) {
    await sleep(short ? SHORT_MS : LONG_MS);
    return undefined;
  },
});

import { mergePromotion } from '../../../src/stories/promotions/plan/promotion-merge-task.js';

const action = (name: string, index: number) => ({
  id: index + 1,
  type: 'Agents::EventTransformationAgent',
  name,
  guid: Buffer.from(name.padEnd(16, '.')).toString('hex'),
  disabled: 0,
  options: { mode: 'message_only' },
  keep_events_for: 0,
  extra: {},
});
const snapshot = (names: string[]) => {
  const settings = { id: 1, name: 'Large', description: null, guid: 'f'.repeat(32), schema_version: 30 };
  const flags = { keep_events_for: 0, disabled: 0, priority: 0, synchronous_webhooks_enabled: 0, extra: {} };
  return JSON.stringify({ story: { ...settings, ...flags }, agents: names.map(action), links: [] });
};
const many = (by: string, count: number) => Array.from({ length: count }, (_, at) => `${by} ${at}`);

describe('stories as software: a promotion into a story with actions of its own', () => {
  it.each([
    [1_300, null],
    [1_500, 'The story here and the bundle together have 2101 actions, and a story can have 2000'],
  ])('of %i more actions has the fault %j', (count, fault) => {
    const { lists } = mergePromotion({
      base: snapshot(['First']),
      live: snapshot(['First', ...many('Live', 600)]),
      incoming: snapshot(['First', ...many('Test', count)]),
      choices: { entries: [], rest: undefined },
      overwrites: false,
    });
    expect(JSON.parse(lists)).toMatchObject({ fault, openCount: 0 });
  });
});

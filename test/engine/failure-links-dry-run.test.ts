import { entriesOf } from '../../src/trial/report/trial-report.js';
import { storyOf } from '../support/stories.js';
import { requestOf, tryGolden } from '../support/try-golden.js';

const story = storyOf(
  {
    Hook: ['Webhook', { include_headers: false }],
    Ask: ['HTTPRequest', { url: 'https://example.test/', method: 'get', fail_on_status: true }],
    After: ['EventTransformation', { mode: 'message_only', payload: { after: true } }],
    Rescue: ['EventTransformation', { mode: 'message_only', payload: { status: '=ask.error.status' } }],
  },
  ['Hook > Ask > After', 'Ask # Rescue'],
);

test('a dry run sends the error down the failure links, after the attempts of the server', async () => {
  const file = {
    start: { agent: 'Hook', payload: { n: 1 } },
    values: {},
    answers: [{ url: 'https://example.test/', status: 503 }],
  } as unknown as Parameters<typeof tryGolden>[1];
  const report = await tryGolden(requestOf(JSON.stringify(story)), file);
  const events = entriesOf(report, 'event').map(({ agent, payload }) => [agent, payload]);
  expect(events).toEqual([
    ['Hook', { n: 1 }],
    [
      'Ask',
      expect.objectContaining({ error: expect.objectContaining({ status: 503, attempts: 10 }) as unknown }),
    ],
    ['Rescue', { status: 503 }],
  ]);
  expect(entriesOf(report, 'dead_letter')).toEqual([]);
  expect(entriesOf(report, 'log').filter(({ level }) => level === 'error')).toHaveLength(1);
});

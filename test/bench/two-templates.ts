import { storyOf } from '../support/stories.js';
import type { ProductOptions } from './measure.js';

/** The story of measure 1: webhook → transformation (two templates) → trigger; three events a run. */
export const TWO_TEMPLATES = twoTemplates('bench');

/** The same with another address. */
export function twoTemplates(path: string): Required<Pick<ProductOptions, 'story' | 'exit'>> {
  const story = storyOf(
    {
      Receive: ['Webhook', { path, secret: 's3cret', verbs: 'post', include_headers: false }],
      Shape: [
        'EventTransformation',
        {
          mode: 'message_only',
          payload: { summary: '<<receive.severity>> on <<receive.host>>', number: '=receive.number' },
        },
      ],
      Check: [
        'Trigger',
        { rules: [{ type: 'field==value', path: '<<shape.summary>>', value: 'high on web-1.example.test' }] },
      ],
    },
    ['Receive > Shape > Check'],
    { name: `Two templates at ${path}` },
  );
  return { story, exit: 'Check' };
}

/** The body of a call: an alert of about 400 bytes, and `padding` more. */
export function alertBody(padding = 0): string {
  return JSON.stringify({
    number: 1_234_567,
    severity: 'high',
    host: 'web-1.example.test',
    rule: 'Impossible travel: two sign-ins within 20 minutes from places 4,000 km apart',
    user: { name: 'Ada Lovelace', email: 'ada@example.test', department: 'Engineering' },
    sources: ['192.0.2.17', '198.51.100.23', '203.0.113.5'],
    seen_at: '2026-11-22T02:31:59.000Z',
    tags: ['identity', 'travel', 'review'],
    ...(padding > 0 ? { padding: 'x'.repeat(padding) } : {}),
  });
}

import type { DeadLetter } from '../../../clients/typescript/api.js';
import { letterFiltersIn, letterPath } from '../../../src/console/pages/dead-letters/letter-filters.js';
import { methodOf } from '../../../src/console/pages/webhooks/calls/call-writer.js';
import { readyCall, shortAddress } from '../../../src/console/pages/webhooks/calls/ready-call.js';
import { trialOf } from '../../../src/console/pages/dead-letters/trial/trial-input.js';

const letter = (id: number, more: Partial<DeadLetter> = {}): DeadLetter => ({
  id,
  team_id: 1,
  story_id: 2,
  story_name: 'Triage',
  agent_id: 3,
  agent_name: 'Ask',
  story_run_guid: 'b1f7c1a2-7a1b-4d26-9d3e-0c6c2a8d1f00',
  event_id: 10 + id,
  attempts: 1,
  retries: 0,
  error: `No answer from host ${id}`,
  created_at: '2026-11-26T10:00:00Z',
  failed_at: `2026-11-26T10:00:0${id}Z`,
  ...more,
});

test('an address of dead letters comes back as it was; what it names wrongly is as absent', () => {
  const group = { storyId: 2, actionId: 3, kind: '"…" is # %' };
  const filters = { error: 'a & b', story: 2, span: '24h', group, letter: 9 };
  expect(letterFiltersIn(letterPath(filters).split('?')[1] ?? '')).toEqual(filters);
  expect(letterFiltersIn('story=x&span=9y&of=2&action=0&kind=y&letter=-1')).toEqual({
    error: '',
    story: undefined,
    span: '',
    letter: undefined,
    group: undefined,
  });
});

test('a trial begins with the event of the letter, or with its run where there was none', () => {
  const answered = trialOf(letter(1), { status: 200, body: '{"a":1}' });
  expect(answered).toEqual({
    story_id: 2,
    event_id: 11,
    action: 3,
    responses: [
      { url: '*', status: 200, answer: '{"a":1}', headers: { 'content-type': 'application/json' } },
    ],
  });
  const first = trialOf(letter(1, { event_id: null }), { status: 0, body: 'text' });
  expect(first).toMatchObject({ run_guid: letter(1).story_run_guid, responses: [{ url: '*', status: 0 }] });
});

test('a call quotes what a shell, a script or a program would read as its own', () => {
  const parts = { method: 'POST', url: "https://a.example/webhook/it's", secret: `a'b"c` };
  expect(readyCall('curl', 'basic', parts)).toContain(`-u 'any:a'\\''b"c'`);
  expect(readyCall('javascript', 'signature', parts)).toContain(String.raw`createHmac('sha256', "a'b\"c")`);
  expect(readyCall('python', 'address', parts)).toContain(`"https://a.example/webhook/it's/a'b%22c"`);
});

test('a method without a body signs the empty text', () => {
  const parts = { method: methodOf(['get']), url: 'https://a.example/webhook/w', secret: 's' };
  expect(readyCall('curl', 'signature', parts)).toContain("body=''");
  expect(readyCall('curl', 'signature', parts)).not.toContain(' -d ');
  expect(readyCall('python', 'signature', parts)).toContain('body = ""');
  expect(methodOf(['get', 'post'])).toBe('POST');
});

test('the short address of a webhook has no secret', () => {
  expect(shortAddress('https://a.example/webhook/w/s%20s', 's s')).toBe('https://a.example/webhook/w');
  expect(shortAddress('https://a.example/webhook/w', 's')).toBe('https://a.example/webhook/w');
});

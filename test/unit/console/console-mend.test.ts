import type { DeadLetter } from '../../../clients/typescript/api.js';
import { errorKindOf } from '../../../src/console/pages/dead-letters/error-kind.js';
import { letterFiltersIn, letterPath } from '../../../src/console/pages/dead-letters/letter-filters.js';
import { groupsOf } from '../../../src/console/pages/dead-letters/letter-groups.js';
import { methodOf } from '../../../src/console/pages/webhooks/calls/methods.js';
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

test.each([
  ['GET https://a.example/hosts/7 answered 404', 'GET <address> answered 404'],
  ['GET https://a.example/hosts/9 answered 500', 'GET <address> answered 500'],
  ['connect ECONNREFUSED 10.0.0.7:8080', 'connect ECONNREFUSED <address>'],
  [
    'no case b1f7c1a2-7a1b-4d26-9d3e-0c6c2a8d1f00 since 2026-11-26T10:00:00.123Z',
    'no case <id> since <time>',
  ],
  ['"mail_7" is no key, 12345 are', '"…" is no key, # are'],
  [null, 'no error was told'],
])('the kind of %s is %s', (error, kind) => expect(errorKindOf(error)).toBe(kind));

test('letters of one action and kind are a group, the last failure first, the oldest letter first', () => {
  const other = { agent_id: 4, agent_name: 'Tell' };
  const groups = groupsOf([letter(4, other), letter(3), letter(1), letter(2, { error: 'Too large' })]);
  expect(groups.map(({ actionId, kind, letters }) => [actionId, kind, letters.map(({ id }) => id)])).toEqual([
    [4, 'No answer from host #', [4]],
    [3, 'No answer from host #', [1, 3]],
    [3, 'Too large', [2]],
  ]);
  expect([groups[1]?.first, groups[1]?.last]).toEqual(['2026-11-26T10:00:01Z', '2026-11-26T10:00:03Z']);
});

test('an address of dead letters comes back as it was; what it names wrongly is as absent', () => {
  const filters = { error: 'a & b', story: 2, group: { actionId: 3, kind: '"…" is # %' } };
  expect(letterFiltersIn(letterPath(filters).split('?')[1] ?? '')).toEqual(filters);
  expect(letterFiltersIn('story=x&action=0&kind=y')).toEqual({
    error: '',
    story: undefined,
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

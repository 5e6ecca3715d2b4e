import { ExactNumber } from '../../src/platform/json/exact-number.js';
import type { JsonValue } from '../../src/platform/json.js';
import { tellingText } from '../../src/observe/subjects/telling-fields.js';

const hook = (body: JsonValue): JsonValue => ({ status: 200, headers: { host: 'fabula.test' }, body });

it.each<[string, JsonValue, string | null]>([
  [
    'a title and what it is about',
    hook({ severity: 'high', host: 'web-17', title: 'Disk full' }),
    'Disk full · web-17',
  ],
  ['the title nearest the top', hook({ alert: { title: 'Inner' }, summary: 'Outer' }), 'Outer'],
  ['names of several words', hook({ alertTitle: 'Disk full', issue_key: 'OPS-7' }), 'Disk full · OPS-7'],
  [
    'the name of a host as a mark',
    hook({ alert: { title: 'Down' }, host: { name: 'db-2', id: 4 } }),
    'Down · db-2 · 4',
  ],
  ['marks alone, at most two of them', hook({ id: 7, ip: '192.0.2.4', host: 'web-1' }), 'web-1 · 192.0.2.4'],
  [
    'a mark once, if the title has it',
    hook({ title: 'web-1 is down', host: 'web-1', id: 4 }),
    'web-1 is down · 4',
  ],
  ['the first item of a list', hook([{ title: 'First' }, { title: 'Second' }]), 'First'],
  [
    'the first plain fields, without telling names',
    hook({ temperature: 21.5, ok: true }),
    'temperature: 21.5 · ok: true',
  ],
  ['a body that is a text, in one line', hook('Disk full\n on web-17'), 'Disk full on web-17'],
  ['an input without a body', { title: 'By hand', number: 4 }, 'By hand · 4'],
  ['long digits as they are', hook({ id: new ExactNumber('9007199254740993') }), '9007199254740993'],
  ['nothing of an empty one', {}, null],
  ['nothing of headers', { status: null, headers: { 'x-title': 'No' }, body: null }, null],
  [
    'nothing that is secret',
    hook({ api_token_id: 't-1', password: 'p', userSecret: 's', cookie: 'c' }),
    null,
  ],
  [
    'nothing of keys and sessions, nor of what is below such a name',
    hook({
      private_key: 'k1',
      accessKey: 'k2',
      'signing-key': 'k3',
      session_id: 's1',
      auth: { key: 'k4', name: 'n' },
      session: { id: 's2' },
    }),
    null,
  ],
  ['an author and the key of an issue', hook({ author: { name: 'Ada' }, key: 'OPS-7' }), 'Ada · OPS-7'],
])('tells %s', (_what, payload, told) => {
  expect(tellingText(payload)).toBe(told);
});

it('is bounded, however wide, deep or long a payload is', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, { id: at }]));
  expect(tellingText(wide)).toBe('0 · 1');
  let deep: JsonValue = { title: 'Too deep' };
  for (let at = 0; at < 50; at += 1) deep = { deep };
  expect(tellingText(deep)).toBeNull();
  expect(tellingText({ title: 'x'.repeat(100_000) })).toBe(`${'x'.repeat(79)}…`);
});

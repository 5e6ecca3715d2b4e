import { errorKindOf } from '../../src/observe/dead-letters/groups/error-kind.js';

test.each([
  ['GET https://a.example/hosts/7 answered 404', 'GET <address> answered 404'],
  ['GET https://a.example/hosts/9 answered 500', 'GET <address> answered 500'],
  ['connect ECONNREFUSED 10.0.0.7:8080', 'connect ECONNREFUSED <address>'],
  [
    'no case b1f7c1a2-7a1b-4d26-9d3e-0c6c2a8d1f00 since 2026-11-26T10:00:00.123Z',
    'no case <id> since <time>',
  ],
  ['"mail_7" is no key, 12345 are', '"…" is no key, # are'],
  ['', 'no error message'],
])('the kind of %s is %s', (error, kind) => expect(errorKindOf(error)).toBe(kind));

test('a kind is never cut within a character', () => {
  const kind = errorKindOf('😀'.repeat(1_000));
  expect(kind).toBe('😀'.repeat(160));
  expect(() => encodeURIComponent(kind)).not.toThrow();
});

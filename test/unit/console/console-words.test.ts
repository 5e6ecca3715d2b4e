import { countWords, nounWords, shareWords, sizeWords } from '../../../src/console/ui/words/figures.js';
import { sinceWords, spanWords } from '../../../src/console/ui/words/since.js';
import { changeWords, deedWords } from '../../../src/console/pages/home/change-words.js';
import { browserIn } from '../../../src/console/pages/sessions/browser-name.js';
import { fileNameOf } from '../../../src/console/pages/stories/file-name.js';

test.each([
  [0, '0'],
  [1_234, '1,234'],
  [99_999, '99,999'],
  [1_234_567, '1.2M'],
])('a count of %d is %s', (count, words) => expect(countWords(count)).toBe(words));

test.each([
  [0, '0 %'],
  [0.004, '0.4 %'],
  [0.5, '50 %'],
  [1, '100 %'],
])('a share of %s is %s', (share, words) => expect(shareWords(share)).toBe(words));

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_536, '1.5 KiB'],
  [16 * 1024 * 1024, '16.0 MiB'],
])('%d bytes are %s', (bytes, words) => expect(sizeWords(bytes)).toBe(words));

test.each([
  [12, '12 ms'],
  [1_400, '1.4 s'],
  [59_000, '59 s'],
  [5 * 60_000, '5 min'],
  [47 * 3_600_000, '47 h'],
  [72 * 3_600_000, '3 d'],
])('a span of %d ms is %s', (ms, words) => expect(spanWords(ms)).toBe(words));

test('a time is told by its distance, on both sides of now', () => {
  const now = Date.parse('2026-11-26T12:00:00Z');
  expect(sinceWords(now - 10_000, now)).toBe('just now');
  expect(sinceWords(now + 10_000, now)).toBe('now');
  expect(sinceWords(now - 3 * 3_600_000, now)).toBe('3 h ago');
  expect(sinceWords(now + 2 * 3_600_000, now)).toBe('in 2 h');
  expect(sinceWords(now - 90 * 24 * 3_600_000, now)).toMatch(/2026/);
});

test('a noun follows its count', () => {
  expect(nounWords(1, 'story', 'stories')).toBe('1 story');
  expect(nounWords(2, 'story', 'stories')).toBe('2 stories');
  expect(nounWords(0, 'action')).toBe('0 actions');
});

const words = (action: string, id: number | null, name: string | null = null) =>
  changeWords({ action, target_id: id, target_name: name });

test.each([
  ['dead_letter.retry', 'retried a dead letter'],
  ['dead_letter.drop_many', 'dropped dead letters'],
  ['story.graph', 'edited the actions of a story'],
  ['agent.update', 'updated an action'],
  ['canary.start', 'started a canary retry'],
  ['story.cancel_run', 'cancelled a run of a story'],
  ['change_request.promote', 'published a change request'],
  ['story.of_a_newer_server', 'changed a story'],
])('%s is what somebody did: %s', (action, words) => expect(deedWords(action)).toBe(words));

test('a change of the audit log is told with its thing', () => {
  expect(words('story.update', 12, 'Alert triage')).toBe('Updated story Alert triage');
  expect(words('agent.delete', 12)).toBe('Deleted action 12');
  expect(words('record_type.create', null)).toBe('Created record type');
  expect(words('session.create', 7)).toBe('Signed in');
  expect(words('story.draft.rebase', 3)).toBe('story: draft rebase 3');
});

test('a browser is told by name and system, a program by what it says', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
  expect(browserIn(chrome)).toBe('Chrome on Linux');
  expect(browserIn('curl/8.9')).toBe('curl/8.9');
  expect(browserIn(null)).toBe('Unknown');
});

test('a file has the name of its story, without what a system could read as a path', () => {
  expect(fileNameOf('Alert triage: 2')).toBe('alert-triage-2.json');
  expect(fileNameOf('../../etc/passwd')).toBe('etc-passwd.json');
  expect(fileNameOf('警報')).toBe('警報.json');
  expect(fileNameOf('<>')).toBe('story.json');
});

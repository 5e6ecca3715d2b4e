import { failureNotice } from '../../src/operate/monitoring/notices/failure-notice.js';

const runbookIn = (runbook: string) => {
  const { lines } = failureNotice({
    story: { id: 7, name: 'Triage', runbook },
    ownerName: undefined,
    actions: [],
    baseUrl: 'https://fabula.example',
    consoleUrl: undefined,
  });
  return lines.slice(lines.indexOf('Runbook:') + 1);
};

test('a notice quotes a runbook without links that start runs', () => {
  const link = `https://fabula.example/webhook/abcdefgh/${'s'.repeat(32)}`;
  expect(runbookIn(`Call ${link} again.`)).toEqual([
    'Call https://fabula.example/webhook/abcdefgh/[hidden] again.',
  ]);
});

test('a notice cuts a runbook between characters', () => {
  expect(runbookIn(`${'x'.repeat(599)}\u{1f525}${'y'.repeat(50)}`)).toEqual([
    `${'x'.repeat(599)}\u{1f525}`,
    '…',
  ]);
});

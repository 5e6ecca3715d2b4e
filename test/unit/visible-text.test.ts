import { createPrinter } from '../../src/operate/cli/printer.js';
import { titleOf } from '../../src/web/admin/board/job-title.js';
import { runPage } from '../../src/web/admin/run-page/run-page.js';
import { visibleLines, visibleText } from '../../src/platform/visible-text.js';
import { Writable } from 'node:stream';

const HOSTILE = '\u001b[2J\u0007\u009b31m\u202egnp\u2066\u2028\u061c\u200f';

it('S9: controls and turned text are written out, and other text stays', () => {
  expect(visibleText(HOSTILE)).toBe('\\u001b[2J\\u0007\\u009b31m\\u202egnp\\u2066\\u2028\\u061c\\u200f');
  expect(visibleText('a\nb\tc\r')).toBe('a\\u000ab\\u0009c\\u000d');
  expect(visibleLines('a\nb\tc\r')).toBe('a\nb\tc\\u000d');
  expect(visibleText('Ünïcode 日本 🎉 שלום')).toBe('Ünïcode 日本 🎉 שלום');
});

it('S9: JSON that is printed stays the same JSON', () => {
  const json = JSON.stringify({ [HOSTILE]: HOSTILE });
  expect(JSON.parse(visibleLines(json))).toEqual({ [HOSTILE]: HOSTILE });
});

it('S9: the printer passes each kind of chunk on without controls', async () => {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const printer = createPrinter(stream);
  printer.write(`${HOSTILE}\n`);
  printer.write(Buffer.from(HOSTILE));
  await new Promise<void>((resolve) => void printer.write('end', () => resolve()));
  expect(chunks.join('')).toBe(`${visibleText(HOSTILE)}\n${visibleText(HOSTILE)}end`);
});

it('S9: the page of a run and the titles of jobs show names in their order', () => {
  const run = {
    guid: 'g',
    places: { story: HOSTILE, storyId: 1, team: HOSTILE, tenantId: 1 },
    view: { source: 'api', createdAt: new Date(0), status: 'COMPLETED', eventCount: 1 },
    steps: [{ id: 1, action: HOSTILE, createdAt: new Date(0) }],
    afterId: 0,
    hasMore: false,
    open: { count: 0, deliveries: [] },
    failed: {
      count: 1,
      deliveries: [{ agentName: HOSTILE, state: 'failed', attempts: 1, dueAt: new Date(0), error: HOSTILE }],
    },
  };
  const page = runPage('', run as never);
  expect(page).not.toMatch(/(?!\n)[\p{Cc}\u202e\u2066\u2028]/u);
  expect(page).toContain('\\u202egnp');
  const delivery = { story: HOSTILE, action: 'a', state: 'pending' as const, attempts: 0, error: null };
  expect(titleOf(delivery)).not.toMatch(/[\p{Cc}\u202e]/u);
});

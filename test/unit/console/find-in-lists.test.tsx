import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { RunSearchMeta, StoryCheck, Webhook, WebhookRefusal } from '../../../clients/typescript/api.js';
import { RefusalList } from '../../../src/console/pages/webhooks/call-lists.js';
import { SearchNote } from '../../../src/console/pages/runs/search-note.js';
import { CheckReport } from '../../../src/console/pages/stories/import/check-report.js';
import { JsonSearch } from '../../../src/console/ui/json-view/json-search.js';
import type { Steps } from '../../../src/console/ui/json-view/json-matches.js';
import { say, Toasts } from '../../../src/console/ui/overlay/toasts.js';

const text = () => document.body.textContent;

const refusal = (at: string, rest: Partial<WebhookRefusal> = {}): WebhookRefusal => ({
  at,
  status: 401,
  reason: 'unauthorized',
  message: 'Unauthorized',
  method: 'POST',
  address: '203.0.113.7',
  content_type: 'application/json',
  ...rest,
});

const meta = (rest: Partial<RunSearchMeta>): RunSearchMeta => ({
  per_page: 20,
  next_before: null,
  looked_at: 2_000,
  complete: true,
  indexed_until: null,
  looked_since: null,
  ...rest,
});

const note = (metas: RunSearchMeta[], isSearch = true) => {
  const { unmount, container } = render(<SearchNote metas={metas} isSearch={isSearch} />);
  const words = container.textContent;
  unmount();
  return words;
};

const finding = (message: string) => ({
  level: 'error',
  kind: 'option',
  message,
  option: 'url',
  line: null,
});

const action = (name: string, state: string, reason: string, findings: object[]) => ({
  name,
  state,
  reason,
  findings,
});

const times = (words: string) => text()?.split(words).length ?? 0;

describe('refused calls of a webhook', () => {
  it('that are equal are told once, with their number and the first and last time', () => {
    const refusals = [
      refusal('2026-11-30T10:00:05Z'),
      refusal('2026-11-30T10:00:04Z', { address: '203.0.113.8' }),
      refusal('2026-11-30T10:00:03Z'),
      refusal('2026-11-30T10:00:01Z'),
    ];
    render(<RefusalList webhook={{ refusals, counts: null } as unknown as Webhook} />);
    const items = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(items).toHaveLength(2);
    expect(items[0]).toContain('unauthorized × 3');
    expect(items[1]).toContain('203.0.113.8');
    expect(items[1]).not.toContain('×');
    const times = [...document.querySelectorAll('li:first-child time')].map((time) =>
      time.getAttribute('datetime'),
    );
    expect(times).toEqual(['2026-11-30T10:00:01Z', '2026-11-30T10:00:05Z']);
  });
});

describe('the note below a search of runs', () => {
  const NOW = new Date().toISOString();

  it('tells that all was searched, over all pages', () => {
    expect(note([meta({ next_before: 'x' }), meta({ looked_at: 23 })])).toBe('All 2,023 runs searched.');
  });

  it('tells back to when it came where it ended at its limit', () => {
    const words = note([meta({ complete: false, next_before: 'x', looked_since: NOW })], false);
    expect(words).toBe('2,000 runs searched, back to just now. Older runs were not searched yet.');
  });

  it('tells what the index alone had, and what lies between', () => {
    const indexed = meta({ indexed_until: NOW, looked_since: NOW });
    expect(note([indexed])).toBe(
      'Runs since just now were searched with all their events, older ones by their first event alone.',
    );
    expect(note([{ ...indexed, complete: false }])).toContain(
      'Not searched yet: runs from just now to just now.',
    );
  });

  it('is silent about a plain list, and between pages', () => {
    expect(note([meta({})], false)).toBe('');
    expect(note([meta({ next_before: 'x' })])).toBe('');
    expect(note([])).toBe('');
  });
});

describe('the report of a check', () => {
  it('tells each fault once: one that makes an action fail is a finding, a type that never runs is not', () => {
    const check = {
      ok: false,
      refusals: [],
      warnings: [],
      needs: { credentials: [], resources: [], stories: [] },
      story: {
        name: 'S',
        links: 0,
        actions: [
          action('Ask', 'fails', 'url is missing', [finding('url is missing')]),
          action('Model', 'import_only', 'no such type', [finding('no such type'), finding('bad template')]),
        ],
      },
    } as unknown as StoryCheck;
    render(<CheckReport check={check} />);
    expect([times('url is missing'), times('no such type'), times('bad template')]).toEqual([2, 2, 2]);
  });
});

describe('the search inside of a JSON value', () => {
  it('goes to the first match, on by Enter, back by Shift Enter, and round', async () => {
    const found: Steps[] = [];
    const value = { host: 'web-1', inside: [{ name: 'WEB-2' }, 3], web: true };
    render(<JsonSearch value={value} onFound={(steps) => found.push(steps)} />);
    await userEvent.keyboard('/web');
    await waitFor(() => expect(found).toEqual([['host']]));
    screen.getByText('1 of 3');
    await userEvent.keyboard('{Enter}{Enter}{Enter}{Shift>}{Enter}{/Shift}');
    expect(found.slice(1)).toEqual([['inside', 0, 'name'], ['web'], ['host'], ['web']]);
    screen.getByText('3 of 3');
  });

  it('says when nothing is there', async () => {
    render(<JsonSearch value={{ a: 1 }} onFound={() => undefined} />);
    await userEvent.keyboard('/zzz');
    await screen.findByText('Not found');
  });
});

it('a message that is told twice is shown once', async () => {
  render(<Toasts />);
  say('The server is unreachable.', 'bad');
  say('The server is unreachable.', 'bad');
  say('Saved.');
  await screen.findByText('Saved.');
  expect(document.querySelectorAll('.toast')).toHaveLength(2);
});

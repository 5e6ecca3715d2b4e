import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DraftShadow, DraftShadowDifference } from '../../../../clients/typescript/api.js';
import { keys } from '../../../../src/console/api/keys.js';
import { ShadowCard } from '../../../../src/console/pages/editor/publish/shadow/shadow-card.js';
import { differingRuns } from '../../../../src/console/pages/editor/publish/shadow/shadow-data.js';
import {
  differenceWords,
  resultWords,
} from '../../../../src/console/pages/editor/publish/shadow/shadow-words.js';

const SHADOW: DraftShadow = {
  id: 9,
  story_id: 12,
  draft_id: 44,
  kind: 'last',
  runs: 1000,
  percent: 100,
  until: '2026-11-26T20:15:01Z',
  state: 'completed',
  stop_reason: null,
  same: 963,
  different: 35,
  not_compared: 2,
  not_compared_because: {
    events_deleted: 0,
    too_large: 0,
    incomplete: 0,
    not_ended: 0,
    cancelled: 2,
    no_start: 0,
    failed: 0,
  },
  partly_compared: 0,
  waiting: 0,
  left_out: 0,
  draft_version: 6,
  draft_changed: false,
  restarts: 0,
  started_by: { id: 4, name: 'Ada Lovelace' },
  stopped_by: null,
  created_at: '2026-11-26T20:15:01Z',
  ended_at: '2026-11-26T20:16:41Z',
};
const CHANGED: DraftShadowDifference = {
  id: 71,
  action: { id: 481, guid: 'b', name: 'Grade' },
  kind: 'changed',
  path: 'rows[].grade',
  before: 'text',
  after: 'text',
  runs: 35,
  first_run_at: '2026-11-20T08:12:00Z',
  last_run_at: '2026-11-21T11:02:31Z',
  run_guids: ['run-1', 'run-2'],
};
const MISSING: DraftShadowDifference = {
  ...CHANGED,
  id: 72,
  action: { id: 482, guid: 'c', name: 'Report' },
  kind: 'missing',
  path: '',
  before: null,
  after: null,
  runs: 12,
};
const TRIAL = {
  difference: {
    actions: [
      {
        action: { id: 481, guid: 'b', name: 'Grade' },
        added: [],
        missing: [],
        changed: [
          {
            event_id: 2,
            past_event_id: 831,
            changes: [
              { path: 'rows[3].grade', before: 'high', after: 'low' },
              { path: 'other', before: 1, after: 2 },
            ],
          },
        ],
        errors: null,
      },
    ],
  },
  errors: [],
};

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

interface Sent {
  request: string;
  body: unknown;
}

/** Shows the shadow of a draft; returns what the page sends, and what it chooses in the picture. */
function open(shadow: DraftShadow | null, { rights = ['read', 'write'] } = {}) {
  const sent: Sent[] = [];
  const chosen: (string | undefined)[] = [];
  globalThis.fetch = async (address, init = {}) => {
    const request = new Request(address, init);
    const { pathname } = new URL(request.url);
    const text = await request.text();
    sent.push({ request: `${request.method} ${pathname}`, body: text === '' ? null : JSON.parse(text) });
    const answer = pathname.endsWith('/trials') ? TRIAL : (shadow ?? SHADOW);
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  };
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 4 }, teams: [{ id: 3, rights }] });
  const found = { differences: [CHANGED, MISSING], meta: { count: 2 } as never };
  render(
    <QueryClientProvider client={client}>
      <ShadowCard
        teamId={3}
        place={{ storyId: 12, draftId: 44 }}
        shadow={shadow}
        found={found}
        chosen={undefined}
        onChoose={(guid) => chosen.push(guid)}
      />
    </QueryClientProvider>,
  );
  return { sent, chosen };
}

describe('stories as software: the shadow of a draft', () => {
  test('one sentence says whether the draft may be published with confidence', () => {
    const same = { ...SHADOW, same: 1000, different: 0, not_compared: 0 };
    expect(resultWords(same)).toBe('All 1,000 runs gave the same.');
    expect(resultWords(SHADOW)).toBe('35 of 998 runs differ. 2 runs could not be compared.');
    expect(resultWords({ ...same, same: 1 })).toBe('The one run gave the same.');
    expect(resultWords({ ...same, same: 40, state: 'running' })).toBe('All 40 runs gave the same so far.');
    expect(resultWords({ ...same, same: 0, state: 'running' })).toBe('No run was compared yet.');
    expect(resultWords({ ...same, draft_changed: true })).toBe(
      'All 1,000 runs gave the same. The draft has changed since.',
    );
    expect(differenceWords({ ...CHANGED, after: 'number' })).toBe('rows[].grade: text became number');
    expect(differenceWords(MISSING)).toBe('Lacks an event');
  });

  test('a shadow is started with what the button says', async () => {
    const { sent } = open(null);
    await userEvent.click(screen.getByRole('button', { name: 'A tenth of a day’s runs' }));
    expect(sent).toEqual([
      {
        request: 'POST /api/v1/stories/12/drafts/44/shadows',
        body: { kind: 'sample', percent: 10, hours: 24, runs: 10_000 },
      },
    ]);
  });

  test('the result names actions, places and runs; an example shows the values of one run', async () => {
    const { sent, chosen } = open(SHADOW);
    expect(screen.getByRole('status').textContent).toBe(
      '35 of 998 runs differ. 2 runs could not be compared.',
    );
    screen.getByText('Not compared: 2: cancelled.');
    await userEvent.click(screen.getByRole('button', { name: 'Grade' }));
    expect(chosen).toEqual(['b']);
    const row = screen.getByText('rows[].grade differs').closest('li')!;
    within(row).getByText('35 runs');
    await userEvent.click(within(row).getByRole('button', { name: 'Example' }));
    await within(row).findByText('high');
    within(row).getByText('low');
    expect(sent).toEqual([{ request: 'POST /api/v1/trials', body: { draft_id: 44, run_guid: 'run-1' } }]);
    expect(within(row).getByRole('link', { name: 'Run 2' }).getAttribute('href')).toBe('/runs/12/run-2');
  });

  test('one that runs is stopped; a reader can do neither', async () => {
    const { sent } = open({ ...SHADOW, state: 'running', ended_at: null });
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(sent).toMatchObject([{ request: 'POST /api/v1/stories/12/drafts/44/shadows/9/stop' }]);
  });

  test('a reader sees the result alone', () => {
    open(SHADOW, { rights: ['read'] });
    expect(screen.queryByRole('button', { name: /runs$/ })).toBeNull();
  });

  test('an action is marked with the most runs of its differences', () => {
    expect([...differingRuns([CHANGED, { ...CHANGED, runs: 3 }, MISSING])]).toEqual([
      ['b', 35],
      ['c', 12],
    ]);
  });
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type {
  DraftShadow,
  DraftShadowDifference,
  DraftShadowRun,
} from '../../../../clients/typescript/api.js';
import { keys } from '../../../../src/console/api/keys.js';
import { ShadowView } from '../../../../src/console/pages/editor/publish/shadow/shadow-view.js';
import { differingRuns } from '../../../../src/console/pages/editor/publish/shadow/shadow-data.js';
import {
  differenceWords,
  resultWords,
} from '../../../../src/console/pages/editor/publish/shadow/shadow-words.js';
import {
  shadowDifferenceExample,
  shadowExample,
  shadowRunExample,
} from '../../../../src/trial/shadows/shadow-presenter.js';

const SHADOW = shadowExample as DraftShadow;
const CHANGED: DraftShadowDifference = {
  ...(shadowDifferenceExample as DraftShadowDifference),
  action: { id: 481, guid: 'b', name: 'Grade' },
  path: 'rows[].grade',
};
const RUNS = ['run-1', 'run-2'].map((run_guid) => ({
  ...(shadowRunExample as DraftShadowRun),
  run_guid,
}));
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
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    sent.push({ request: `${request.method} ${pathname}`, body: text === '' ? null : JSON.parse(text) });
    const page = Number(searchParams.get('page'));
    const list = {
      runs: [RUNS[page - 1]],
      meta: { count: 34, next_page_number: page === 1 ? 2 : null },
    };
    const answer = pathname.endsWith('/trials')
      ? TRIAL
      : pathname.endsWith('/runs')
        ? list
        : (shadow ?? SHADOW);
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  };
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 4 }, teams: [{ id: 3, rights }] });
  const found = { differences: [CHANGED, MISSING], meta: { count: 2 } as never };
  const card = (shown: DraftShadow | null, differences = found.differences, error: Error | null = null) => (
    <QueryClientProvider client={client}>
      <ShadowView
        teamId={3}
        place={{ storyId: 12, draftId: 44 }}
        shadow={shown}
        found={{ data: error ? undefined : { ...found, of: '', differences }, error, refetch: jest.fn() }}
        chosen={undefined}
        onChoose={(guid) => chosen.push(guid)}
      />
    </QueryClientProvider>
  );
  const { rerender } = render(card(shadow));
  return {
    sent,
    chosen,
    /** Its differences cannot be read. */
    fail: (error: Error) => rerender(card(shadow, [], error)),
    /** Shows what the shadow is and has found by now. */
    poll: (shown: DraftShadow, runs: number) => rerender(card(shown, [{ ...CHANGED, runs }, MISSING])),
  };
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

  test('the result names actions, places and runs; the runs of a difference come page by page, with the values', async () => {
    const { sent, chosen } = open(SHADOW);
    expect(screen.getByRole('status').textContent).toBe(
      '35 of 998 runs differ. 2 runs could not be compared.',
    );
    screen.getByText('Not compared: 2: cancelled.');
    await userEvent.click(screen.getByRole('button', { name: 'Grade' }));
    expect(chosen).toEqual(['b']);
    const row = screen.getByText('rows[].grade differs').closest('li')!;
    await userEvent.click(within(row).getByRole('button', { name: '35 runs' }));
    await within(row).findByText('high');
    within(row).getByText('low');
    expect(sent).toEqual([
      { request: 'GET /api/v1/stories/12/drafts/44/shadows/9/runs', body: null },
      { request: 'POST /api/v1/trials', body: { draft_id: 44, run_guid: 'run-1' } },
    ]);
    await userEvent.click(within(row).getByRole('button', { name: 'More runs' }));
    await within(row).findByText('1 more run, deleted or too many to list.');
    const links = within(row).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/runs/12/run-1',
      '/stories/12/edit?draft=44&sample=run%3Arun-1',
      '/runs/12/run-2',
      '/stories/12/edit?draft=44&sample=run%3Arun-2',
    ]);
    await userEvent.click(within(row).getAllByRole('button', { name: 'Values' })[1]!);
    await within(row).findByText('high');
    expect(sent.at(-1)).toEqual({
      request: 'POST /api/v1/trials',
      body: { draft_id: 44, run_guid: 'run-2' },
    });
  });

  test('an open list stays while the shadow finds more runs, and shows them when asked, or at the end', async () => {
    const running: DraftShadow = { ...SHADOW, state: 'running', ended_at: null };
    const { sent, poll } = open(running);
    const row = screen.getByText('rows[].grade differs').closest('li')!;
    await userEvent.click(within(row).getByRole('button', { name: '35 runs' }));
    await within(row).findByText('high');
    await userEvent.click(within(row).getByRole('button', { name: 'More runs' }));
    await waitFor(() => expect(within(row).getAllByRole('button', { name: 'Values' })).toHaveLength(2));
    const before = sent.length;
    poll({ ...running, different: 36 }, 36);
    poll({ ...running, different: 37 }, 37);
    const more = await within(row).findByRole('button', { name: 'New runs' });
    expect(within(row).getAllByRole('button', { name: 'Values' })).toHaveLength(2);
    within(row).getByText('1 more run, deleted or too many to list.');
    expect(sent).toHaveLength(before);

    const [first] = RUNS;
    RUNS[0] = { ...RUNS[0]!, run_guid: 'run-3' };
    await userEvent.click(more);
    await waitFor(() => expect(within(row).queryByRole('button', { name: 'New runs' })).toBeNull());
    const asked = sent.slice(before).map(({ request }) => request);
    expect(asked).toEqual(Array.from({ length: 2 }, () => 'GET /api/v1/stories/12/drafts/44/shadows/9/runs'));

    poll({ ...SHADOW, different: 38 }, 38);
    await waitFor(() => expect(sent).toHaveLength(before + 4));
    expect(sent.filter(({ request }) => request.startsWith('POST'))).toHaveLength(1);
    RUNS[0] = first!;
  });

  test('the runs of an earlier shadow are not shown under the next one', async () => {
    const { poll } = open(SHADOW);
    const row = screen.getByText('rows[].grade differs').closest('li')!;
    await userEvent.click(within(row).getByRole('button', { name: '35 runs' }));
    await within(row).findByText('high');
    poll({ ...SHADOW, id: 10 }, 35);
    expect(within(row).queryAllByRole('link')).toEqual([]);
    await within(row).findByText('high');
  });

  test('values are those of the draft as it is, not of the one before it was changed', async () => {
    const { sent, poll } = open(SHADOW);
    const row = screen.getByText('rows[].grade differs').closest('li')!;
    await userEvent.click(within(row).getByRole('button', { name: '35 runs' }));
    await within(row).findByText('high');
    poll({ ...SHADOW, draft_version: SHADOW.draft_version + 1, restarts: 1 }, 35);
    await waitFor(() =>
      expect(sent.filter(({ request }) => request === 'POST /api/v1/trials')).toHaveLength(2),
    );
  });

  test('runs that were not compared are listed with the reason', async () => {
    open({ ...SHADOW, different: 0 });
    RUNS[0] = { ...RUNS[0]!, verdict: 'not_compared', not_compared_because: 'cancelled' };
    await userEvent.click(screen.getByRole('button', { name: '2 runs' }));
    await screen.findByText('cancelled');
  });

  test('one that runs is stopped; a reader can do neither', async () => {
    const { sent } = open({ ...SHADOW, state: 'running', ended_at: null });
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(sent).toMatchObject([{ request: 'POST /api/v1/stories/12/drafts/44/shadows/9/stop' }]);
  });

  test('a reader sees the result alone', () => {
    open(SHADOW, { rights: ['read'] });
    expect(screen.queryByRole('button', { name: /^(Last|Next|A tenth)/ })).toBeNull();
  });

  test('says that differences are left out, and why they cannot be read', () => {
    const { fail } = open({ ...SHADOW, left_out: 40 });
    screen.getByText('40 more differences, not listed here.');
    fail(new Error('No differences today'));
    screen.getByText('No differences today');
  });

  test('an action is marked with the most runs of its differences', () => {
    expect([...differingRuns([CHANGED, { ...CHANGED, runs: 3 }, MISSING])]).toEqual([
      ['b', 35],
      ['c', 12],
    ]);
  });
});

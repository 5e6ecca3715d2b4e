import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DeadLetterCanary } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { canaryAgainMs } from '../../../src/console/pages/dead-letters/letters-data.js';
import { CanaryLine } from '../../../src/console/pages/dead-letters/retry/canary-line.js';
import { countsOf, stateOf } from '../../../src/console/pages/dead-letters/retry/canary-words.js';
import { GroupWork, useGroupWork } from '../../../src/console/pages/dead-letters/retry/group-work.js';

const NAME = { storyId: 12, actionId: 32, kind: '<address> answered 500' };
const CANARY: DeadLetterCanary = {
  id: 7,
  team_id: 3,
  story_id: 12,
  agent_id: 32,
  error_kind: NAME.kind,
  state: 'completed',
  stage: 'rest',
  dead_letters: 200,
  waiting: 0,
  running: 0,
  passed: 198,
  failed: 2,
  skipped: 0,
  left_out: 0,
  stop_reason: null,
  stop_error: null,
  started_by: { id: 4, name: 'Ada Lovelace' },
  stopped_by: null,
  created_at: '2026-11-26T20:15:01Z',
  stopped_at: null,
  ended_at: '2026-11-26T20:15:09Z',
};
const RUNNING: DeadLetterCanary = {
  ...CANARY,
  state: 'running',
  stage: 'ten',
  waiting: 189,
  running: 3,
  passed: 8,
  failed: 0,
  ended_at: null,
};

const { fetch } = globalThis;
let client: QueryClient;
afterEach(() => {
  globalThis.fetch = fetch;
});

interface Sent {
  request: string;
  body: unknown;
}

/** Shows a group of `count` letters whose newest canary is this one; returns what the page has sent. */
function open(canary: DeadLetterCanary | null, { count = 200, rights = ['read', 'write'] } = {}) {
  const sent: Sent[] = [];
  globalThis.fetch = async (address, init = {}) => {
    const request = new Request(address, init);
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET') {
      const text = await request.text();
      sent.push({ request: `${request.method} ${pathname}`, body: text === '' ? null : JSON.parse(text) });
    }
    const answer =
      request.method === 'GET' ? { canaries: canary === null ? [] : [canary], meta: {} } : canary;
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  };
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 4 }, teams: [{ id: 3, rights }] });
  client.setQueryData(keys.canary(NAME), canary);
  const Group = () => {
    const group = { team_id: 3, dead_letters: count, last_failed_at: '2026-11-26T20:15:01Z' };
    return (
      <>
        <GroupWork name={NAME} group={group} work={useGroupWork()} />
        <CanaryLine name={NAME} />
      </>
    );
  };
  render(
    <QueryClientProvider client={client}>
      <Group />
    </QueryClientProvider>,
  );
  return sent;
}

const line = () => within(screen.getByRole('region', { name: 'Canary retry' }));
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));
const nameOf = (button: HTMLElement) => button.textContent?.trim();

describe('the retry of a group', () => {
  it('of many begins with one unless all are asked for, after a question', async () => {
    const sent = open(null);
    expect(screen.getAllByRole('button').map(nameOf)).toEqual(['Retry 1 first', 'Retry all 200', 'Drop all']);
    expect(screen.getByRole('button', { name: 'Retry 1 first' }).className).toContain('main');
    await userEvent.click(screen.getByRole('button', { name: 'Retry 1 first' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Retry 200 dead letters, 1 first?' }));
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Retry 1 first' }));
    await waitFor(() =>
      expect(sent).toEqual([
        {
          request: 'POST /api/v1/dead_letters/canaries',
          body: { story_id: 12, agent_id: 32, error_kind: NAME.kind, until: '2026-11-26T20:15:02.000Z' },
        },
      ]),
    );
  });

  it('of few retries all of them', () => {
    open(null, { count: 2 });
    expect(screen.getAllByRole('button').map(nameOf)).toEqual(['Retry all 2', 'Drop all']);
  });

  it('shows everybody how far it has come, and waits before another begins', async () => {
    const sent = open(RUNNING);
    expect(line().getByRole('status').textContent).toBe('Retrying 10');
    line().getByText('8 passed, 0 failed, 3 running, 189 waiting');
    line().getByText(/by Ada Lovelace/);
    expect(screen.getByRole('button', { name: 'Retry 1 first' })).toHaveProperty('disabled', true);
    await userEvent.click(line().getByRole('button', { name: 'Stop' }));
    await waitFor(() =>
      expect(sent.map(({ request }) => request)).toEqual(['POST /api/v1/dead_letters/canaries/7/stop']),
    );
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Canary retry' }));
  });

  it('keeps its result, and is not stopped by those who may not write', () => {
    open(CANARY);
    line().getByText('Retry completed');
    line().getByText('198 passed, 2 failed');
    expect(line().queryByRole('button')).toBeNull();
  });

  it('offers nothing to those who may not write', () => {
    open(RUNNING, { rights: ['read'] });
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('says why it stopped', () => {
    open({
      ...CANARY,
      state: 'stopped',
      stage: 'first',
      waiting: 199,
      passed: 0,
      failed: 1,
      stop_reason: 'same_error',
      stop_error: '127.0.0.1:4190 answered 500',
    });
    line().getByText('Stopped: the same error came back');
    line().getByText('0 passed, 1 failed, 199 not retried');
    line().getByText('127.0.0.1:4190 answered 500');
    expect(screen.getByRole('button', { name: 'Retry all 200' })).toHaveProperty('disabled', false);
  });
});

describe('a canary retry that goes on', () => {
  it('is asked for each second while it moves, and each ten seconds while it waits', () => {
    const [first, later] = [{ ...RUNNING }, { ...RUNNING }];
    expect([0, 19_000, 20_000, 600_000].map((now) => canaryAgainMs(first, now))).toEqual([
      1_000, 1_000, 10_000, 10_000,
    ]);
    expect(canaryAgainMs(later, 600_000)).toBe(1_000);
    expect([canaryAgainMs(CANARY, 0), canaryAgainMs(null, 0)]).toEqual([false, false]);
  });

  describe('has the letters listed again', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('once in five seconds, and at its end', () => {
      open(RUNNING);
      const aged = jest.spyOn(client, 'invalidateQueries').mockResolvedValue();
      const come = (canary: DeadLetterCanary) => {
        act(() => void client.setQueryData(keys.canary(NAME), canary));
        // The store of responses tells of it in a turn of its own.
        pass(0);
      };
      for (const waiting of [188, 187, 186]) {
        come({ ...RUNNING, waiting });
        pass(1_000);
      }
      expect(aged).not.toHaveBeenCalled();
      pass(2_000);
      expect(aged.mock.calls).toEqual([[{ queryKey: ['dead-letters'] }]]);
      come({ ...RUNNING, waiting: 100 });
      come(CANARY);
      expect(aged).toHaveBeenCalledTimes(2);
      pass(10_000);
      expect(aged).toHaveBeenCalledTimes(2);
    });
  });
});

describe('the words of a canary retry', () => {
  it('name what still runs and what others did', () => {
    const stopped = { ...CANARY, state: 'stopped' as const, running: 2, skipped: 3, ended_at: null };
    expect(countsOf(stopped)).toBe('198 passed, 2 failed, 2 still running, 3 retried or dropped by others');
    expect(stateOf({ ...stopped, stop_reason: 'by_hand', stopped_by: { id: 1, name: 'Bo' } })).toContain(
      'Bo',
    );
    expect(stateOf({ ...stopped, stop_reason: 'timed_out' })).toBe(
      'Stopped: not finished within 24 hours, or the tenant was frozen',
    );
  });
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DeadLetterCanary, RunFailure } from '../../../clients/typescript/api.js';
import { api } from '../../../src/console/api/console-api.js';
import { keys } from '../../../src/console/api/keys.js';
import { WhyBanner } from '../../../src/console/pages/run/why/why-banner.js';
import { caseName, caseText } from '../../../src/console/pages/run/why/why-words.js';

const FAILURE: RunFailure = {
  dead_letter_id: 901,
  agent_id: 32,
  agent_name: 'Ask tickets',
  event_id: 813,
  error: '127.0.0.1:4190 answered 500',
  error_kind: '<address> answered 500',
  cause: '500 · Ticket store unavailable',
  attempts: 10,
  failed_at: '2026-11-26T20:15:01Z',
  same: {
    dead_letters: 53,
    first_failed_at: '2026-11-26T19:26:00Z',
    last_failed_at: '2026-11-26T20:15:01Z',
    complete: true,
  },
  story_change: {
    version_id: 7,
    number: 12,
    name: 'Longer time-out',
    source: 'edit',
    changed_at: '2026-11-26T19:58:00Z',
    by: { id: 4, name: 'Ada Lovelace' },
  },
};
const RUN = { story_id: 12, guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57' };

const GROUP = { storyId: 12, actionId: 32, kind: '<address> answered 500' };
const CANARY = {
  id: 7,
  team_id: 3,
  state: 'running',
  stage: 'ten',
  dead_letters: 53,
  waiting: 42,
  running: 2,
  passed: 9,
  failed: 0,
  skipped: 0,
  left_out: 0,
  stop_error: null,
  started_by: { id: 4, name: 'Ada Lovelace' },
  created_at: '2026-11-26T20:15:01Z',
  ended_at: null,
} as DeadLetterCanary;

function open(
  failure: Partial<RunFailure> | null,
  { letters = 1, rights = ['read', 'write'], story = {}, canary = null as DeadLetterCanary | null } = {},
) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 4 }, teams: [{ id: 3, name: 'Own', rights }] });
  client.setQueryData(keys.story(12).self, {
    id: 12,
    team_id: 3,
    name: 'Alerts',
    owner: null,
    runbook: '',
    ...story,
  });
  client.setQueryData(keys.canary(GROUP), canary);
  const run = {
    ...RUN,
    failure: failure && { ...FAILURE, ...failure },
    dead_letter_count: letters,
    created_at: '2026-11-26T20:15:00Z',
    draft_id: null,
  };
  const steps: string[] = [];
  const bannerOf = (shown: typeof run) => (
    <QueryClientProvider client={client}>
      <WhyBanner run={shown} onStep={() => steps.push('step')} />
    </QueryClientProvider>
  );
  const { rerender } = render(bannerOf(run));
  return { steps, onGone: () => rerender(bannerOf({ ...run, failure: null, dead_letter_count: 0 })) };
}

const canaryLine = () => screen.findByRole('region', { name: 'Canary retry' });
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent?.trim());
const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

describe('the banner of a failed run', () => {
  afterEach(() => jest.restoreAllMocks());

  it('says why, since when, and what was changed before, each with its link', async () => {
    const { steps } = open({});
    screen.getByText('500 · Ticket store unavailable');
    screen.getByText(/^Same error 53 times since/);
    screen.getByText('Story last changed 17 min before this run: Longer time-out by Ada Lovelace');
    expect(hrefs()).toEqual([
      '/dead-letters?of=12&action=32&kind=%3Caddress%3E+answered+500',
      '/stories/12/edit/versions?version=7',
    ]);
    expect(buttons()).toEqual(['Ask tickets', 'Retry', 'Retry 1 first', 'Retry all 53', 'Open case']);
    await userEvent.click(screen.getByText('Ask tickets'));
    expect(steps).toEqual(['step']);
  });

  it('leaves a case that is being written when the run has been retried meanwhile', async () => {
    const { onGone } = open({});
    await userEvent.click(screen.getByRole('button', { name: 'Open case' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New case' }));
    await userEvent.type(dialog.getByLabelText(/^Tags/), 'tickets');
    onGone();
    const still = within(screen.getByRole('dialog', { name: 'New case' }));
    expect(still.getByLabelText(/^Tags/)).toHaveProperty('value', 'tickets');
  });

  it('names the owner and the first line of the runbook, if the story has them', () => {
    open(
      {},
      { story: { owner: { type: 'TEAM', id: 6, name: 'Night shift' }, runbook: '\n## Restart it\n- now' } },
    );
    expect(screen.getByText('Night shift').closest('a')?.getAttribute('href')).toBe('/team/teams/6');
    expect(screen.getByText('Runbook: Restart it').getAttribute('href')).toBe('/stories/12?view=settings');
  });

  it.each([
    ['its button', () => userEvent.click(screen.getByRole('button', { name: 'Retry' }))],
    ['r', () => userEvent.keyboard('r')],
  ])('retries the failures of this run alone by %s', async (_by, press) => {
    const retried = jest.spyOn(api.deadLetters, 'retryMany').mockResolvedValue({ retried: 1, remaining: 0 });
    open({});
    await press();
    await waitFor(() => expect(retried.mock.calls).toEqual([[{ story_run_guid: RUN.guid }]]));
  });

  it('opens a case with what is known by c', async () => {
    open({});
    await userEvent.keyboard('c');
    const dialog = within(await screen.findByRole('dialog', { name: 'New case' }));
    expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'Alerts: 500 · Ticket store unavailable');
    expect(dialog.getByLabelText(/^Description/)).toHaveProperty(
      'value',
      expect.stringContaining(`/runs/12/${RUN.guid})`),
    );
  });

  it('retries one of the same failures first, and shows it until it ends, also once this run goes on', async () => {
    const started = jest.spyOn(api.deadLetters.canaries, 'create').mockResolvedValue(CANARY);
    jest
      .spyOn(api.deadLetters.canaries, 'list')
      .mockResolvedValue({ canaries: [CANARY] } as unknown as Awaited<
        ReturnType<typeof api.deadLetters.canaries.list>
      >);
    const { onGone } = open({});
    expect(screen.queryByRole('region', { name: 'Canary retry' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Retry 1 first' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Retry 53 dead letters, 1 first?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Retry 1 first' }));
    expect(started.mock.calls).toEqual([
      [{ story_id: 12, agent_id: 32, error_kind: GROUP.kind, until: '2026-11-26T20:15:02.000Z' }],
    ]);
    within(await canaryLine()).getByText('9 passed, 0 failed, 2 running, 42 waiting');
    expect(screen.getByRole('button', { name: 'Retry 1 first' })).toHaveProperty('disabled', true);
    onGone();
    within(await canaryLine()).getByText('Retrying 10');
  });

  it('shows the canary retry of a colleague while it runs, not its result', () => {
    open({}, { rights: ['read'], canary: CANARY });
    within(screen.getByRole('region', { name: 'Canary retry' })).getByText(/by Ada Lovelace/);
    cleanup();
    open(
      {},
      { canary: { ...CANARY, state: 'completed', stop_reason: null, ended_at: '2026-11-26T20:15:09Z' } },
    );
    expect(screen.queryByRole('region', { name: 'Canary retry' })).toBeNull();
  });

  it('retries all of few, without one first', () => {
    open({ same: { ...FAILURE.same, dead_letters: 3 } });
    expect(buttons()).toEqual(['Ask tickets', 'Retry', 'Retry all 3', 'Open case']);
  });

  it('offers no work to those who may not do it, nor by keys', async () => {
    const retried = jest.spyOn(api.deadLetters, 'retryMany');
    open({}, { rights: ['read'] });
    expect(buttons()).toEqual(['Ask tickets']);
    await userEvent.keyboard('rc');
    expect(retried).not.toHaveBeenCalled();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('stands with what is missing: a cause, an action, a change, and all but the newest failures', () => {
    open(
      {
        cause: null,
        agent_name: null,
        story_change: null,
        same: { ...FAILURE.same, dead_letters: 100_000, complete: false },
      },
      { letters: 3 },
    );
    screen.getByText('127.0.0.1:4190 answered 500');
    screen.getByText('A deleted action');
    screen.getByText('No change to the story before this run');
    screen.getByText(/^Same error 100K\+ times since/);
    expect(buttons()).toContain('Retry 3 failures');
  });

  it('is absent for a run that did not fail', () => {
    open(null, { letters: 0 });
    expect(screen.queryByRole('region')).toBeNull();
  });
});

describe('the case of a failed run', () => {
  const failed = { run: RUN, storyName: 'Alerts', failure: FAILURE };

  it('has a name that the API takes, and links to the run and to the same failures', () => {
    expect(caseName(failed)).toBe('Alerts: 500 · Ticket store unavailable');
    const long = { ...failed, failure: { ...FAILURE, cause: `a\nb ${'🙂'.repeat(400)}` } };
    expect(caseName(long).length).toBeLessThanOrEqual(255);
    expect(caseName(long)).toMatch(/^Alerts: a b 🙂/u);
    const text = caseText(failed);
    expect(text).toContain(`/runs/12/${RUN.guid})`);
    expect(text).toContain('/dead-letters?of=12');
    expect(text).toContain('53 dead letters since 2026-11-26T19:26:00Z');
  });

  it('cannot be broken by a cause that is Markdown', () => {
    const text = caseText({ ...failed, failure: { ...FAILURE, cause: '```\n# not a heading\n```' } });
    expect(text.match(/```/g)).toHaveLength(2);
  });
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { api } from '../../../src/console/api/console-api.js';
import { keys } from '../../../src/console/api/keys.js';
import { RepositoryCard } from '../../../src/console/pages/team/teams/repository/repository-card.js';

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

const team = { id: 2, name: 'SOC', groups: [], created_at: '', updated_at: '' };
const change = {
  direction: 'pull',
  kind: 'change',
  state: 'conflict',
  story_id: 12,
  name: 'Triage',
  place: 'triage',
  message: 'Both sides changed the same parts',
  details: ['Mark, options.payload.by: the live story has "a", the draft "b"'],
  draft_id: 40,
  compare_url: null,
};
const repository = {
  team_id: 2,
  url: 'https://git.example.com/soc.git',
  branch: 'main',
  folder: 'stories',
  direction: 'both',
  error: null,
  commit: '3f2a9c0d11aa4f5e',
  ended_at: '2026-11-30T10:00:02Z',
  changes: [change, { ...change, place: 'other', name: 'Other', state: 'done' }],
};

/** Shows the card; `answer` is what the server says to each request. */
function open(
  known: object | null,
  answer: (path: string, body: string) => object = () => ({ user_credentials: [] }),
) {
  const asked: string[] = [];
  globalThis.fetch = (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    const path = input instanceof Request ? input.url : String(input);
    asked.push(body);
    return Promise.resolve(
      new Response(JSON.stringify(answer(path, body)), { headers: { 'content-type': 'application/json' } }),
    );
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  client.setQueryData(keys.people.repository(2), known);
  render(
    <QueryClientProvider client={client}>
      <RepositoryCard team={team} />
    </QueryClientProvider>,
  );
  return asked;
}

describe('stories as software: the repository on the page of a team', () => {
  it('says what waits, and leads to the draft', () => {
    open(repository);
    expect(screen.getByText('3f2a9c0d11')).toBeTruthy();
    expect(screen.getByText('conflict')).toBeTruthy();
    expect(screen.queryByText('Other')).toBeNull();
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Compare the draft' });
    expect(link.getAttribute('href')).toBe('/stories/12/edit/publish?draft=40');
  });

  it('says why the last sync failed', () => {
    open({ ...repository, error: 'The branch "main" is gone' });
    expect(screen.getByRole('alert').textContent).toContain('The branch "main" is gone');
  });

  it('is connected where there is none', () => {
    open(null);
    expect(screen.queryByRole('button', { name: /Sync now/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    fireEvent.change(screen.getByLabelText(/Address/), { target: { value: 'git@git.example.com:soc.git' } });
    expect(screen.getByLabelText(/Keys of the host/)).toBeTruthy();
  });

  it('says what a sync would do, before it does it', async () => {
    const planned = {
      dry_run: true,
      commit: null,
      error: null,
      changes: [{ ...change, state: 'planned', details: [] }],
    };
    const asked = open(repository, (_path, body) =>
      body.includes('dry_run') ? planned : { ...planned, dry_run: false, changes: [] },
    );
    fireEvent.click(screen.getByRole('button', { name: /Sync now/ }));
    await screen.findByText('planned');
    expect(asked).toEqual(['{"dry_run":true}']);
    fireEvent.click(screen.getByRole('button', { name: 'Sync' }));
    await screen.findByText('Synced. Both sides are the same.');
    expect(asked[1]).toBe('{"restore_deleted":false}');
  });

  it('shows what a sync did before it ended early', async () => {
    const planned = { dry_run: true, commit: null, error: null, changes: [{ ...change, details: [] }] };
    const done = { ...planned, dry_run: false, error: 'The server is busy' };
    open({ ...repository, changes: [] }, (_path, body) => {
      if (body === '') return { ...repository, changes: [] };
      if (body.includes('dry_run')) return planned;
      return { ...done, changes: [{ ...change, name: 'Pulled before', state: 'done' }] };
    });
    fireEvent.click(screen.getByRole('button', { name: /Sync now/ }));
    await screen.findByText('conflict');
    fireEvent.click(screen.getByRole('button', { name: 'Sync' }));
    expect((await screen.findByRole('alert')).textContent).toBe('The server is busy');
    expect(screen.getByText('Pulled before')).toBeTruthy();
  });

  it('is asked again after a look that failed, and after a sync that failed', async () => {
    const same = { commit: null, left: 0, changes: [] };
    const sync = jest
      .spyOn(api.teams.repository, 'sync')
      .mockResolvedValueOnce({ ...same, dry_run: true, error: 'No route to the host' })
      .mockResolvedValueOnce({ ...same, dry_run: true, error: null })
      .mockResolvedValueOnce({ ...same, dry_run: false, error: 'The server is busy' })
      .mockResolvedValueOnce({ ...same, dry_run: false, error: null });
    open(repository, () => repository);
    fireEvent.click(screen.getByRole('button', { name: /Sync now/ }));
    await screen.findByText('No route to the host');
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Sync' }));
    await screen.findByText('The server is busy');
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('Synced. Both sides are the same.');
    expect(sync.mock.calls.map(([{ dry_run: isDry }]) => isDry)).toEqual([true, true, undefined, undefined]);
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    sync.mockRestore();
  });

  it('keeps a credential that the list does not have, and says why there is no list', async () => {
    const update = jest.spyOn(api.teams.repository, 'update').mockResolvedValue({} as never);
    jest.spyOn(api.userCredentials, 'list').mockRejectedValue(new Error('No list today'));
    open({ ...repository, credential_id: 7, host_keys: '' });
    fireEvent.click(screen.getByRole('button', { name: 'Settings' }));
    expect(await screen.findByText('No list today')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Branch'), { target: { value: 'live' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(update.mock.lastCall?.[0]).toMatchObject({ branch: 'live', credential_id: 7 }),
    );
    jest.restoreAllMocks();
  });

  it('waits longer for a sync than the server works at one', async () => {
    const sync = jest.spyOn(api.teams.repository, 'sync').mockResolvedValue({
      dry_run: true,
      commit: null,
      error: null,
      left: 0,
      changes: [],
    });
    open(repository);
    fireEvent.click(screen.getByRole('button', { name: /Sync now/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Sync' }));
    await waitFor(() => expect(sync).toHaveBeenCalledTimes(2));
    for (const [, how] of sync.mock.calls) expect(how?.timeoutMs).toBeGreaterThan(210_000);
    sync.mockRestore();
  });
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PromotionCheck } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { PromotionsPage } from '../../../src/console/pages/promotions/promotions-page.js';

const BUNDLE = {
  fabula_bundle: 1,
  source: { tenant: 'Test', url: null },
  exported_at: '2026-12-03T09:00:00Z',
  stories: [
    { guid: 'a'.repeat(32), name: 'Triage' },
    { guid: 'b'.repeat(32), name: 'Other' },
  ],
  needs: { teams: [], credentials: ['Tickets (test)'], resources: [], webhook_paths: [] },
};
const STORY = {
  source_guid: 'a'.repeat(32),
  name: 'Triage',
  team: 'Security',
  story_id: 12,
  live_version: 7,
  state: 'changed',
  story_diff: [
    {
      kind: 'option',
      change: 'changed',
      action: 'Ask',
      guid: null,
      path: 'options.url',
      before: 'a',
      after: 'b',
    },
  ],
  count: 1,
  complete: true,
  kept: [],
  conflicts: [],
  conflict_count: 0,
  open_count: 0,
  missing: [],
  refusals: [],
  new_record_types: [],
  webhooks: [{ action: 'Receive', path: 'alerts', url: 'https://x.test/webhook/alerts', is_kept: true }],
} satisfies PromotionCheck['stories'][number];
const CONFLICT = {
  entry: 'option x options.url 1',
  take: null,
  kind: 'option',
  action: 'Ask',
  guid: null,
  path: 'options.url',
  base: 'a',
  live: 'c',
  incoming: 'b',
  because: null,
} as const;
const PROMOTION = {
  id: 3,
  name: 'Release 12',
  source: BUNDLE.source,
  user: { id: 4, name: 'Ada Lovelace' },
  reason: null,
  created_at: '2026-12-03T09:05:00Z',
  reverted_at: null,
  reverted_by: null,
  revert_reason: null,
};

const DONE = {
  story_id: 12,
  team_id: 3,
  source_guid: 'a'.repeat(32),
  name: 'Triage',
  state: 'changed',
  version_before: 1,
  version_after: 2,
  webhooks: [{ action: 'Receive', path: 'alerts', url: 'https://x.test/webhook/alerts' }],
};

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

interface Sent {
  request: string;
  body: Record<string, unknown>;
}

/** Shows the page of a person with these rights; `checkOf` answers the checks. Returns what the page has sent. */
function open(
  checkOf: (body: Sent['body']) => object,
  { rights = ['read', 'write'], promotions = [PROMOTION] }: { rights?: string[]; promotions?: object[] } = {},
) {
  const sent: Sent[] = [];
  globalThis.fetch = async (address, init = {}) => {
    const request = new Request(address, init);
    const { pathname } = new URL(request.url);
    let answer: object = {
      promotions,
      meta: { current_page: 'http://x/?page=1', next_page_number: null, pages: 1, count: promotions.length },
    };
    if (request.method !== 'GET') {
      const body = JSON.parse((await request.text()) || '{}') as Sent['body'];
      sent.push({ request: `${request.method} ${pathname}`, body });
      answer = pathname.endsWith('/check') ? checkOf(body) : PROMOTION;
    } else if (pathname.endsWith('/user_credentials')) {
      answer = { user_credentials: [{ name: 'Tickets' }] };
    } else if (pathname.endsWith('/global_resources')) {
      answer = { global_resources: [] };
    } else if (pathname.endsWith('/promotions/3')) {
      answer = { ...PROMOTION, mapping: {}, stories: [DONE] };
    }
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const session = { user: { id: 4 }, teams: [{ id: 3, name: 'Security', rights }] };
  client.setQueryData(keys.session, session);
  client.setQueryDefaults(keys.session, { staleTime: Number.POSITIVE_INFINITY });
  render(
    <QueryClientProvider client={client}>
      <PromotionsPage />
    </QueryClientProvider>,
  );
  return sent;
}

const choose = async (text = JSON.stringify(BUNDLE)) => {
  await userEvent.click(screen.getByRole('button', { name: 'Promote a bundle' }));
  await userEvent.upload(
    screen.getByLabelText('Bundle to promote'),
    new File([text], 'bundle.json', { type: 'application/json' }),
  );
};

const promoteButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Promote' });

const writes = (sent: Sent[]) => sent.filter(({ request }) => !request.endsWith('/check'));

describe('stories as software: the page of promotions', () => {
  it('checks a bundle, asks again with the names that are typed, and promotes with them', async () => {
    const sent = open(({ mapping }) => {
      const { credentials } = mapping as { credentials: Record<string, string> };
      const isMapped = credentials['Tickets (test)'] === 'Tickets';
      const missing = isMapped ? [] : [{ kind: 'credential', name: 'Tickets (test)' }];
      return { ok: isMapped, stories: [{ ...STORY, missing }] };
    });
    const limits = jest.spyOn(AbortSignal, 'timeout');
    await choose();
    expect(await screen.findByText(/There is no credential .*Tickets \(test\).* here\./)).toBeTruthy();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Promote' });
    expect(button.disabled).toBe(true);
    const field = screen.getByLabelText('Credential Tickets (test)');
    const suggested = document.getElementById(field.getAttribute('list') ?? '');
    await waitFor(() => expect(suggested?.querySelector('option')?.value).toBe('Tickets'));
    await userEvent.type(field, 'Tickets');
    await waitFor(() => expect(button.disabled).toBe(false));
    expect(screen.getByText(/https:\/\/x\.test\/webhook\/alerts, as now/)).toBeTruthy();
    await userEvent.click(button);
    expect(await screen.findByText('https://x.test/webhook/alerts')).toBeTruthy();
    await userEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    // The command line waits for as long.
    expect(new Set(limits.mock.calls.flat())).toEqual(new Set([120_000]));
    expect(writes(sent)).toEqual([
      {
        request: 'POST /api/v1/promotions',
        body: {
          mapping: {
            teams: {},
            credentials: { 'Tickets (test)': 'Tickets' },
            resources: {},
            webhook_paths: {},
          },
          choices: [],
          bundle: BUNDLE,
        },
      },
    ]);
  });

  it('lets one decide each conflict or all, leave a story out, and take it back', async () => {
    const sent = open(({ choices }) => {
      const [choice] = choices as { leave_out?: boolean; resolve: object[]; resolve_rest?: object }[];
      const isDecided =
        choice !== undefined && (choice.resolve.length > 0 || choice.resolve_rest !== undefined);
      const story = {
        ...STORY,
        conflicts: [CONFLICT, { ...CONFLICT, entry: 'two', path: 'options.method' }],
        conflict_count: 2,
        open_count: isDecided ? 0 : 2,
      };
      const other = { ...STORY, source_guid: 'b'.repeat(32), name: 'Other' };
      return { ok: isDecided, stories: choice?.leave_out === true ? [other] : [story, other] };
    });
    await choose();
    expect(await screen.findByText('2 conflicts to decide')).toBeTruthy();
    const button = await promoteButton();
    expect(button.disabled).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Leave Triage out' }));
    expect(await screen.findByRole('button', { name: 'Promote Triage too' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('2 conflicts to decide')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Promote Triage too' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Take all of the bundle' }));
    await userEvent.click(screen.getAllByRole('radio', { name: /^Here/ })[0]!);
    await waitFor(() => expect(button.disabled).toBe(false));
    await userEvent.click(button);
    await waitFor(() => expect(writes(sent)).toHaveLength(1));
    expect(writes(sent)[0]!.body['choices']).toEqual([
      {
        source_guid: STORY.source_guid,
        resolve: [{ entry: CONFLICT.entry, take: 'live' }],
        resolve_rest: { take: 'incoming', live_version: 7 },
      },
    ]);
  });

  it('takes a bundle that is pasted', async () => {
    open(() => ({ ok: true, stories: [STORY] }));
    await userEvent.click(screen.getByRole('button', { name: 'Promote a bundle' }));
    await userEvent.click(screen.getByLabelText('Or paste it here'));
    await userEvent.paste(JSON.stringify(BUNDLE));
    await userEvent.click(screen.getByRole('button', { name: 'Check it' }));
    expect(await screen.findByText('1 story can be promoted')).toBeTruthy();
  });

  it('says that a file is no bundle', async () => {
    open(() => ({ ok: true, stories: [] }));
    await choose('{"agents":[]}');
    expect(await screen.findByText(/is not a bundle of stories/)).toBeTruthy();
  });

  it('reverts after a question', async () => {
    const sent = open(() => ({}));
    await userEvent.click(await screen.findByRole('button', { name: 'Revert Release 12' }));
    await userEvent.click(screen.getByRole('button', { name: 'Revert' }));
    await waitFor(() =>
      expect(writes(sent)).toMatchObject([{ request: 'POST /api/v1/promotions/3/revert' }]),
    );
  });

  it('shows readers the list alone', async () => {
    open(() => ({}), { rights: ['read'] });
    expect(await screen.findByText('Release 12')).toBeTruthy();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Release 12']);
  });
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { InboxEntry, ListInboxResponse } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { HeldFirst } from '../../../src/console/pages/inbox/held-first.js';
import { InboxPage } from '../../../src/console/pages/inbox/inbox-page.js';
import { inboxFiltersIn, inboxInput } from '../../../src/console/pages/inbox/inbox-query.js';
import { snoozeTimes } from '../../../src/console/pages/inbox/snooze-times.js';
import { entryButton, untilWords } from '../../../src/console/pages/inbox/inbox-words.js';
import { Toasts } from '../../../src/console/ui/overlay/toasts.js';
import { useOpenRows } from '../../../src/console/ui/lists/open-rows.js';

const ME = 5;
const ENTRY: InboxEntry = {
  key: 'failures-32-5f0c',
  kind: 'failures',
  reason: null,
  severity: 'error',
  title: 'Send mail failed 38 times',
  detail: 'The mail server 192.0.2.7:25 refused the connection',
  team_id: 3,
  story: { id: 12, name: 'Alerts' },
  action: { id: 32, name: 'Send mail' },
  queue: null,
  quota: null,
  schedule_id: null,
  credential_id: null,
  api_key_id: null,
  count: 38,
  first_seen: '2026-11-21T10:42:07Z',
  last_seen: '2026-11-21T11:20:51Z',
  until: null,
  trend: Array.from({ length: 24 }, (_, hour) => hour),
  since_version: {
    version_id: 71,
    number: 7,
    name: 'Mail over SES',
    changed_at: '2026-11-21T10:40:00Z',
    by: { id: ME, name: 'Ada' },
  },
  failure: {
    error_kind: 'refused',
    dead_letter_id: 901,
    story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
    retried: 0,
  },
  held: null,
  assignee: null,
  snoozed_until: null,
  closed: null,
};
const BARE: InboxEntry = {
  ...ENTRY,
  detail: null,
  story: null,
  action: null,
  first_seen: null,
  last_seen: null,
  trend: null,
  since_version: null,
  failure: null,
};
const HELD: InboxEntry = {
  ...BARE,
  key: 'held-mails_per_day-3',
  kind: 'held',
  reason: 'mails_per_day',
  title: '10,101 deliveries wait: the mail quota is used up',
  quota: 'mails_per_day',
  count: 10_101,
  first_seen: '2026-11-21T08:00:12Z',
  until: '2026-11-22T00:00:00Z',
  held: ['Alerts', 'Reports', 'Digest', 'Backup'].map((name, index) => ({
    story_id: 12 + index,
    story_name: name,
    agent_id: 32 + index,
    agent_name: 'Send mail',
    queue: 'email',
    count: 10_000 - index,
    oldest_at: '2026-11-21T08:00:12Z',
  })),
};
const CREDENTIAL: InboxEntry = {
  ...BARE,
  key: 'credential-4',
  kind: 'credential',
  reason: 'reconnect',
  severity: 'warning',
  title: 'Jira must be connected again',
  credential_id: 4,
  count: 1,
};

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
  history.replaceState(null, '', '/');
});

interface Sent {
  request: string;
  body: unknown;
}

function Page() {
  return (
    <main {...useOpenRows()}>
      <InboxPage />
      <Toasts />
    </main>
  );
}

/** Shows the page with a server that lists what is not snoozed; returns the requests that it was sent. */
function open({
  entries = [ENTRY, HELD, CREDENTIAL],
  rights = ['read', 'write'],
  others = [] as object[],
} = {}) {
  const sent: Sent[] = [];
  let left = entries;
  const answer = (method: string, path: string, body: unknown): unknown => {
    if (path.startsWith('/api/v1/users')) return { users: [] };
    if (method === 'GET') return listOf(left);
    const key = decodeURIComponent(path.split('/').at(-1) ?? '');
    const changed = entries.find((entry) => entry.key === key);
    const { snoozed_until: until } = body as { snoozed_until?: string | null };
    if (typeof until === 'string') left = left.filter((entry) => entry.key !== key);
    if (until === null) left = entries;
    return { ...changed, ...(body as object) };
  };
  globalThis.fetch = async (address, init = {}) => {
    const url = new URL(address instanceof Request ? address.url : address, location.href);
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    sent.push({ request: `${method} ${url.pathname}${url.search}`, body });
    return new Response(JSON.stringify(answer(method, url.pathname, body)), {
      headers: { 'content-type': 'application/json' },
    });
  };
  const client = new QueryClient();
  client.setQueryData(keys.session, { user: { id: ME }, teams: [{ id: 3, rights }, ...others] });
  render(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  );
  return {
    sent,
    list: (now: InboxEntry[], more: Partial<ListInboxResponse> = {}) =>
      client.setQueryData(keys.inbox.list({ state: 'OPEN' }), { ...listOf(now), ...more }),
  };
}

const listOf = (entries: InboxEntry[]): ListInboxResponse => ({
  entries,
  counts: { open: entries.length, snoozed: 0, errors: 2, warnings: 1, notes: 0 },
  complete: true,
  unread: [],
  behind: false,
  checked_at: '2026-11-21T11:21:00Z',
});

const rows = (name = 'Needs attention') =>
  within(screen.getByRole('list', { name })).getAllByRole('listitem');
const rowOf = async (title: string) =>
  within((await screen.findByRole('link', { name: title })).closest('li') as HTMLElement);
const writes = (sent: Sent[]) => sent.filter(({ request }) => !request.startsWith('GET'));

describe('the inbox', () => {
  it('tells of each entry what it is, why, since which version, and offers the page that helps', async () => {
    open();
    const failures = await rowOf('Send mail failed 38 times');
    failures.getByText('The mail server 192.0.2.7:25 refused the connection');
    failures.getByText('Send mail in Alerts');
    expect(failures.getByText('since version 7, Mail over SES by Ada').getAttribute('href')).toBe(
      '/stories/12/edit/versions?version=71',
    );
    failures.getByRole('img', { name: /^276 failures in the last 24 hours/ });
    const retry = failures.getByRole('link', { name: /^Retry all 38/ });
    expect(retry.getAttribute('href')).toBe('/dead-letters?of=12&action=32&kind=refused&ask=retry');

    const held = await rowOf(HELD.title);
    held.getByText('continues after 00:00 UTC');
    held.getByText('10,000 of Send mail in Alerts');
    held.getByText('and 1 more action');
    expect(held.getByRole('link', { name: /^Open quotas/ }).getAttribute('href')).toBe('/quotas');
    screen.getByText('3 open · 2 errors · 1 warning');
  });

  it('offers no work to those who may not do it', async () => {
    open({ rights: ['read'] });
    const failures = await rowOf('Send mail failed 38 times');
    failures.getByRole('link', { name: /^Review/ });
    expect(screen.queryByRole('button', { name: /^(Assign|Snooze)/ })).toBeNull();
    await userEvent.keyboard('as');
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('opens no menu by a key on an entry of a team in which the person may not write', async () => {
    open({
      rights: ['read'],
      others: [{ id: 4, rights: ['read', 'write'] }],
      entries: [ENTRY, { ...HELD, team_id: 4 }],
    });
    await rowOf(HELD.title);
    await userEvent.keyboard('a');
    expect(screen.queryByRole('menu')).toBeNull();
    await userEvent.keyboard('jja');
    await screen.findByRole('menu');
  });

  it('lists an entry that comes back with its menus closed', async () => {
    const { list } = open();
    await rowOf(ENTRY.title);
    await userEvent.keyboard('a');
    await screen.findByRole('menu');
    act(() => void list([HELD]));
    await waitFor(() => expect(rows()).toHaveLength(1));
    act(() => void list([ENTRY, HELD]));
    await rowOf(ENTRY.title);
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('is worked with by keys: j, a, s; the next row has the focus, and the message undoes it', async () => {
    const { sent } = open();
    await rowOf(ENTRY.title);
    await userEvent.keyboard('j');
    expect(document.activeElement?.textContent).toBe(ENTRY.title);
    await userEvent.keyboard('a');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Assign to me' }));
    await waitFor(() =>
      expect(writes(sent)).toEqual([
        { request: 'PUT /api/v1/inbox/failures-32-5f0c', body: { assignee_id: ME } },
      ]),
    );
    await screen.findByText('Assigned to you.');

    act(() => screen.getByRole('link', { name: ENTRY.title }).focus());
    await userEvent.keyboard('s');
    await userEvent.click(await screen.findByRole('menuitem', { name: /^For 1 hour/ }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    await waitFor(() => expect(document.activeElement?.textContent).toBe(HELD.title));
    const undos = await screen.findAllByRole('button', { name: 'Undo' });
    await userEvent.click(undos.at(-1) as HTMLElement);
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(writes(sent).at(-1)?.body).toEqual({ snoozed_until: null });
  });

  it('keeps its filters in the address, and asks the server for them', async () => {
    const { sent } = open();
    await rowOf(ENTRY.title);
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Held work');
    await userEvent.selectOptions(screen.getByLabelText('Assigned to'), 'Mine');
    await userEvent.selectOptions(screen.getByLabelText('State'), 'Snoozed');
    expect(location.search).toBe('?kind=held&who=me&state=snoozed');
    await waitFor(() =>
      expect(sent.at(-1)?.request).toBe(`GET /api/v1/inbox?state=SNOOZED&kind=held&assignee_id=${ME}`),
    );
    await userEvent.keyboard('/');
    await userEvent.type(screen.getByRole('searchbox'), 'jira');
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  it('says of when it is while the server is behind', async () => {
    const { list } = open();
    await rowOf(ENTRY.title);
    expect(screen.queryByText(/Newer entries may be missing/)).toBeNull();
    act(() => void list([ENTRY], { behind: true }));
    const note = await screen.findByText(/Newer entries may be missing/);
    expect(note.textContent).toMatch(/^As of .*\. Newer entries may be missing\.$/);
    expect(note.querySelector('time')?.getAttribute('datetime')).toBe('2026-11-21T11:21:00Z');
  });

  it('shows closed entries with what ended them, and offers no work on them', async () => {
    const closed = {
      at: '2026-11-21T11:20:00Z',
      after: 'dead_letter.retry_many',
      by: { id: ME, name: 'Ada' },
    };
    const again = { ...closed, at: '2026-11-20T11:20:00Z', after: null, by: null };
    const { sent } = open({
      entries: [
        { ...ENTRY, closed },
        { ...ENTRY, closed: again },
      ],
    });
    await screen.findAllByRole('link', { name: ENTRY.title });
    await userEvent.selectOptions(screen.getByLabelText('State'), 'Closed');
    await waitFor(() => expect(sent.at(-1)?.request).toBe('GET /api/v1/inbox?state=CLOSED'));
    await waitFor(() => expect(rows('Closed')).toHaveLength(2));
    const [first, second] = rows('Closed');
    within(first!).getByText(/^closed after .*Ada.* retried dead letters$/);
    within(second!).getByText('closed by itself');
    await userEvent.keyboard('jas');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(screen.queryByRole('button', { name: /^(Assign|Snooze)/ })).toBeNull();
  });

  it('shows the entries of an older server, which does not tell what is closed, as open', async () => {
    const { closed: _closed, ...older } = ENTRY;
    open({ entries: [older as InboxEntry] });
    (await rowOf(ENTRY.title)).getByRole('button', { name: /^Snooze/ });
    await userEvent.keyboard('a');
    await screen.findByRole('menu');
  });

  it('says so when nothing needs attention', async () => {
    open({ entries: [] });
    await screen.findByText('Nothing needs attention.');
  });
});

/** Shows what the home page says of these entries. */
function showHeld(entries: InboxEntry[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: ME }, teams: [] });
  client.setQueryData(keys.inbox.list({ state: 'OPEN' }), listOf(entries));
  render(
    <QueryClientProvider client={client}>
      <HeldFirst />
    </QueryClientProvider>,
  );
}

describe('what is held, on the home page', () => {
  it('names the three most severe with the way to each, and how many more there are', () => {
    showHeld([
      ENTRY,
      HELD,
      CREDENTIAL,
      { ...CREDENTIAL, key: 'credential-5' },
      { ...CREDENTIAL, key: 'credential-6' },
    ]);
    const held = within(screen.getByRole('region', { name: 'Held and at risk' }));
    expect(held.getAllByRole('listitem')).toHaveLength(4);
    held.getByText(/continues after 00:00 UTC/);
    expect(held.getByRole('link', { name: /^Open quotas/ }).getAttribute('href')).toBe('/quotas');
    expect(held.getByText('1 more entry in the inbox').getAttribute('href')).toBe('/inbox');
  });

  it('is absent where nothing is held', () => {
    showHeld([]);
    expect(document.body.textContent).toBe('');
  });
});

describe('filters of an address', () => {
  it('are as absent where they name what is unknown', () => {
    const filters = inboxFiltersIn(new URLSearchParams('kind=toString&who=x&state=gone'));
    expect(filters).toEqual({ kind: '', who: '', state: 'OPEN', search: '' });
    expect(inboxInput({ ...filters, who: 'nobody' }, ME)).toEqual({ state: 'OPEN', assigned: false });
  });
});

describe('the words of an entry', () => {
  it('tell when it ends: in UTC for a quota of a day, in the zone of the person otherwise', () => {
    expect(untilWords({ ...HELD, kind: 'quota' })).toBe('resets at 00:00 UTC');
    // The first of them goes on some minutes after the reset.
    expect(untilWords({ ...HELD, until: '2026-11-22T00:06:12Z' })).toBe('continues after 00:00 UTC');
    expect(untilWords({ ...HELD, quota: null, reason: 'rate_limit' })).toMatch(/^continues at \d\d:\d\d$/);
    expect(untilWords(CREDENTIAL)).toBeUndefined();
  });

  it('lead to the action where no page says more about its reason', () => {
    expect(entryButton({ ...HELD, quota: null, reason: 'throttle' }, true)).toEqual({
      path: '/stories/12?action=32',
      name: 'Open action',
    });
    expect(entryButton(CREDENTIAL, true).path).toBe('/credentials/4');
    expect(entryButton({ ...HELD, quota: null, reason: 'no_process' }, true).path).toBe('/queues');
  });
});

describe('the times of a snooze', () => {
  it('are an hour, tomorrow at eight, and eight in a week, in the zone of the person', () => {
    const now = new Date(2026, 10, 21, 23, 30).getTime();
    const times = snoozeTimes(now).map(({ until }) => until.getTime());
    expect(times).toEqual([
      new Date(2026, 10, 22, 0, 30).getTime(),
      new Date(2026, 10, 22, 8).getTime(),
      new Date(2026, 10, 28, 8).getTime(),
    ]);
  });
});

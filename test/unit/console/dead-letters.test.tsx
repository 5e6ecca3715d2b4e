import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { Attempt, DeadLetter } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { letterFiltersIn, letterPath } from '../../../src/console/pages/dead-letters/letter-filters.js';
import { Letters } from '../../../src/console/pages/dead-letters/letters/letters.js';

const NAME = { storyId: 12, actionId: 32, kind: '<address> answered 500' };
const FAILED_AT = '2026-11-26T20:15:01Z';
const letterOf = (id: number): DeadLetter => ({
  id,
  team_id: 3,
  story_id: 12,
  story_name: 'Alerts',
  agent_id: 32,
  agent_name: 'Ask tickets',
  story_run_guid: `0193a5c1-7d2e-7b31-9c44-2f6d0a1b8${id}`,
  subject: id === 902 ? null : `Disk full · web-${id}`,
  event_id: null,
  attempts: 2,
  retries: 0,
  error: '127.0.0.1:4190 answered 500',
  cause: `500 · letter ${id}`,
  error_kind: NAME.kind,
  created_at: FAILED_AT,
  failed_at: FAILED_AT,
});
const attempt = (id: number, number: number, body: string): Attempt => ({
  id,
  delivery_id: 1,
  agent_id: 32,
  agent_name: 'Ask tickets',
  event_id: null,
  number,
  outcome: number === 2 ? 'failed' : 'retried',
  started_at: FAILED_AT,
  failed_at: FAILED_AT,
  duration_ms: 1_504,
  status: 500,
  cause: '500 · busy',
  error: 'answered 500',
  request: {
    sent_at: FAILED_AT,
    method: 'POST',
    url: 'https://tickets.example/api',
    headers: {},
    body: null,
    body_bytes: null,
    body_left_out: null,
    truncated: [],
  },
  response: {
    received_at: FAILED_AT,
    duration_ms: 1_504,
    status: 500,
    headers: { 'content-type': 'text/plain' },
    body,
    body_bytes: 4,
    body_left_out: null,
    truncated: body.startsWith('cut') ? ['body'] : [],
  },
});

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Shows three letters with their attempts; returns the requests that the page has sent. */
function open(rights: string[] = ['read', 'write']) {
  const sent: string[] = [];
  const bodies: unknown[] = [];
  globalThis.fetch = (address, { method, body } = {}) => {
    const { pathname } = new URL(address instanceof Request ? address.url : address);
    sent.push(`${method} ${pathname}`);
    bodies.push(typeof body === 'string' ? JSON.parse(body) : undefined);
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }));
  };
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const letters = [903, 902, 901].map(letterOf);
  client.setQueryData(keys.session, { user: { id: 4 }, teams: [{ id: 3, rights }] });
  const list = (shown: DeadLetter[]) =>
    client.setQueryData(keys.letters.ofGroup(NAME), {
      pages: [{ dead_letters: shown, meta: { next_page_number: null } }],
      pageParams: [1],
    });
  list(letters);
  for (const { id } of [904, 903, 902, 901].map(letterOf)) {
    const attempts = [attempt(id * 10, 1, `cut of ${id}`), attempt(id * 10 + 1, 2, `last of ${id}`)];
    client.setQueryData(keys.letter(id).attempts(FAILED_AT), attempts);
  }
  const retried: number[] = [];
  const Page = () => {
    const [id, setId] = useState<number>();
    return (
      <Letters name={NAME} chosenId={id} onChoose={setId} onRetried={(letter) => retried.push(letter.id)} />
    );
  };
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  );
  return { sent, bodies, retried, unmount, list: (shown: DeadLetter[]) => act(async () => list(shown)) };
}

const reason = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Reason/ });
const panel = (id: number) => within(screen.getByRole('region', { name: `Dead letter ${id}` }));

describe('the letters of a group', () => {
  it('open on what the newest one sent and received, with each attempt', async () => {
    open();
    const shown = panel(903);
    expect(shown.getByRole('tab', { selected: true }).textContent).toBe('Request and response');
    shown.getByText('https://tickets.example/api');
    shown.getByText(/after 1.5 s/);
    expect(shown.queryByText(/Only the beginning of the body/)).toBeNull();
    await userEvent.click(shown.getByRole('button', { name: 'Attempt 1 · 500' }));
    shown.getByText(/Only the beginning of the body of 4 B was recorded/);
  });

  it('are gone through with j and k, which stop at the ends, and keep the tab', async () => {
    open();
    await userEvent.click(panel(903).getByRole('tab', { name: 'Event' }));
    await userEvent.keyboard('jj');
    panel(901).getByText('The action was the first of its run, so there was no event.');
    await userEvent.keyboard('j');
    panel(901);
    expect(document.activeElement?.getAttribute('aria-label')).toBe(
      'View dead letter 901: Disk full · web-901',
    );
    await userEvent.keyboard('k');
    panel(902);
  });

  it('are named by what their runs are about, or else by the cause, which all of them share', () => {
    open();
    const names = screen
      .getAllByRole('button', { name: /^View/ })
      .map(({ firstChild }) => firstChild?.textContent);
    expect(names).toEqual(['Disk full · web-903', '500 · letter 902', 'Disk full · web-901']);
  });

  it('are retried with r, the chosen one alone', async () => {
    const { sent, retried } = open();
    await userEvent.keyboard('jr');
    await waitFor(() => expect(retried).toEqual([902]));
    expect(sent[0]).toBe('POST /api/v1/dead_letters/902/retry');
  });

  it('are dropped with d, the chosen one alone, after a question with the reason', async () => {
    const { sent, bodies } = open();
    await userEvent.keyboard('jd');
    expect(sent).toEqual([]);
    const dialog = within(screen.getByRole('dialog', { name: /^Drop dead letter \d+\?$/ }));
    await userEvent.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Known, and harmless');
    await userEvent.click(dialog.getByRole('button', { name: 'Drop' }));
    await waitFor(() => expect(sent[0]).toBe('DELETE /api/v1/dead_letters/902'));
    expect(bodies[0]).toEqual({ reason: 'Known, and harmless' });
    expect(sent.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
  });

  it('are dropped as they were asked for, whichever letter has become the newest meanwhile', async () => {
    const { sent, list } = open();
    await userEvent.keyboard('d');
    await userEvent.type(reason(), 'Known');
    await list([904, 903, 902].map(letterOf));
    await screen.findByRole('region', { name: 'Dead letter 904', hidden: true });
    expect(reason().value).toBe('Known');
    const dialog = within(screen.getByRole('dialog', { name: 'Drop dead letter 903?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Drop' }));
    await waitFor(() => expect(sent).toContain('DELETE /api/v1/dead_letters/903'));
    expect(sent.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
  });

  it('keep the reason of a drop through a reload, until it is given up', async () => {
    const { unmount } = open();
    await userEvent.keyboard('d');
    await userEvent.type(reason(), 'Known');
    unmount();
    open();
    await userEvent.keyboard('d');
    expect(reason().value).toBe('Known');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(sessionStorage).toHaveLength(0);
  });

  it('are neither retried nor dropped by those who may not write', async () => {
    const { sent } = open(['read']);
    await userEvent.keyboard('rd');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: /^Retry/ })).toBeNull();
    expect(sent).toEqual([]);
  });
});

describe('the filters of dead letters', () => {
  it('stand in the address, and what is named wrongly is as absent', () => {
    const path = '/dead-letters?error=busy&story=4&span=24h&of=12&action=32&kind=odd&letter=901';
    expect(letterPath(letterFiltersIn(path.split('?')[1] ?? ''))).toBe(path);
    expect(letterPath(letterFiltersIn('story=-1&span=constructor&letter=x&kind=odd'))).toBe('/dead-letters');
  });
});

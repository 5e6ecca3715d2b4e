import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { keys } from '../../../src/console/api/keys.js';
import { SessionsCard } from '../../../src/console/pages/team/people/person-page.js';

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Shows the sessions of a person; undefined: their list cannot be read. */
function open(sessions: { current: boolean }[] | undefined) {
  const body = { errors: [{ message: 'no such list', type: 'error' }] };
  globalThis.fetch = () => Promise.resolve(new Response(JSON.stringify(body), { status: 422 }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const rows = sessions?.map((session, id) => ({
    id,
    user_agent: 'Firefox',
    ip: '192.0.2.1',
    method: 'password',
    created_at: '2026-11-26T20:15:01Z',
    last_seen_at: '2026-11-26T20:15:01Z',
    ...session,
  }));
  if (rows !== undefined) client.setQueryData(keys.sessions(7), { sessions: rows });
  render(
    <QueryClientProvider client={client}>
      <SessionsCard userId={7} isSelf={false} />
    </QueryClientProvider>,
  );
  return screen.getByRole<HTMLButtonElement>('button', { name: 'End all' });
}

describe('the sessions of a person', () => {
  it('are ended together, if there is one besides that in which the page is read', () => {
    expect(open([{ current: true }, { current: false }]).disabled).toBe(false);
  });

  it('are not ended if there is none', () => {
    expect(open([]).disabled).toBe(true);
  });

  it('are not ended if the page is read in the only one', () => {
    expect(open([{ current: true }]).disabled).toBe(true);
  });

  it('can be ended although their list cannot be read', async () => {
    const button = open(undefined);
    await screen.findByText('no such list');
    expect(button.disabled).toBe(false);
  });
});

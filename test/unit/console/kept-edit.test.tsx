import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Case } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { EditDialog } from '../../../src/console/pages/case/edit-dialog.js';

const CASE = {
  case_id: 7,
  name: 'Phishing',
  priority: 'MEDIUM',
  description: 'First',
  team: { id: 3 },
} as Case;

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
  sessionStorage.clear();
});

/** Opens the dialog on a case with this description; returns what changes it elsewhere, and what the page sends. */
function open(description: string, { stored = description } = {}) {
  const server = { stored };
  const sent: unknown[] = [];
  let isClosed = false;
  globalThis.fetch = async (address, init = {}) => {
    const request = new Request(address, init);
    if (request.method !== 'GET') sent.push(JSON.parse(await request.text()));
    const answer = { ...CASE, description: server.stored };
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  };
  const client = new QueryClient();
  client.setQueryData(keys.session, { user: { id: 1 }, teams: [] });
  const page = (text: string) => (
    <QueryClientProvider client={client}>
      <EditDialog one={{ ...CASE, description: text }} onClose={() => (isClosed = true)} />
    </QueryClientProvider>
  );
  const { rerender, unmount } = render(page(description));
  return {
    server,
    sent,
    unmount,
    isClosed: () => isClosed,
    colleagueWrites: (text: string) => {
      server.stored = text;
      act(() => rerender(page(text)));
    },
  };
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Description/ });
const theirs = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Their description' });
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const type = async (text: string) => {
  await userEvent.clear(field());
  await userEvent.type(field(), text);
};

describe('a kept description of a case', () => {
  it('is not saved over the newer one of a colleague: both are shown, and the person chooses', async () => {
    const { colleagueWrites, sent } = open('First');
    await type('Mine');
    colleagueWrites('Theirs');
    expect([field().value, theirs().value]).toEqual(['Mine', 'Theirs']);
    expect(save().disabled).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(field());
    await userEvent.click(save());
    await waitFor(() => expect(sent).toEqual([{ description: 'Mine' }]));
  });

  it('is compared after a reload with what it began with', async () => {
    const first = open('First');
    await type('Mine');
    first.unmount();
    open('Theirs');
    expect([field().value, theirs().value]).toEqual(['Mine', 'Theirs']);
    await userEvent.click(screen.getByRole('button', { name: 'Use theirs' }));
    expect([field().value, document.activeElement]).toEqual(['Theirs', field()]);
    expect(sessionStorage).toHaveLength(0);
  });

  it('is not saved over one that the page was not told of yet', async () => {
    const { server, sent, isClosed, colleagueWrites } = open('First');
    await type('Mine');
    server.stored = 'Theirs';
    await userEvent.click(save());
    await screen.findByText('A colleague has just changed the description. Nothing was saved.');
    expect([sent, isClosed()]).toEqual([[], false]);
    colleagueWrites('Theirs');
    expect(theirs().value).toBe('Theirs');
  });

  it('asks nothing if both wrote the same, or only the colleague wrote', async () => {
    const { colleagueWrites, sent } = open('First');
    colleagueWrites('Second');
    expect(field().value).toBe('Second');
    await type('Third');
    colleagueWrites('Third');
    expect(screen.queryByRole('alert')).toBeNull();
    await userEvent.click(save());
    await waitFor(() => expect(sent).toHaveLength(1));
  });
});

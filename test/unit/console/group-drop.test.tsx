import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { api } from '../../../src/console/api/console-api.js';
import { keys } from '../../../src/console/api/keys.js';
import { GroupWork, useGroupWork } from '../../../src/console/pages/dead-letters/retry/group-work.js';

const NAME = { storyId: 12, actionId: 32, kind: '<address> answered 500' };
const GROUP = { team_id: 3, dead_letters: 2, last_failed_at: '2026-11-26T20:15:01Z' };

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 4 }, teams: [{ id: 3, rights: ['read', 'write'] }] });
  client.setQueryData(keys.canary(NAME), null);
  const Group = () => <GroupWork name={NAME} group={GROUP} work={useGroupWork()} />;
  render(
    <QueryClientProvider client={client}>
      <Group />
    </QueryClientProvider>,
  );
}

const ask = () => userEvent.click(screen.getByRole('button', { name: 'Drop all' }));
const reason = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Reason/ });
/** Presses the button of the dialog, which hides the one outside. */
const yes = () => userEvent.click(screen.getByRole('button', { name: 'Drop all' }));

afterEach(() => jest.restoreAllMocks());

it('the reason of a drop that failed is there again, and goes once all are dropped', async () => {
  const drop = jest.spyOn(api.deadLetters, 'dropMany');
  drop.mockRejectedValueOnce(new Error('away'));
  open();
  await ask();
  await userEvent.type(reason(), 'Known');
  await yes();
  await screen.findByText(/away/);
  await ask();
  expect(reason().value).toBe('Known');
  // A press beside the dialog does not take it away either.
  await userEvent.keyboard('{Escape}');
  expect(reason().value).toBe('Known');
  drop.mockResolvedValueOnce({ dropped: 2, remaining: 0 });
  await yes();
  await screen.findByText('2 of 2 dropped');
  expect(sessionStorage).toHaveLength(0);
});

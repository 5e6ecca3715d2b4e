import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StoryQuestion } from '../../../src/console/app/navigation/palette/story-question.js';

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

it('a start from the palette says that its story is being loaded, and can be closed', async () => {
  globalThis.fetch = () => new Promise(() => undefined);
  const close = jest.fn();
  const asked = { id: 12, name: 'Alerts', verb: 'start' } as const;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <StoryQuestion asked={asked} onClose={close} />
    </QueryClientProvider>,
  );
  const dialog = within(screen.getByRole('dialog', { name: /^Start .*Alerts/ }));
  dialog.getByRole('status', { name: 'Loading' });
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
  expect(close).toHaveBeenCalledTimes(1);
});

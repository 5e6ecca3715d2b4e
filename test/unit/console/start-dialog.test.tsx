import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Action, ActiveStory } from '../../../clients/typescript/api.js';
import { api } from '../../../src/console/api/console-api.js';
import { keys } from '../../../src/console/api/keys.js';
import { startsOf } from '../../../src/console/pages/story/start/start-data.js';
import { StartDialog } from '../../../src/console/pages/story/start/start-dialog.js';

const action = (id: number, name: string, given: Partial<Action> = {}): Action =>
  ({ id, name, story_id: 7, type: 'Agents::TriggerAgent', sources: [], ...given }) as Action;
const ACTIONS = [
  action(12, 'Timed'),
  action(13, 'Sort', { sources: [11] }),
  action(11, 'Hook', { type: 'Agents::WebhookAgent' }),
];
const STORY = { id: 7, team_id: 3, name: 'Alerts', gallery_slug: null } as ActiveStory;
/** More digits than a number of JavaScript has. */
const LONG = '12345678901234567890';
const EVENT = '{"payload":{"body":{"host":"web-1"}}}';

function open() {
  const sent: [string, string, string | undefined][] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address, { method = 'GET', body } = {}) => {
    const { pathname } = new URL(address instanceof Request ? address.url : address, location.href);
    sent.push([method, pathname, typeof body === 'string' ? body : undefined]);
    const text = method === 'GET' ? EVENT : '{"guid":"0193a5c1-1","story_id":7}';
    return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } });
  });
  jest
    .spyOn(api.actions.events, 'list')
    .mockResolvedValue({ events: [{ id: 91, incomplete: false }] } as never);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 4 }, teams: [] });
  client.setQueryData(keys.place({ storyId: 7, draftId: undefined }).graph, { actions: ACTIONS, notes: [] });
  const closed = jest.fn();
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <StartDialog story={STORY} place={{ storyId: 7, draftId: undefined }} onClose={closed} />
    </QueryClientProvider>,
  );
  return { sent, closed, unmount };
}
const payload = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Payload/ });
const start = () => screen.getByRole('button', { name: 'Start the run' });

describe('the dialog that starts a run', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
  });

  it('begins with the webhook and its last event, and sends what is typed with all digits', async () => {
    const { sent, closed } = open();
    expect((await payload()).value).toContain('"host": "web-1"');
    await userEvent.clear(await payload());
    await userEvent.type(await payload(), `{{"body": {{"id": ${LONG}}}`);
    await userEvent.click(start());
    await waitFor(() => expect(closed).toHaveBeenCalled());
    const [, path, body] = sent.find(([method]) => method === 'POST')!;
    expect(path).toBe('/api/v1/stories/7/runs');
    expect(body!.replaceAll(/\s/g, '')).toBe(`{"agent_id":11,"payload":{"body":{"id":${LONG}}}}`);
    expect(location.pathname).toBe('/runs/7/0193a5c1-1');
  });

  it('keeps what is typed when it is closed, until it is started or reset', async () => {
    const { unmount } = open();
    await userEvent.clear(await payload());
    await userEvent.type(await payload(), '{{"body": 5');
    expect(start().matches(':disabled')).toBe(true);
    unmount();
    open();
    expect((await payload()).value).toBe('{"body": 5');
    screen.getByText('Your text from before.');
    await userEvent.click(screen.getByRole('button', { name: 'Reset payload' }));
    expect((await payload()).value).toContain('web-1');
  });

  it('refuses what is no JSON object', async () => {
    open();
    await userEvent.clear(await payload());
    await userEvent.type(await payload(), '5');
    screen.getByText('A payload is a JSON object, such as {"body": {}}.');
    expect(start().matches(':disabled')).toBe(true);
  });
});

test('a run usually starts at a webhook, or where no link leads to', () => {
  const { entries, others } = startsOf(ACTIONS);
  expect(entries.map(({ name }) => name)).toEqual(['Hook', 'Timed']);
  expect(others.map(({ name }) => name)).toEqual(['Sort']);
});

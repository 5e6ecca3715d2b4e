import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode } from 'react';
import type { GraphAction, StoryGraph, Webhook } from '../../../../clients/typescript/api.js';
import { keys } from '../../../../src/console/api/keys.js';
import {
  type Editor,
  EditorProvider,
  useEdited,
} from '../../../../src/console/pages/editor/editor-context.js';
import { ScheduleCard } from '../../../../src/console/pages/editor/schedule/schedule-card.js';
import { createViewStore } from '../../../../src/console/pages/editor/view-store.js';
import { WebhookCard } from '../../../../src/console/pages/editor/webhook/webhook-card.js';
import { actionOf, createEditorStore } from '../../../../src/console/story-model/editor-store.js';

const SECRET = 'old-secret';
const webhook = {
  id: 5,
  story: { id: 7 },
  url: `https://hooks.example.com/webhook/alerts/${SECRET}`,
  secret: SECRET,
  verbs: ['get', 'post'],
} as Webhook;

type Shown = (props: { actionKey: string; action: GraphAction }) => ReactNode;

function Open({ shown: Card }: { shown: Shown }) {
  const found = useEdited(actionOf('a'));
  return found === undefined ? null : <Card actionKey="a" action={found} />;
}

/** Opens one action of a story, or of a draft, with what shows it. Returns the action as it is by now. */
function open(shown: Shown, action: Partial<GraphAction>, draftId?: number) {
  const graph = {
    story_id: 7,
    version: 1,
    agents: [{ type: 'Agents::WebhookAgent', name: 'Receive', guid: 'a', options: {}, id: 5, ...action }],
    links: [],
    notes: [],
  } as unknown as StoryGraph;
  const store = createEditorStore({ graph, etag: '"1"' });
  const editor = { store, view: createViewStore(), draftId, storyId: 7, teamId: 3, readOnly: undefined };
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.webhook(5).self, webhook);
  render(
    <QueryClientProvider client={client}>
      <EditorProvider value={editor as unknown as Editor}>
        <Open shown={shown} />
      </EditorProvider>
    </QueryClientProvider>,
  );
  return {
    action: () => store.getState().draft.actions.get('a'),
    steps: () => store.getState().history.past.map(({ label }) => label),
  };
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('the address of a webhook', () => {
  const options = { path: 'alerts', secret: SECRET };

  it('gets a new secret in a live story only after a question', async () => {
    const { action, steps } = open(WebhookCard, { options });
    expect(screen.getByText('https://hooks.example.com/webhook/alerts')).toBeTruthy();
    expect(screen.getByText('Accepts GET, POST')).toBeTruthy();
    const call = screen.getByText(/^curl -X POST/).textContent;
    expect(call).toContain("'https://hooks.example.com/webhook/alerts/••••••••'");
    await press('New secret');
    expect(screen.getByRole('dialog').textContent).toContain('refused at once');
    await press('Cancel');
    expect(action()?.options['secret']).toBe(SECRET);
    await press('New secret');
    await press('Replace secret');
    expect(action()?.options).toEqual({
      path: 'alerts',
      secret: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
    expect(steps()).toEqual(['Change secret of Receive']);
  });

  it('gets a new secret in a draft at once, and says that the live one stays', async () => {
    const { action } = open(WebhookCard, { options }, 9);
    expect(screen.getByText(/publishing keeps the address/)).toBeTruthy();
    await press('New secret');
    expect(action()?.options['secret']).not.toBe(SECRET);
  });

  it('is there once the story is saved', () => {
    open(WebhookCard, { options: {}, id: null });
    expect(screen.getByText(/when the story is saved/)).toBeTruthy();
  });
});

describe('the schedule of an action', () => {
  it('is added, built and removed', async () => {
    const { action, steps } = open(ScheduleCard, {});
    await press('Add schedule');
    const zone = screen.getByRole('combobox', { name: 'Time zone' });
    await userEvent.clear(zone);
    await userEvent.type(zone, 'Europe/Dublin');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Repeats' }), 'Every week');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Wednesday' }));
    await waitFor(() =>
      expect(action()?.['schedule']).toEqual([{ cron: '0 9 * * 1,3', timezone: 'Europe/Dublin' }]),
    );
    expect(screen.getByText('Starts Mondays and Wednesdays at 09:00, Europe/Dublin.')).toBeTruthy();
    expect(screen.getByRole('list', { name: 'Next starts' }).children).toHaveLength(5);
    expect(steps()).toEqual(['Change schedule of Receive']);
    await press('Remove schedule 1');
    expect(action()?.['schedule']).toBeNull();
  });

  it('is not changed by an expression that has no start', async () => {
    const schedule = [{ cron: '0 9 1 1 *', timezone: 'UTC', own: 1 }, 'every_1d'];
    const { action } = open(ScheduleCard, { schedule });
    const field = screen.getByRole('textbox', { name: /Cron expression/ });
    await userEvent.type(field, '{Backspace}');
    await screen.findByText(/has five fields/);
    expect(action()?.['schedule']).toEqual(schedule);
    await userEvent.clear(field);
    await userEvent.type(field, '0 9 1 2 *');
    await waitFor(() =>
      expect(action()?.['schedule']).toEqual([{ ...(schedule[0] as object), cron: '0 9 1 2 *' }, 'every_1d']),
    );
  });
});

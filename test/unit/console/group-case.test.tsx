import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DeadLetterGroup } from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { groupCase } from '../../../src/console/pages/dead-letters/group-case.js';
import { GroupView } from '../../../src/console/pages/dead-letters/group-view.js';

const GUID = '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57';
const NAME = { storyId: 12, actionId: 32, kind: '<address> answered 500' };
const FILTERS = { error: '', story: undefined, span: '', group: NAME, letter: undefined };
const GROUP: DeadLetterGroup = {
  team_id: 3,
  story_id: 12,
  story_name: 'Alerts',
  agent_id: 32,
  agent_name: 'Ask tickets',
  error_kind: NAME.kind,
  error: '127.0.0.1:4190 answered 500',
  cause: '500 · Ticket store unavailable',
  dead_letter_id: 901,
  story_run_guid: GUID,
  dead_letters: 53,
  retried: 0,
  first_failed_at: '2026-11-26T19:26:00Z',
  last_failed_at: '2026-11-26T20:15:01Z',
  trend: Array.from({ length: 24 }, () => 0),
};

function open(rights: string[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { user: { id: 4 }, teams: [{ id: 3, name: 'Own', rights }] });
  client.setQueryData(keys.letters.groups('', undefined, '', NAME), { groups: [GROUP] });
  client.setQueryData(keys.letters.ofGroup(NAME), {
    pages: [{ dead_letters: [], meta: { next_page_number: null } }],
    pageParams: [1],
  });
  client.setQueryData(keys.canary(NAME), null);
  render(
    <QueryClientProvider client={client}>
      <GroupView filters={FILTERS} name={NAME} onLetter={() => undefined} />
    </QueryClientProvider>,
  );
  return {
    /** Its letters have been retried or dropped. */
    end: () =>
      act(async () => client.setQueryData(keys.letters.groups('', undefined, '', NAME), { groups: [] })),
  };
}

describe('the case of a group of dead letters', () => {
  it.each([
    ['its button', () => userEvent.click(screen.getByRole('button', { name: 'Open case' }))],
    ['c', () => userEvent.keyboard('c')],
  ])('begins with what is known, by %s', async (_by, press) => {
    open(['read', 'write']);
    await press();
    const dialog = within(await screen.findByRole('dialog', { name: 'New case' }));
    expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'Alerts: 500 · Ticket store unavailable');
    expect(dialog.getByLabelText(/^Description/)).toHaveProperty('value', groupCase(GROUP).description);
  });

  it('stays with all that was written when the last letter leaves the list', async () => {
    const { end } = open(['read', 'write']);
    await userEvent.keyboard('c');
    const dialog = within(await screen.findByRole('dialog', { name: 'New case' }));
    await userEvent.type(dialog.getByLabelText(/^Tags/), 'tickets');
    await end();
    await screen.findByText('No dead letters left in this group.');
    const still = within(screen.getByRole('dialog', { name: 'New case' }));
    expect(still.getByLabelText(/^Tags/)).toHaveProperty('value', 'tickets');
  });

  it('is offered to nobody who may not write', async () => {
    open(['read']);
    expect(screen.queryByRole('button', { name: 'Open case' })).toBeNull();
    await userEvent.keyboard('c');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('has the cause, and links to the story, the group and its newest run', () => {
    const { teamId, description } = groupCase(GROUP);
    expect(teamId).toBe(3);
    expect(description.split('\n')).toEqual([
      '```',
      '500 · Ticket store unavailable',
      '```',
      '- Action: Ask tickets',
      expect.stringMatching(/^- Story: \[Alerts\]\(http.*\/stories\/12\)$/),
      expect.stringMatching(
        /^- Same error: \[53 dead letters since 2026-11-26T19:26:00Z\]\(http.*\/dead-letters\?of=12&action=32&kind=.*\), the last at 2026-11-26T20:15:01Z$/,
      ),
      expect.stringMatching(new RegExp(`^- Newest run: \\[${GUID}\\]\\(http.*/runs/12/${GUID}\\)$`)),
    ]);
    expect(groupCase({ ...GROUP, story_run_guid: null }).description).not.toContain('Newest run');
  });
});

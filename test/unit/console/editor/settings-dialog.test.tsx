import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ActiveStory } from '../../../../clients/typescript/api.js';
import { api } from '../../../../src/console/api/console-api.js';
import { keys } from '../../../../src/console/api/keys.js';
import { type Editor, EditorProvider } from '../../../../src/console/pages/editor/editor-context.js';
import { SettingsDialog } from '../../../../src/console/pages/editor/settings/settings-dialog.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';

const STORY = {
  id: 7,
  team_id: 3,
  name: 'Alerts',
  description: 'All of them',
  keep_events_for: 604_800,
  disabled: false,
  priority: false,
  locked: false,
  change_control_enabled: false,
  folder_id: 4,
  tags: ['soc', 'tier 1'],
  recipients: ['b@example.com', 'a@example.com'],
  run_subject: null,
  tests_on_publish: null,
  monitor_failures: true,
  synchronous_webhooks_enabled: false,
  api_entry_action_ids: [],
  api_exit_action_ids: [],
  entry_agent_id: 11,
  exit_agents: [13, 12],
  send_to_story_enabled: true,
  send_to_story_access: 'TEAM',
  send_to_story_skill_use_requires_confirmation: true,
  shared_team_slugs: [],
  owner: null,
  runbook: '',
} as unknown as ActiveStory;

/** Opens the settings. Returns what is sent, and whether the dialog was closed. */
function open(story: Partial<ActiveStory> = {}, draftId?: number, rights = ['write']) {
  const update = jest.spyOn(api.stories, 'update').mockResolvedValue(STORY);
  const agents = [11, 12, 13].map((id) => ({
    id,
    guid: String(id),
    type: id === 11 ? 'Agents::WebhookAgent' : 'Agents::TriggerAgent',
    name: `Action ${id}`,
    options: {},
  }));
  const store = createEditorStore({
    graph: { story_id: 7, version: 1, agents, links: [], notes: [] },
    etag: '"1"',
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, {
    teams: [
      { id: 3, slug: 'own', name: 'Own', rights },
      { id: 5, slug: 'other', name: 'Other', rights: ['write'] },
      { id: 6, slug: 'seen', name: 'Only seen', rights: ['read'] },
    ],
  });
  client.setQueryData(keys.folders, []);
  client.setQueryData(keys.testSettings, 'warn');
  client.setQueryData(keys.userNames, [{ id: 4, name: 'Ada Lovelace', email: 'ada@example.com' }]);
  const closed = jest.fn();
  render(
    <QueryClientProvider client={client}>
      <EditorProvider value={{ storyId: 7, draftId, teamId: 3, store } as unknown as Editor}>
        <SettingsDialog story={{ ...STORY, ...story }} onClose={closed} />
      </EditorProvider>
    </QueryClientProvider>,
  );
  return { update, closed };
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
const tick = (name: string | RegExp) => userEvent.click(screen.getByRole('checkbox', { name }));

describe('the settings of a story', () => {
  afterEach(() => jest.restoreAllMocks());

  it('are not sent if none has changed, whatever the order of lists and folders that are not read yet', async () => {
    const { update, closed } = open();
    await save();
    expect(closed).toHaveBeenCalled();
    expect(update).not.toHaveBeenCalled();
  });

  it('are sent as far as they have changed', async () => {
    const { update, closed } = open();
    const name = screen.getByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'Alarms');
    await tick('Enabled');
    await userEvent.type(screen.getByRole('textbox', { name: /^Tags/ }), ', new, soc');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Keep events for' }), '30 days');
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'Who can call it' }),
      'SPECIFIC_TEAMS',
    );
    await tick('Other');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: /^Entry/ }), 'None');
    await tick(/respond with the result/);
    await save();
    await waitFor(() => expect(closed).toHaveBeenCalled());
    expect(update).toHaveBeenCalledWith({
      id: 7,
      name: 'Alarms',
      disabled: true,
      tags: ['soc', 'tier 1', 'new'],
      keep_events_for: 2_592_000,
      send_to_story_access: 'SPECIFIC_TEAMS',
      shared_team_slugs: ['other'],
      entry_action_id: null,
      synchronous_webhooks_enabled: true,
    });
  });

  it('move the story to a team in which the person may write, out of its folder', async () => {
    const { update } = open();
    const team = screen.getByRole('combobox', { name: 'Team' });
    expect([...(team as HTMLSelectElement).options].map(({ value }) => value)).toEqual(['3', '5']);
    await userEvent.selectOptions(team, '5');
    await screen.findByText(/leaves its folder/);
    await save();
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, team_id: 5 }));
  });

  it('of a draft are without those that publishing never changes', async () => {
    const { update } = open({}, 9);
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    expect(screen.queryByRole('checkbox', { name: 'Enabled' })).toBeNull();
    expect(screen.getByText(/Publishing never changes them/)).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who can call it' }), 'OFF');
    await save();
    await waitFor(() =>
      expect(update).toHaveBeenCalledWith({ id: 7, draft_id: 9, send_to_story_access_source: 'OFF' }),
    );
  });

  it.each([
    { who: 'an editor', rights: ['write'], draftId: undefined, offered: 1 },
    { who: 'an admin', rights: ['write', 'manage'], draftId: undefined, offered: 3 },
    { who: 'an editor of a draft', rights: ['write'], draftId: 9, offered: 3 },
  ])('offer $who no choice for failing tests that is refused', ({ rights, draftId, offered }) => {
    open({ tests_on_publish: 'block' }, draftId, rights);
    const choice = screen.getByRole('combobox', { name: /^When tests fail/ });
    const words = within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
    expect(words).toHaveLength(offered);
    expect(words).toContain('Do not publish');
    expect(screen.queryByText('Only a team admin lets the story be published all the same.') !== null).toBe(
      offered === 1,
    );
  });

  it('name an owner, a person or a team, and take a runbook as it is written', async () => {
    const { update } = open({ owner: { type: 'TEAM', id: 9, name: 'Night shift' } });
    const owner = screen.getByRole<HTMLSelectElement>('combobox', { name: /^Owner/ });
    expect(owner.selectedOptions[0]?.textContent).toContain('Night shift');
    await userEvent.selectOptions(owner, 'USER 4');
    await userEvent.type(screen.getByRole('textbox', { name: /^Runbook/ }), '# Steps{Enter} - one ');
    await save();
    await waitFor(() =>
      expect(update).toHaveBeenCalledWith({
        id: 7,
        owner: { type: 'USER', id: 4 },
        runbook: '# Steps\n - one ',
      }),
    );
  });
});

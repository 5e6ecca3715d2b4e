import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ActiveStory } from '../../../clients/typescript/api.js';
import { api } from '../../../src/console/api/console-api.js';
import { keys } from '../../../src/console/api/keys.js';
import { SettingsTab } from '../../../src/console/pages/story/tabs/settings-tab.js';

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
  folder_id: null,
  tags: ['soc'],
  recipients: [],
  run_subject: null,
  tests_on_publish: null,
  monitor_failures: false,
  synchronous_webhooks_enabled: false,
  api_entry_action_ids: [],
  api_exit_action_ids: [],
  entry_agent_id: null,
  exit_agents: [],
  send_to_story_enabled: false,
  send_to_story_access: null,
  send_to_story_skill_use_requires_confirmation: true,
  shared_team_slugs: [],
  owner: null,
  runbook: '# Steps\n\n[a link](javascript:alert(1))',
  updated_at: '2026-11-26T20:00:00Z',
} as unknown as ActiveStory;
const LATER = { ...STORY, tags: ['soc', 'new'], updated_at: '2026-11-26T20:05:00Z' };

function open({ rights = ['read', 'write'], story = STORY, others = false } = {}) {
  const update = jest.spyOn(api.stories, 'update').mockResolvedValue(LATER);
  const get = jest.spyOn(api.stories, 'get').mockResolvedValue(story);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, {
    user: { id: 4 },
    teams: [
      { id: 3, slug: 'own', name: 'Own', rights },
      ...(others ? [{ id: 4, slug: 'other', name: 'Other', rights }] : []),
    ],
  });
  client.setQueryData(keys.folders, []);
  client.setQueryData(keys.testSettings, 'warn');
  client.setQueryData(keys.userNames, []);
  client.setQueryData(keys.story(7).self, story);
  const place = { storyId: 7, draftId: undefined };
  client.setQueryData(keys.place(place).graph, { actions: [], notes: [] });
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <SettingsTab story={story} place={place} />
    </QueryClientProvider>,
  );
  return {
    update,
    get,
    unmount,
    others: (later = LATER) => {
      get.mockResolvedValue(later);
      act(() => void client.setQueryData(keys.story(7).self, later));
    },
  };
}
const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
const runbook = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Runbook/ });
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const write = async (text: string) => {
  await userEvent.clear(runbook());
  await userEvent.type(runbook(), text);
};
const tags = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Tags/ });

describe('the settings on the page of a story', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
  });

  it('follow the story while nothing is typed', async () => {
    const { others } = open();
    expect(tags().value).toBe('soc');
    others();
    await waitFor(() => expect(tags().value).toBe('soc, new'));
  });

  it('send only what the person changed, though others changed something meanwhile', async () => {
    const { update, others } = open();
    await userEvent.type(name(), '!');
    others();
    await screen.findByText(/^The settings were changed in the meantime/);
    expect(tags().value).toBe('soc');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, name: 'Alerts!' }));
    await waitFor(() => expect(tags().value).toBe('soc, new'));
  });

  it('have whether use as a skill requires confirmation, which is on until a person turns it off', async () => {
    const { update } = open();
    const tick = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Ask before use as a skill/ });
    expect(tick.checked).toBe(true);
    await userEvent.click(tick);
    await userEvent.click(save());
    const change = { id: 7, send_to_story_skill_use_requires_confirmation: false };
    await waitFor(() => expect(update).toHaveBeenCalledWith(change));
  });

  it('offer an editor no way out of change control, and none to another team', async () => {
    const story = { ...STORY, change_control_enabled: true };
    const { update } = open({ story, others: true });
    const tick = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Change control/ });
    expect([tick.checked, tick.disabled]).toEqual([true, true]);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: /^Team/ }).disabled).toBe(true);
    await userEvent.type(name(), '!');
    await userEvent.click(save());
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, name: 'Alerts!' }));
  });

  it('let a team admin switch change control off', async () => {
    const { update } = open({
      story: { ...STORY, change_control_enabled: true },
      rights: ['read', 'write', 'manage'],
    });
    await userEvent.click(screen.getByRole('checkbox', { name: /^Change control/ }));
    await userEvent.click(save());
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, change_control_enabled: false }));
  });

  it('disable nothing by a tick: the menu of the page asks first', async () => {
    const { update } = open();
    expect(screen.queryByRole('checkbox', { name: 'Enabled' })).toBeNull();
    await userEvent.type(name(), '!');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, name: 'Alerts!' }));
  });

  it('keep a saved runbook: the next save does not send the old one', async () => {
    const { update, get } = open();
    const saved = { ...STORY, runbook: 'Call Ann.', updated_at: '2026-11-26T20:05:00Z' };
    update.mockResolvedValue(saved);
    await write('Call Ann.');
    // The server has it from now on.
    get.mockResolvedValue(saved);
    await userEvent.click(save());
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, runbook: 'Call Ann.' }));
    await waitFor(() => expect(save().disabled).toBe(true));
    expect(runbook().value).toBe('Call Ann.');
    await userEvent.type(tags(), ', new');
    await userEvent.click(save());
    await waitFor(() => expect(update).toHaveBeenLastCalledWith({ id: 7, tags: ['soc', 'new'] }));
  });

  it('show the newer runbook of a colleague, and save nothing over it until the person chooses', async () => {
    const { update, get, others } = open();
    await write('Mine');
    const theirs = { ...STORY, runbook: 'Theirs', updated_at: '2026-11-26T20:05:00Z' };
    get.mockResolvedValue(theirs);
    // The page is not told of it yet.
    await userEvent.click(save());
    await waitFor(() => expect(get).toHaveBeenCalled());
    others(theirs);
    const shown = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Their runbook' });
    expect([shown.value, runbook().value, save().disabled]).toEqual(['Theirs', 'Mine', true]);
    expect(update).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    await userEvent.click(save());
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, runbook: 'Mine' }));
  });

  it('outlive a change of the tab, until they are saved or discarded', async () => {
    const { unmount } = open();
    await userEvent.type(name(), '!');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who can call it' }), 'GLOBAL');
    const leaves = new Event('beforeunload', { cancelable: true });
    dispatchEvent(leaves);
    expect(leaves.defaultPrevented).toBe(true);
    unmount();
    const { update, unmount: close } = open({ story: LATER });
    screen.getByText(/^The settings were changed in the meantime/);
    expect([name().value, tags().value]).toEqual(['Alerts!', 'soc']);
    await userEvent.click(save());
    const access = { send_to_story_access_source: 'STS', send_to_story_access: 'GLOBAL' };
    await waitFor(() => expect(update).toHaveBeenCalledWith({ id: 7, name: 'Alerts!', ...access }));
    await waitFor(() => expect(save().disabled).toBe(true));
    await userEvent.type(name(), '?');
    await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(name().value).toBe('Alerts');
    close();
    expect(sessionStorage).toHaveLength(0);
  });

  it('are read, and not changed, by those who may not write', () => {
    open({ rights: ['read'] });
    expect(name().closest('fieldset')?.disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('show the runbook as Markdown without dangerous links', () => {
    open();
    expect(screen.getByText('Steps').className).toBe('markdown-heading');
    expect(screen.queryByRole('link', { name: 'a link' })).toBeNull();
  });
});

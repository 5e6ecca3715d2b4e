import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { GraphNote, Step } from '../../../../clients/typescript/api.js';
import { api } from '../../../../src/console/api/console-api.js';
import { keys } from '../../../../src/console/api/keys.js';
import { createDraftElements } from '../../../../src/console/canvas/draft-elements.js';
import { createCanvasWork } from '../../../../src/console/pages/editor/canvas/canvas-work.js';
import { type Editor, EditorProvider } from '../../../../src/console/pages/editor/editor-context.js';
import { SaveStepDialog } from '../../../../src/console/pages/editor/steps/save-step-dialog.js';
import { createViewStore } from '../../../../src/console/pages/editor/view-store.js';
import { stepOf, stepOfNote } from '../../../../src/console/story-model/fragment/action-step.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';
import type { Command } from '../../../../src/console/story-model/story-draft.js';
import { GRAPH } from '../story-model/drafts.js';

const STEP = {
  id: 6,
  guid: 's'.repeat(32),
  name: 'Ask for it',
  version: 1,
  actions: 1,
  team_id: 2,
  language: 'formula',
} as Step;
const SESSION = {
  user: { id: 3, is_owner: false },
  teams: [{ id: 2, name: 'Red', rights: ['read', 'write'] }],
};

/** Opens the dialog for two actions of a story. Returns the marks that its actions have then. */
function open(
  steps: Step[] = [],
  marked?: object,
  { notes = [], knowsLanguage = true }: { notes?: GraphNote[]; knowsLanguage?: boolean } = {},
) {
  const graph = JSON.parse(JSON.stringify(GRAPH)) as typeof GRAPH;
  if (marked !== undefined) Object.assign(graph.agents[1] ?? {}, { fabula_step: marked });
  if (notes.length > 0) Object.assign(graph, { notes });
  const store = createEditorStore({ graph, etag: '"7"' });
  const view = createViewStore({ actions: ['guid-2', 'guid-3'] });
  const editor = { store, view, readOnly: undefined, storyId: 12, teamId: 2 } as Editor;
  const run = (command: Command) => store.getState().run(command);
  const work = createCanvasWork({
    editor,
    run,
    elements: createDraftElements(),
    screen: null,
    cursor: undefined,
  });
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  client.setQueryData(keys.session, SESSION);
  client.setQueryData(keys.steps.ofTeam(2), steps);
  if (knowsLanguage) client.setQueryData(keys.sample(12, 'language'), 'formula');
  let closed = 0;
  render(
    <QueryClientProvider client={client}>
      <EditorProvider value={editor}>
        <SaveStepDialog work={work} onClose={() => (closed += 1)} />
      </EditorProvider>
    </QueryClientProvider>,
  );
  return {
    closed: () => closed,
    marks: () => [...store.getState().draft.actions.values()].map(stepOf),
    notes: () => [...store.getState().draft.notes.values()],
  };
}

/** The server keeps what it is sent, and names each action. */
function serve(version: number) {
  const sent: { agents: object[]; notes: object[] }[] = [];
  const keep = ({ content }: { content: unknown }) => {
    sent.push(content as { agents: object[]; notes: object[] });
    return Promise.resolve({ ...STEP, version }) as never;
  };
  const create = jest.spyOn(api.steps, 'create').mockImplementation(keep);
  const next = jest.spyOn(api.steps.versions, 'create').mockImplementation(keep);
  jest.spyOn(api.steps.versions, 'get').mockImplementation(() => {
    const agents = (sent[0]?.agents ?? []).map((agent, at) => ({
      ...agent,
      fabula_step: { guid: STEP.guid, version, action: `key ${at}` },
    }));
    const notes = (sent[0]?.notes ?? []).map((note, at) => ({
      ...note,
      fabula_step: { guid: STEP.guid, note: `note ${at}` },
    }));
    return Promise.resolve({ content: { ...sent[0], agents, notes } }) as never;
  });
  jest.spyOn(api.steps, 'list').mockImplementation(() => new Promise(() => undefined) as never);
  return { create, next, sent };
}

describe('stories as software: a selection that is saved as a step', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is sent without secrets, and its actions remember the step', async () => {
    const { create, sent } = serve(1);
    const { closed, marks } = open();
    await userEvent.clear(screen.getByLabelText('Name'));
    await userEvent.type(screen.getByLabelText('Name'), 'Ask for it');
    await userEvent.type(screen.getByLabelText('Why (optional)'), 'Used by all');
    expect(screen.queryByRole('option', { name: 'All teams' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(closed()).toBe(1));
    expect(create).toHaveBeenCalledWith(
      expect.objectContaining({
        name: 'Ask for it',
        team_id: 2,
        language: 'formula',
        reason: 'Used by all',
      }),
    );
    expect(sent[0]?.agents).toHaveLength(2);
    const [none, first, second] = marks();
    expect([none, first?.action, second?.action, first?.version]).toEqual([undefined, 'key 0', 'key 1', 1]);
    expect([first?.use, first?.use?.length]).toEqual([second?.use, 32]);
  });

  it('becomes the next version of the step that it came from, and the same use of it', async () => {
    const { next } = serve(2);
    const mark = { guid: STEP.guid, version: 1, action: 'key 0', use: 'mine' };
    const { closed, marks } = open([STEP], mark);
    expect(screen.getByRole('option', { name: 'A new version of Ask for it' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Save version 2' }));
    await waitFor(() => expect(closed()).toBe(1));
    expect(next).toHaveBeenCalledWith(expect.objectContaining({ id: 6, reason: '' }));
    expect(marks().map((each) => [each?.version, each?.use])).toEqual([
      [undefined, undefined],
      [2, 'mine'],
      [2, 'mine'],
    ]);
  });

  it('takes the notes of its step along, and marks them', async () => {
    const { sent } = serve(2);
    const mark = { guid: STEP.guid, version: 1, action: 'key 0', use: 'mine' };
    const noteMark = { guid: STEP.guid, note: 'note 0', use: 'mine' };
    const { closed, notes } = open([STEP], mark, {
      notes: [
        { id: 5, content: 'Ours', position: { x: 0, y: 0 }, fabula_step: noteMark },
        { id: 6, content: 'Other', position: { x: 0, y: 0 } },
      ],
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save version 2' }));
    await waitFor(() => expect(closed()).toBe(1));
    expect(sent[0]?.notes).toMatchObject([{ content: 'Ours' }]);
    expect(notes().map(stepOfNote)).toEqual([noteMark, undefined]);
    expect(notes()[0]?.guid).toMatch(/^[0-9a-f]{32}$/);
  });

  it('says which actions of its step it lacks', () => {
    const mark = { guid: STEP.guid, version: 1, action: 'key 0', use: 'mine' };
    open([{ ...STEP, actions: 2 }], mark);
    expect(
      screen.getByText('1 action of the step is not selected. Stories lose it with the update.'),
    ).toBeTruthy();
  });

  it('says why it cannot be saved yet if the language of the story is not known, and asks again', async () => {
    const preview = jest
      .spyOn(api.templates, 'previewMany')
      .mockRejectedValueOnce(new Error('The server is away'))
      .mockResolvedValue({ language: 'formula' } as never);
    open([], undefined, { knowsLanguage: false });
    await screen.findByRole('alert');
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save.disabled).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(save.disabled).toBe(false));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(preview).toHaveBeenCalledTimes(2);
  });

  it('is a step of its own if the known one is in the other language', async () => {
    const mark = { guid: STEP.guid, version: 1, action: 'key 0', use: 'mine' };
    open([{ ...STEP, language: 'liquid' }], mark);
    expect(screen.queryByRole('option', { name: 'A new version of Ask for it' })).toBeNull();
    expect(screen.getByLabelText('Name')).toBeTruthy();
  });
});

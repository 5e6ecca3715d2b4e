import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { GraphAction, StoryGraph } from '../../../../clients/typescript/api.js';
import { keys } from '../../../../src/console/api/keys.js';
import { ActionEditor } from '../../../../src/console/pages/editor/action/action-editor.js';
import { createRenamer } from '../../../../src/console/pages/editor/action/renamer.js';
import { type Editor, EditorProvider } from '../../../../src/console/pages/editor/editor-context.js';
import { FirstStepsStrip } from '../../../../src/console/pages/editor/first-steps-strip.js';
import { createViewStore } from '../../../../src/console/pages/editor/view-store.js';
import {
  beginFirstSteps,
  noteFirstStory,
  noteResponse,
} from '../../../../src/console/pages/home/first-steps/first-steps-store.js';
import { addBehind } from '../../../../src/console/story-model/commands/link-commands.js';
import { remove } from '../../../../src/console/story-model/commands/selection-commands.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';

const STORY = 7;
const HOOK = { type: 'Agents::WebhookAgent', name: 'Receive', guid: 'hook', options: {}, id: 5 };
const ANSWER = {
  type: 'Agents::EventTransformationAgent',
  name: 'Answer',
  options: { mode: 'message_only', payload: { message: '' } },
} as unknown as GraphAction;

jest.mock('../../../../src/console/api/console-api.js', () => ({
  api: {
    templates: { previewMany: () => Promise.resolve({ language: 'liquid', values: [], sample: null }) },
  },
}));
// A plain field stands in for the editor of templates.
jest.mock('../../../../src/console/inspector/template-field/code-mirror.js', () => ({
  createTemplateView: () => {
    throw new Error('There is no editor here.');
  },
}));

/** Opens a story that the server has with its webhook alone. */
function open(shown: ReactNode) {
  const graph = {
    story_id: STORY,
    version: 1,
    agents: [HOOK],
    links: [],
    notes: [],
  } as unknown as StoryGraph;
  const store = createEditorStore({ graph, etag: '"1"' });
  const editor = {
    store,
    view: createViewStore(),
    storyId: STORY,
    teamId: 3,
    readOnly: undefined,
    renamer: createRenamer(store, STORY, (command) => store.getState().run(command)),
  };
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  client.setQueryData(keys.session, { user: { id: 1 }, teams: [] });
  client.setQueryData(keys.story(STORY).self, { id: STORY, synchronous_webhooks_enabled: true });
  client.setQueryData(keys.story(STORY).newestRun, null);
  client.setQueryData(keys.story(STORY).sampleRuns, []);
  client.setQueryData(keys.sample(STORY, 'saved', '1'), []);
  client.setQueryData(keys.place({ storyId: STORY, draftId: undefined }).graph, {
    actions: [HOOK],
    notes: [],
  });
  client.setQueryData(keys.agentTypes, new Map());
  client.setQueryData(keys.callables, { functions: [], filters: [] });
  client.setQueryData(keys.names(3), { resources: [], credentials: [], stories: [] });
  render(
    <QueryClientProvider client={client}>
      <EditorProvider value={editor as unknown as Editor}>{shown}</EditorProvider>
    </QueryClientProvider>,
  );
  return {
    add: () => store.getState().run(addBehind('hook', ANSWER, 'answer')),
    removeHook: () => store.getState().run(remove({ actions: ['hook'] })),
  };
}

test('a first step is ticked by what is done here, before the server has told of it', () => {
  beginFirstSteps();
  noteFirstStory(STORY);
  const { add } = open(<FirstStepsStrip />);
  expect(screen.getByText('Step 2 of 4')).toBeTruthy();
  act(add);
  expect(screen.getByText('Step 3 of 4')).toBeTruthy();
  act(() => noteResponse(STORY));
  expect(screen.getByText(/All first steps are done/)).toBeTruthy();
});

test('a story without a webhook asks for one first, since no other step can be done', () => {
  beginFirstSteps();
  noteFirstStory(STORY);
  const { removeHook } = open(<FirstStepsStrip />);
  expect(screen.getByRole('button', { name: 'Open the webhook' })).toBeTruthy();
  act(removeHook);
  expect(screen.getByText(/First add a webhook/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Open the webhook' })).toBeNull();
});

test('an action that is not saved yet has the language of its story', async () => {
  const { add } = open(<ActionEditor actionKey="answer" />);
  act(add);
  const fields = await screen.findAllByPlaceholderText('Text, or {{ for a value');
  expect(fields.map((each) => each.getAttribute('aria-label'))).toContain('payload, message');
});

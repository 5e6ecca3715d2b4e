import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import type { AgentType, StoryGraph } from '../../../../clients/typescript/api.js';
import { keys } from '../../../../src/console/api/keys.js';
import { EditCanvas } from '../../../../src/console/pages/editor/canvas/edit-canvas.js';
import { type Editor, EditorProvider } from '../../../../src/console/pages/editor/editor-context.js';
import { createViewStore } from '../../../../src/console/pages/editor/view-store.js';
import { setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';
import { move } from '../../../../src/console/story-model/commands/selection-commands.js';

/** What was drawn, by name, in its order. */
const mockDrawn: string[] = [];
/** Whether the view is a map. */
let mockIsMap = false;

jest.mock('../../../../src/console/canvas/nodes/action-node.js', () => ({
  useIsMap: () => mockIsMap,
  ActionFrame: ({ data, children }: { data: { action: { name: string } }; children: unknown }) => {
    mockDrawn.push(data.action.name);
    return children;
  },
}));
jest.mock('../../../../src/console/pages/editor/canvas/adding/type-palette.js', () => ({
  TypePalette: () => {
    mockDrawn.push('palette');
    return null;
  },
}));
jest.mock('../../../../src/console/pages/editor/canvas/canvas-bar.js', () => ({
  CanvasBar: () => {
    mockDrawn.push('bar');
    return null;
  },
}));

const names = ['Receive', 'Ask', 'Answer', 'Tell'];

function open() {
  const graph = {
    story_id: 7,
    version: 1,
    agents: names.map((name, at) => ({
      type: 'Agents::EventTransformationAgent',
      name,
      guid: name,
      id: at + 1,
      options: {},
      position: { x: 0, y: 120 * at },
    })),
    links: [0, 1, 2].map((source) => ({ source, receiver: source + 1 })),
    notes: [],
  } as unknown as StoryGraph;
  const store = createEditorStore({ graph, etag: '"1"' });
  const editor = { store, view: createViewStore(), storyId: 7, teamId: 3, readOnly: undefined };
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, enabled: false } },
  });
  client.setQueryData(keys.agentTypes, new Map<string, AgentType>());
  render(
    <QueryClientProvider client={client}>
      <EditorProvider value={editor as unknown as Editor}>
        <EditCanvas />
      </EditorProvider>
    </QueryClientProvider>,
  );
  return store;
}

const paths = () =>
  [...document.querySelectorAll('.react-flow__edge-path')].map((path) => path.getAttribute('d'));

// Without a size the canvas has nothing in view.
beforeAll(() => {
  for (const side of ['offsetWidth', 'offsetHeight', 'clientWidth', 'clientHeight']) {
    Object.defineProperty(HTMLElement.prototype, side, { get: () => 900 });
  }
});

test('an action that is dragged is drawn anew, and neither another one nor what stands around the canvas', async () => {
  const store = open();
  await screen.findAllByRole('group', { name: /Ask/ });
  expect(mockDrawn).toEqual(expect.arrayContaining(['palette', 'bar', 'Ask', 'Answer']));
  mockDrawn.length = 0;
  for (const x of [15, 30, 45]) {
    act(() => store.getState().run(move({ actions: new Map([['Ask', { x, y: 120 }]]) })));
  }
  expect(mockDrawn.splice(0)).toEqual(['Ask', 'Ask', 'Ask']);
  // A key press in a field of it.
  act(() => store.getState().run(setOption('Ask', ['text'], 'Hi')));
  expect(mockDrawn).toEqual(['Ask']);
});

test('on a map each link is one path, and one of an action that is dragged follows it', async () => {
  mockIsMap = true;
  const store = open();
  await screen.findAllByRole('group', { name: /Ask/ });
  const before = paths();
  expect(before).toHaveLength(3);
  expect(document.querySelectorAll('.react-flow__edge, .react-flow__handle')).toHaveLength(0);
  act(() => store.getState().run(move({ actions: new Map([['Ask', { x: 90, y: 120 }]]) })));
  expect(paths().map((path, at) => path === before[at])).toEqual([false, false, true]);
});

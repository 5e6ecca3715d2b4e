import { act, render, screen } from '@testing-library/react';
import { useStore } from 'zustand';
import {
  actionOf,
  createEditorStore,
  type EditorStore,
} from '../../../../src/console/story-model/editor-store.js';
import { move } from '../../../../src/console/story-model/commands/selection-commands.js';
import { GRAPH } from './drafts.js';

/** One action, as a canvas would draw it; `onRender` hears of each time that it is drawn. */
function Drawn({
  store,
  name,
  onRender,
}: {
  store: EditorStore;
  name: string;
  onRender: (name: string) => void;
}) {
  const action = useStore(store, actionOf(name));
  onRender(name);
  return <div>{`${action?.name} at ${action?.position?.x}`}</div>;
}

test('an action that is dragged is drawn anew, and no other', () => {
  const store = createEditorStore({ graph: GRAPH, etag: '"7"' });
  const drawn: string[] = [];
  const keys = ['guid-1', 'guid-2', 'guid-3'];
  render(
    <>
      {keys.map((key) => (
        <Drawn key={key} store={store} name={key} onRender={(name) => drawn.push(name)} />
      ))}
    </>,
  );
  expect(drawn.splice(0)).toEqual(keys);
  for (const x of [10, 20, 30]) {
    act(() => store.getState().run(move({ actions: new Map([['guid-2', { x, y: 0 }]]) })));
  }
  expect(drawn).toEqual(['guid-2', 'guid-2', 'guid-2']);
  expect(screen.getByText('Ask at 30')).toBeTruthy();
});

import { useEffect, useState } from 'react';
import { followDraft, onLiveEvent } from '../../api/live.js';
import { beforeSignOut } from '../../api/session-api.js';
import { useOwner } from '../../api/signed-in.js';
import {
  createEditorStore,
  type EditorState,
  isDirty,
  type StoredGraph,
} from '../../story-model/editor-store.js';
import { newGuid } from '../../story-model/story-draft.js';
import { isolated } from '../../text/isolated.js';
import { say } from '../../ui/overlay/toasts.js';
import { createRenamer } from './action/renamer.js';
import { type Editor, runIn } from './editor-context.js';
import { graphServer } from './editor-data.js';
import { createKeeper } from './save/keeper.js';
import { announceTab } from './save/open-tabs.js';
import { createSaver } from './save/saver.js';
import { createViewStore } from './view-store.js';

type Opened = Pick<Editor, 'storyId' | 'draftId' | 'teamId' | 'readOnly'>;

/**
 * Opens a story for editing: it is saved by itself, and kept in this browser until it is. A component opens one story: give
 * it a `key` of the story and the draft.
 */
export function useOpenEditor(stored: StoredGraph, opened: Opened, action: string | undefined): Editor {
  const owner = useOwner();
  const id = opened.draftId ?? opened.storyId;
  const [parts] = useState(() => {
    const store = createEditorStore(stored);
    const view = createViewStore(action === undefined ? {} : { actions: [action] });
    const tab = newGuid();
    return {
      store,
      tab,
      view,
      saver: createSaver(store, graphServer(id)),
      keeper: createKeeper(store, view, { tab, owner, storyId: id }),
      renamer: createRenamer(store, id, (command) => runIn({ store, view }, command)),
    };
  });
  const { store, view, tab, saver, keeper, renamer } = parts;
  useEffect(() => {
    const withdraw = announceTab(tab);
    // What waits for its second of rest is sent; it is kept in this browser until the server has it.
    const close = async () => {
      const { busy, question } = renamer.state.getState();
      const isNamed = await renamer.settled();
      await saver.flush();
      saver.stop();
      keeper.stop();
      withdraw();
      if ((busy ?? question) !== undefined && !isNamed)
        say('A name was not changed: the editor closed before the rename was confirmed.', 'bad');
    };
    return () => void close();
  }, [tab, saver, keeper, renamer]);
  useEffect(() => {
    const isSaved = () => !isDirty(store.getState()) && view.getState().heldTexts.size === 0;
    const warn = (event: BeforeUnloadEvent) => {
      if (!isSaved() && !keeper.isKept.getState()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    const forget = beforeSignOut(async () => {
      const isNamed = await renamer.settled();
      await saver.flush();
      return isNamed && isSaved();
    });
    return () => {
      removeEventListener('beforeunload', warn);
      forget();
    };
  }, [store, view, saver, keeper, renamer]);
  useEffect(
    () =>
      store.subscribe((now, before) => {
        for (const name of removedByOthers(view.getState().selection.actions, now, before))
          say(`${isolated(name)} was deleted by someone else.`, 'bad');
      }),
    [store, view],
  );
  useEffect(
    () =>
      onLiveEvent(({ kind, data }) => {
        if (kind === 'resync' || (kind === 'story_changed' && data.story_id === id)) saver.refresh();
      }),
    [saver, id],
  );
  const { draftId } = opened;
  useEffect(() => (draftId === undefined ? undefined : followDraft(draftId)), [draftId]);
  return { ...opened, ...parts };
}

/** Returns the names of those of these actions that went with what others saved. */
function removedByOthers(keys: readonly string[], now: EditorState, before: EditorState): string[] {
  // A part that is removed here stays in the base until it is saved.
  if (now.base === before.base) return [];
  return keys.flatMap((key) => {
    const action = before.draft.actions.get(key);
    return action === undefined || now.draft.actions.has(key) ? [] : [action.name];
  });
}

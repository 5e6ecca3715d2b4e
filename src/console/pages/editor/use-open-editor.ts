import { useEffect, useState } from 'react';
import { onLiveEvent } from '../../api/live.js';
import { beforeSignOut } from '../../api/session-api.js';
import { useOwner } from '../../api/signed-in.js';
import { createEditorStore, isDirty, type StoredGraph } from '../../story-model/editor-store.js';
import { newGuid } from '../../story-model/story-draft.js';
import type { Editor } from './editor-context.js';
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
    };
  });
  const { store, view, tab, saver, keeper } = parts;
  useEffect(() => {
    const withdraw = announceTab(tab);
    return () => {
      // What waits for its second of rest is sent; it is kept in this browser until the server has it.
      void saver.flush().finally(() => {
        saver.stop();
        keeper.stop();
        withdraw();
      });
    };
  }, [tab, saver, keeper]);
  useEffect(() => {
    const isSaved = () => !isDirty(store.getState()) && view.getState().heldTexts.size === 0;
    const warn = (event: BeforeUnloadEvent) => {
      if (!isSaved() && !keeper.isKept.getState()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    const forget = beforeSignOut(() => saver.flush().then(isSaved));
    return () => {
      removeEventListener('beforeunload', warn);
      forget();
    };
  }, [store, view, saver, keeper]);
  useEffect(
    () =>
      onLiveEvent(({ kind, data }) => {
        if (kind === 'resync' || (kind === 'story_changed' && data.story_id === id)) saver.refresh();
      }),
    [saver, id],
  );
  return { ...opened, ...parts };
}

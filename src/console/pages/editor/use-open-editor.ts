import { useEffect, useState } from 'react';
import { onLiveEvent } from '../../api/live.js';
import { useSession } from '../../api/signed-in.js';
import { createEditorStore, type StoredGraph } from '../../story-model/editor-store.js';
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
  const owner = String(useSession().user.id);
  const id = opened.draftId ?? opened.storyId;
  const [parts] = useState(() => {
    const store = createEditorStore(stored);
    const tab = newGuid();
    return {
      store,
      tab,
      view: createViewStore(action === undefined ? {} : { actions: [action] }),
      saver: createSaver(store, graphServer(id)),
      keeper: createKeeper(store, { tab, owner, storyId: id }),
    };
  });
  const { tab, saver, keeper } = parts;
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
  useEffect(
    () =>
      onLiveEvent(({ kind, data }) => {
        if (kind === 'resync' || (kind === 'story_changed' && data.story_id === id)) saver.refresh();
      }),
    [saver, id],
  );
  return { ...opened, ...parts };
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import { changesBetween } from '../../../story-model/changes/draft-changes.js';
import type { EditorStore } from '../../../story-model/editor-store.js';
import type { ViewStore } from '../view-store.js';
import { keepWork, type KeptWork } from './journal.js';

/** Keeps what is not saved yet in this browser. */
export interface Keeper {
  /** Whether the browser has kept the last change; a private window may keep none. */
  isKept: StoreApi<boolean>;
  stop: () => void;
}

/** So many parts take a browser long to write: they are kept this often, and not in each frame of a drag. */
const MANY = { parts: 50, restMs: 250 };

/** Keeps each change at once: of several that come while the browser writes, the last one counts. */
export function createKeeper(
  store: EditorStore,
  view: Pick<ViewStore, 'getState' | 'subscribe'>,
  of: Pick<KeptWork, 'tab' | 'owner' | 'storyId'>,
  write: typeof keepWork = keepWork,
): Keeper {
  const isKept = createStore<boolean>(() => true);
  let isWriting = false;
  let isOld = false;

  const keep = async () => {
    if (isWriting) return;
    isWriting = true;
    while (isOld) {
      isOld = false;
      const { base, draft, unanswered } = store.getState();
      const changes = changesBetween(base, draft);
      // What was sent as it is now is in the changes already.
      const sent = unanswered.filter((each) => each.draft !== draft);
      const texts = [...view.getState().heldTexts.values()];
      try {
        await write({
          ...of,
          at: Date.now(),
          changes,
          sent: sent.map((each) => changesBetween(base, each.draft)),
          texts,
        });
        isKept.setState(true, true);
      } catch {
        isKept.setState(false, true);
      }
      const parts = changes.actions.length + changes.links.length + changes.notes.length;
      if (parts > MANY.parts) await new Promise((done) => setTimeout(done, MANY.restMs));
    }
    isWriting = false;
  };

  const keepNow = () => {
    isOld = true;
    void keep();
  };
  const ends = [
    store.subscribe(({ base, draft }, before) => {
      if (base !== before.base || draft !== before.draft) keepNow();
    }),
    view.subscribe(({ heldTexts }, before) => {
      if (heldTexts !== before.heldTexts) keepNow();
    }),
  ];
  return { isKept, stop: () => ends.forEach((end) => end()) };
}

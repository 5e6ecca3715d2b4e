import { useEffect, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { useOwner } from '../../../api/signed-in.js';
import { useEditor } from '../editor-context.js';
import type { PayloadPlace } from '../sample/payload-store.js';
import { keepRules, keptRules } from './rule-store.js';
import type { TrialState } from './trial-store.js';

const NOT_KEPT = 'This browser cannot store rules.';
const TOO_LONG = 'Too long to be kept: the rules are lost when the editor is closed.';

/** Brings back the rules that this browser keeps for the story, and keeps each change. Returns why they are not kept, in a sentence. */
export function useKeptRules(store: StoreApi<TrialState>): string | undefined {
  const owner = useOwner();
  const { storyId } = useEditor();
  const [lost, setLost] = useState<string>();
  useEffect(() => {
    const place = { owner, storyId };
    const onError = () => setLost(NOT_KEPT);
    const read = restore(store, place);
    read.catch(onError);
    return store.subscribe(({ rules }, before) => {
      if (rules === before.rules) return;
      keep(store, place, read).then((isKept) => setLost(isKept ? undefined : TOO_LONG), onError);
    });
  }, [store, owner, storyId]);
  return lost;
}

async function restore(store: StoreApi<TrialState>, place: PayloadPlace): Promise<void> {
  const rules = await keptRules(place);
  if (store.getState().rules.length === 0 && rules.length > 0) store.getState().setRules(rules);
}

/** What is kept must have been read before: a change in the meantime would replace it. */
async function keep(store: StoreApi<TrialState>, place: PayloadPlace, read: Promise<void>): Promise<boolean> {
  await read;
  return keepRules(place, store.getState().rules);
}

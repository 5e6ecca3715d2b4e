import { useEffect, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { useSession } from '../../../api/signed-in.js';
import { useEditor } from '../editor-context.js';
import { keepRules, keptRules } from './rule-store.js';
import type { TrialState } from './trial-store.js';

/** Brings back the rules that this browser keeps for the story, and keeps each change. Returns why they are not kept, in a sentence. */
export function useKeptRules(store: StoreApi<TrialState>): string | undefined {
  const owner = String(useSession().user.id);
  const { storyId } = useEditor();
  const [lost, setLost] = useState<string>();
  useEffect(() => {
    const place = { owner, storyId };
    const onError = () => setLost('This browser keeps no rules.');
    const read = keptRules(place).then((rules) => {
      if (store.getState().rules.length === 0) store.getState().setRules(rules);
    });
    read.catch(onError);
    return store.subscribe(({ rules }, before) => {
      if (rules === before.rules) return;
      const keep = async () => {
        await read;
        const isKept = await keepRules(place, store.getState().rules);
        setLost(isKept ? undefined : 'Too long to be kept: the rules are lost when the editor is closed.');
      };
      keep().catch(onError);
    });
  }, [store, owner, storyId]);
  return lost;
}

import { useState } from 'react';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { readText, useTextKey, writeText } from '../../../api/use-kept-text.js';
import type { GivenSettings } from '../../editor/settings/given-settings.js';

/** Settings that a person has changed and not saved, and the story as it was when the person began. */
export interface SettingsEdit {
  base: ActiveStory;
  changes: GivenSettings;
}

/**
 * Returns the changed settings of a story or a draft, kept as `useKeptText` keeps a text, and what keeps others; undefined
 * forgets them.
 */
export function useKeptSettings(
  storyId: number,
): [edit: SettingsEdit | undefined, keep: (next: SettingsEdit | undefined) => void] {
  const key = useTextKey(`story.${storyId}.settings`);
  const [edit, setEdit] = useState(() => editIn(readText(key)));
  const keep = (next: SettingsEdit | undefined) => {
    setEdit(next);
    writeText(key, next === undefined ? null : JSON.stringify(next));
  };
  return [edit, keep];
}

/** Returns the kept settings; undefined: there are none that can be read. */
function editIn(kept: string | null): SettingsEdit | undefined {
  if (kept === null) return undefined;
  try {
    const { base, changes } = JSON.parse(kept) as Partial<SettingsEdit>;
    return base && changes && { base, changes };
  } catch {
    return undefined;
  }
}

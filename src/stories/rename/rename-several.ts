import type { TemplateLanguage } from '../../language/face.js';
import type { Problem } from '../../platform/errors.js';
import { renameAction, type RenameOrder } from './rename-action.js';
import type { RenamePreview } from './rename-preview.js';

/** A document under edit, and actions of it that get other names. */
export interface SeveralRenames extends Pick<RenameOrder, 'agents' | 'links' | 'notes'> {
  /** By their places in `agents`; made one after the other. */
  renames: Pick<RenameOrder, 'index' | 'name'>[];
}

/** The actions and notes that change, and how many places. */
export type RenamesPreview = Pick<RenamePreview, 'count' | 'agents' | 'notes'>;

/** Returns what changes if these actions have other names; or why one cannot have its name. Changes nothing. */
export function renameSeveral(
  { links, renames, ...document }: SeveralRenames,
  language: TemplateLanguage,
): { preview: RenamesPreview; problems: [] } | { preview: undefined; problems: Problem[] } {
  const agents = [...document.agents];
  const notes = [...document.notes];
  const changed = new Map<number, RenamesPreview['agents'][number]>();
  const changedNotes = new Map<number, RenamesPreview['notes'][number]>();
  let count = 0;
  for (const { index, name } of renames) {
    const { preview, problems } = renameAction({ agents, links, notes, index, name }, language);
    if (preview === undefined) return { preview, problems };
    count += preview.count;
    for (const found of preview.agents) {
      const before = agents[found.index];
      if (before !== undefined) agents[found.index] = { ...before, ...found };
      changed.set(found.index, { ...changed.get(found.index), ...found });
    }
    for (const found of preview.notes) {
      const before = notes[found.index];
      if (before !== undefined) notes[found.index] = { ...before, content: found.content };
      changedNotes.set(found.index, found);
    }
  }
  return {
    preview: { count, agents: [...changed.values()], notes: [...changedNotes.values()] },
    problems: [],
  };
}

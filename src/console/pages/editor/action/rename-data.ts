import type { GraphAction, RenamePreview } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { rename, type Rewritten } from '../../../story-model/commands/action-commands.js';
import { changesBetween, merged } from '../../../story-model/changes/draft-changes.js';
import { toGraphBody } from '../../../story-model/graph-draft.js';
import type { Command, StoryDraft } from '../../../story-model/story-draft.js';

interface Renaming {
  /** The story or the draft. */
  id: number;
  key: string;
  name: string;
}

/** Asks what a new name changes; nothing is stored. @throws FabulaError for a name that no action may have. */
export function previewRename(draft: StoryDraft, { id, key, name }: Renaming): Promise<RenamePreview> {
  const { agents, links, notes } = toGraphBody(draft);
  return api.stories.renamePreview({
    story_id: id,
    agents: agents,
    links,
    ...(notes !== undefined && { notes: notes }),
    index: [...draft.actions.keys()].indexOf(key),
    name,
  });
}

/** Returns how many references change; the name of the action itself is none. */
export const countOfReferences = ({ count }: RenamePreview): number => count - 1;

/**
 * Renames an action with the references that were found in a draft. What has changed since, as by a colleague while a person
 * was asked, stays.
 */
export function renameAsFound(
  key: string,
  name: string,
  { draft: looked, preview }: { draft: StoryDraft; preview: RenamePreview },
): Command {
  const { label, draft: renamed } = rename(key, name, rewrittenBy(looked, preview))(looked);
  const changes = changesBetween(looked, renamed);
  return (draft) => ({ label, draft: merged(draft, changes, 'change') });
}

/** Returns what the command changes. The places of the response are those of the draft that was sent. */
function rewrittenBy(draft: StoryDraft, preview: RenamePreview): Rewritten {
  const keys = { actions: [...draft.actions.keys()], notes: [...draft.notes.keys()] };
  return {
    actions: new Map(
      preview.agents.flatMap(({ index, guid: _guid, name: _name, ...fields }) =>
        keyed(keys.actions, index, fields as Partial<GraphAction>),
      ),
    ),
    notes: new Map(preview.notes.flatMap(({ index, content }) => keyed(keys.notes, index, content))),
    count: countOfReferences(preview),
  };
}

function keyed<Value>(keys: readonly string[], at: number, value: Value): [string, Value][] {
  const key = keys[at];
  return key === undefined ? [] : [[key, value]];
}

import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { changesOf } from '../../event/payload-changes.js';
import { ChangeTable } from '../../event/change-table.js';
import type { Selection, StoryDraft } from '../../../story-model/story-draft.js';
import { useEdited, useEditor } from '../editor-context.js';

type Part = keyof Selection;

/** Asks, for each part that somebody else has changed too, which version counts. */
export function ContestedParts({ onClose }: { onClose: () => void }) {
  const contested = useEdited((state) => state.contested);
  const parts = (['actions', 'links', 'notes'] as const).flatMap((part) =>
    (contested[part] ?? []).map((key) => ({ part, key })),
  );
  if (parts.length === 0) return null;
  return (
    <Dialog
      wide
      title="Changed by someone else too"
      about="Choose which version to keep for each part. The rest was merged."
      onClose={onClose}
    >
      <div className="dialog-body stack">
        {parts.map(({ part, key }) => (
          <ContestedPart key={`${part} ${key}`} part={part} partKey={key} />
        ))}
      </div>
    </Dialog>
  );
}

function ContestedPart({ part, partKey }: { part: Part; partKey: string }) {
  const { store } = useEditor();
  const base = useEdited((state) => state.base);
  const draft = useEdited((state) => state.draft);
  const mine = draft[part].get(partKey);
  const theirs = base[part].get(partKey);
  const settle = (side: 'mine' | 'theirs') => store.getState().settle(part, partKey, side);
  return (
    <section className="stack">
      <div className="row">
        <h3 className="grow wrap">{titleOf(part, partKey, draft, base)}</h3>
        <Button onClick={() => settle('theirs')}>Use saved version</Button>
        <Button look="main" onClick={() => settle('mine')}>
          Keep mine
        </Button>
      </div>
      <ChangeTable changes={changesOf(theirs, mine).changes} before="Saved version" after="Mine" />
    </section>
  );
}

/** `Ask`, `Link from Ask to Decide`, `Note`. */
function titleOf(part: Part, key: string, draft: StoryDraft, base: StoryDraft): string {
  const nameOf = (action: string) => (draft.actions.get(action) ?? base.actions.get(action))?.name ?? '';
  if (part === 'notes') return 'Note';
  if (part === 'actions') return nameOf(key);
  const link = draft.links.get(key) ?? base.links.get(key);
  return link === undefined ? 'Link' : `Link from ${nameOf(link.source)} to ${nameOf(link.receiver)}`;
}

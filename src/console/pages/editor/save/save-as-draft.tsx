import { api } from '../../../api/console-api.js';
import { useSession } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { carriedOver } from '../../../story-model/changes/carried-over.js';
import { fromGraph, toGraphBody } from '../../../story-model/graph-draft.js';
import { Button } from '../../../ui/form/button.js';
import { say } from '../../../ui/overlay/toasts.js';
import { freeDraftName } from '../../story/edit/draft-name.js';
import { useDrafts } from '../../story/story-data.js';
import { useEditorPlace } from '../editor-address.js';
import { type Editor, useEditor } from '../editor-context.js';
import { graphServer } from '../editor-data.js';
import { forgetWork } from './journal.js';

/** Saves what is open as another draft: the one that it was is gone. */
export function SaveAsDraft() {
  const editor = useEditor();
  const { storyId, view, keeper, tab } = editor;
  const { user } = useSession();
  const drafts = useDrafts(storyId).data ?? [];
  const [, go] = useEditorPlace(storyId);
  const saving = useChange((name: string) => saveAsDraft(editor, name), {
    did: 'Saved as a new draft',
    old: ['drafts'],
    onDone: (id) => {
      keeper.stop();
      // It is offered nowhere any more.
      forgetWork(tab).catch(() => undefined);
      go({ draft: id, action: undefined });
    },
  });
  const save = () => {
    // A text that cannot be read is no part of the story.
    if (view.getState().heldTexts.size > 0)
      return say('First fix or discard the text that cannot be read.', 'bad');
    saving.mutate(freeDraftName(user, drafts));
  };
  return (
    <Button disabled={saving.isPending} onClick={save}>
      Save as a new draft
    </Button>
  );
}

/** Returns the id of the new draft. @throws FabulaError; the new draft is deleted then. */
async function saveAsDraft({ store, storyId }: Editor, name: string): Promise<number> {
  const { id } = await api.stories.drafts.create({ id: storyId, name });
  try {
    const server = graphServer(id);
    const { graph, etag } = await server.read();
    const copy = fromGraph(graph);
    const { draft, base } = store.getState();
    await server.write(toGraphBody(carriedOver(draft, base, copy), copy), etag);
    return id;
  } catch (error) {
    // Whether it goes or stays: the changes are still here.
    await api.stories.drafts.delete({ id: storyId, draft_id: id }).catch(() => undefined);
    throw error;
  }
}

import { lazy, Suspense } from 'react';
import { useParams } from 'wouter';
import type { ActiveStory } from '../../../../clients/typescript/api.js';
import { useMay } from '../../api/signed-in.js';
import { isAbsent } from '../../text/problems.js';
import type { StoredGraph } from '../../story-model/editor-store.js';
import { NotFoundPage } from '../../ui/not-found-page.js';
import { isolated } from '../../text/isolated.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Failed, Loading } from '../../ui/states.js';
import { guardsOf, GUARD_WORDS } from '../story/story-guards.js';
import { useDrafts, useStory } from '../story/story-data.js';
import { ActionEditor } from './action/action-editor.js';
import { RenameAsked } from './action/name-field.js';
import { EditCanvas } from './canvas/edit-canvas.js';
import { type EditorView, useEditorPlace } from './editor-address.js';
import { EditorProvider, useEdited, useView } from './editor-context.js';
import { useOpenedGraph } from './editor-data.js';
import styles from './editor.module.css';
import { FirstStepsStrip } from './first-steps-strip.js';
import { EditorHead } from './head/editor-head.js';
import { INSPECTOR, INSPECTOR_COVERS_PX, useEscapeToStory } from './inspector-focus.js';
import { LiveRegion } from './live-region.js';
import { Outline } from './outline/outline.js';
import { DraftGone } from './save/draft-gone.js';
import { UnsavedChanges } from './save/unsaved-changes.js';
import { HeldTexts } from './text/held-texts.js';
import { useOpenEditor } from './use-open-editor.js';

const TrialPanel = lazy(async () => ({ default: (await import('./trial/trial-panel.js')).TrialPanel }));
const TextView = lazy(async () => ({ default: (await import('./text/text-view.js')).TextView }));

/** A story or a draft of it under edit. */
export function EditorPage() {
  const storyId = Number(useParams<{ id: string }>().id);
  const [{ draft: draftId }] = useEditorPlace(storyId);
  const id = draftId ?? storyId;
  const story = useStory(storyId);
  const edited = useStory(id);
  const graph = useOpenedGraph(id);
  useTitle(story.data === undefined ? 'Editor' : `Edit ${isolated(story.data.name)}`);
  const error = story.error ?? edited.error ?? graph.error;
  if (story.data === undefined || edited.data === undefined || graph.data === undefined) {
    if (error && isAbsent(error)) {
      const isDraftGone = story.data !== undefined && draftId !== undefined;
      return isDraftGone ? <DraftGone storyId={storyId} draftId={draftId} /> : <NotFoundPage />;
    }
    const retry = () => Promise.all([story.refetch(), edited.refetch(), graph.refetch()]);
    return error ? <Failed error={error} retry={retry} /> : <Loading lines={8} />;
  }
  return (
    <OpenEditor key={id} story={story.data} edited={edited.data} draftId={draftId} stored={graph.data} />
  );
}

interface OpenEditorProps {
  /** The live story. */
  story: ActiveStory;
  /** The draft, or the live story. */
  edited: ActiveStory;
  draftId: number | undefined;
  stored: StoredGraph;
}

function OpenEditor({ story, edited, draftId, stored }: OpenEditorProps) {
  const [place, go] = useEditorPlace(story.id);
  const mayWrite = useMay('write', story.team_id);
  const drafts = useDrafts(story.id).data;
  const [guard] = guardsOf(edited);
  const readOnly = mayWrite
    ? guard && GUARD_WORDS[guard]
    : 'Your role in this team does not allow changing stories.';
  const editor = useOpenEditor(
    stored,
    { storyId: story.id, draftId, teamId: story.team_id, readOnly },
    place.action,
  );
  const view = place.view ?? (innerWidth < INSPECTOR_COVERS_PX ? 'outline' : 'canvas');
  return (
    <EditorProvider value={editor}>
      <div className={styles['editor']}>
        <EditorHead
          name={story.name}
          draftName={
            draftId === undefined ? undefined : (drafts?.find(({ id }) => id === draftId)?.name ?? 'draft')
          }
          view={view}
          onView={(next) => go({ view: next })}
        />
        <FirstStepsStrip />
        <UnsavedChanges />
        <HeldTexts />
        <div className={styles['body']}>
          <div className={styles['main']}>
            <View view={view} />
            <Trial />
          </div>
          {(view !== 'text' || innerWidth >= INSPECTOR_COVERS_PX) && <Side />}
        </div>
        <LiveRegion />
        <RenameAsked />
      </div>
    </EditorProvider>
  );
}

function View({ view }: { view: EditorView }) {
  if (view === 'outline') return <Outline />;
  if (view === 'canvas') return <EditCanvas />;
  return (
    <Suspense fallback={<Loading />}>
      <TextView />
    </Suspense>
  );
}

/** What the version under edit does with the sample. */
function Trial() {
  const isOpen = useView(({ trying }) => trying.isOpen);
  if (!isOpen) return null;
  return (
    <Suspense fallback={<Loading />}>
      <TrialPanel />
    </Suspense>
  );
}

/** The action that is chosen alone. */
function Side() {
  const [first, ...others] = useView(({ selection }) => selection.actions);
  // An address may name an action that is gone, and somebody else may remove the chosen one.
  const isThere = useEdited(({ draft }) => first !== undefined && draft.actions.has(first));
  useEscapeToStory();
  if (first === undefined || !isThere || others.length > 0) return null;
  return (
    // Another action is shown from its top.
    <aside key={first} {...INSPECTOR} className={styles['side']} aria-label="Selected action">
      <ActionEditor actionKey={first} />
    </aside>
  );
}

import {
  Braces,
  EllipsisVertical,
  FlaskConical,
  History,
  ListTree,
  type LucideIcon,
  Redo2,
  Undo2,
  Workflow,
} from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useStore } from 'zustand';
import { useKeys } from '../../../keys/use-keys.js';
import { wordsOf } from '../../../story-model/commands/selection-commands.js';
import { type Journal, stayingParts } from '../../../story-model/draft-history.js';
import { isolated } from '../../../text/isolated.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { Menu, MenuItem } from '../../../ui/overlay/menu.js';
import { Badge } from '../../../ui/words/badge.js';
import type { EditorView } from '../editor-address.js';
import { useEdited, useEditor, useView } from '../editor-context.js';
import { PresentList } from '../presence/present-list.js';
import { SampleChooser } from '../sample/sample-chooser.js';
import { SettingsButton } from '../settings/settings-button.js';
import { publishAddress, versionsAddress } from '../publish/publish-address.js';
import { SaveStatus } from '../save/save-status.js';
import styles from '../editor.module.css';

const VIEWS: Record<EditorView, [string, LucideIcon]> = {
  canvas: ['Canvas', Workflow],
  outline: ['Outline', ListTree],
  text: ['Text', Braces],
};

interface EditorHeadProps {
  name: string;
  /** The name of the draft; undefined: the live story is edited. */
  draftName: string | undefined;
  view: EditorView;
  onView: (view: EditorView) => void;
}

/** The name of the story, what is undone next, how far it is saved, and the ways to look at it. */
export function EditorHead({ name, draftName, view, onView }: EditorHeadProps) {
  const { storyId, draftId } = useEditor();
  const back = draftId === undefined ? `/stories/${storyId}` : `/stories/${storyId}?draft=${draftId}`;
  return (
    <header className={styles['head']}>
      <h1 className="grow cut" title={name}>
        <Link href={back} className="soft">
          {name}
        </Link>
      </h1>
      {draftName === undefined ? (
        <Badge tone="warn" title="Every change is saved to the live story at once.">
          live story
        </Badge>
      ) : (
        <Badge tone="info">{draftName}</Badge>
      )}
      <SaveStatus />
      <PresentList />
      <div className={styles['tools']}>
        <SampleChooser />
        <UndoButtons />
        <TryButton />
        <SettingsButton />
        <div className="row" role="group" aria-label="View">
          {Object.entries(VIEWS).map(([name, [word, Icon]]) => (
            <Button
              key={name}
              look="quiet"
              className={styles['short'] ?? ''}
              title={word}
              aria-pressed={view === name}
              onClick={() => onView(name as EditorView)}
            >
              <Icon className={styles['viewIcon']} aria-hidden="true" /> <span>{word}</span>
            </Button>
          ))}
        </div>
      </div>
      <Publication />
    </header>
  );
}

/** Opens and closes the panel of trials; the key also runs one, in fields too. */
function TryButton() {
  const { view } = useEditor();
  const isOpen = useView(({ trying }) => trying.isOpen);
  const tryNow = () => view.getState().askTrial();
  useKeys('page', { 'Mod+enter': tryNow });
  useKeys('field', { 'Mod+enter': tryNow });
  return (
    <Button
      className={styles['short'] ?? ''}
      title="Run this version in memory. Ctrl or Command + Enter runs it at once"
      aria-expanded={isOpen}
      onClick={() => view.getState().openTrial(!isOpen)}
    >
      <FlaskConical aria-hidden="true" /> <span>Try</span>
    </Button>
  );
}

/** Leads to publication and versions, once all is saved: what they compare is what the server has. */
function Publication() {
  const { storyId, draftId, saver, renamer, view } = useEditor();
  const [, go] = useLocation();
  const { kind } = useStore(saver.state);
  const isBlocked = kind === 'contested' || kind === 'refused';
  const leave = async (address: string) => {
    const isNamed = await renamer.settled();
    await saver.flush();
    if (isNamed && saver.state.getState().kind === 'saved') go(address);
    else view.getState().say('Not saved yet: nothing was opened.');
  };
  return (
    <div className="row">
      {draftId !== undefined && (
        <Button
          look="main"
          disabled={isBlocked}
          title={isBlocked ? 'The draft is not saved.' : undefined}
          onClick={() => void leave(publishAddress(storyId, draftId))}
        >
          Publish…
        </Button>
      )}
      <Menu
        button={
          <IconButton label="More">
            <EllipsisVertical />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => void leave(versionsAddress(storyId, draftId))}>
          <History aria-hidden="true" /> Versions
        </MenuItem>
      </Menu>
    </div>
  );
}

/** Returns what is not removed, and why; empty if all of it is. */
function stayingWords(journal: Journal, way: 'undo' | 'redo'): string {
  const { actions, links, notes } = stayingParts(journal, way);
  const isLinkAlone = actions.length + notes.length === 0;
  const words = wordsOf(journal.draft, isLinkAlone ? { links } : { actions, notes });
  return words === '' ? '' : `. Kept, because someone else changed it: ${isolated(words)}`;
}

/** Undo and redo, each with the name of the change. */
function UndoButtons() {
  const { store, view } = useEditor();
  const last = useEdited(({ history }) => history.past.at(-1)?.label);
  const next = useEdited(({ history }) => history.future[0]?.label);
  const undo = () => {
    if (last === undefined) return;
    const staying = stayingWords(store.getState(), 'undo');
    store.getState().undo();
    view.getState().say(`Undone: ${last}${staying}`);
  };
  const redo = () => {
    if (next === undefined) return;
    const staying = stayingWords(store.getState(), 'redo');
    store.getState().redo();
    view.getState().say(`Redone: ${next}${staying}`);
  };
  useKeys('page', { 'Mod+z': (event) => (event.shiftKey ? redo() : undo()), 'Mod+y': redo });
  return (
    <div className="row">
      <IconButton
        label={last === undefined ? 'Undo' : `Undo: ${last}`}
        disabled={last === undefined}
        onClick={undo}
      >
        <Undo2 />
      </IconButton>
      <IconButton
        label={next === undefined ? 'Redo' : `Redo: ${next}`}
        disabled={next === undefined}
        onClick={redo}
      >
        <Redo2 />
      </IconButton>
    </div>
  );
}

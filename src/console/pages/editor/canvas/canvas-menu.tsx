import { ContextMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Place } from '../../../story-model/story-draft.js';
import { kindOfLink, type LinkKind } from '../../../story-model/story-draft.js';
import { portsOf } from '../../../canvas/draft-elements.js';
import { copyText } from '../../../ui/words/copy-text.js';
import type { Asked } from './asked.js';
import type { CanvasWork } from './canvas-work.js';
import { copiedText, pasteFromClipboard } from './clipboard.js';
import styles from './edit-canvas.module.css';

/** Something that may be done with what is chosen. */
export interface CanvasAction {
  label: string;
  keys?: string;
  /** Those of a group stand together. */
  group: number;
  onSelect: () => void;
}

interface CanvasActionParts {
  work: CanvasWork;
  mayChange: boolean;
  /** The place that the pointer is at; undefined: the middle. */
  at: Place | undefined;
  onAsk: (asked: Asked) => void;
  onAdd: (at: Place | undefined) => void;
  onNote: (at: Place | undefined) => void;
  onOpen: (key: string) => void;
  onMoving: () => void;
}

const CARRY: Record<LinkKind, string> = {
  DEFAULT: 'Carry events',
  NO_MATCH: 'Carry events without a match',
  FAILURE: 'Carry failures',
};

/** Returns what may be done with what is chosen now, in the order in which a menu shows it. */
export function canvasActions(parts: CanvasActionParts): CanvasAction[] {
  const { work, mayChange } = parts;
  const { actions, links, notes } = work.targets();
  const count = actions.length + notes.length;
  const all = [
    ...(count === 1 && links.length === 0 ? forOne(parts, actions[0], notes[0]) : []),
    ...(links.length === 1 && count === 0 ? forLink(parts, links[0] ?? '') : []),
    ...(count > 0 ? forParts(parts, count) : []),
    ...forCanvas(parts, actions.length),
    ...(mayChange && count + links.length > 0
      ? [{ label: 'Delete', keys: 'Delete', group: 3, onSelect: work.remove }]
      : []),
  ];
  return all.toSorted((a, b) => a.group - b.group);
}

function forOne(
  parts: CanvasActionParts,
  action: string | undefined,
  note: string | undefined,
): CanvasAction[] {
  const { onAsk, onOpen, mayChange } = parts;
  if (action === undefined) {
    return mayChange && note !== undefined
      ? [{ label: 'Edit the text', keys: 'Enter', group: 0, onSelect: () => onOpen(note) }]
      : [];
  }
  const open = { label: 'Open', keys: 'Enter', group: 0, onSelect: () => onOpen(action) };
  const links = {
    label: 'Links…',
    keys: 'Shift L',
    group: 0,
    onSelect: () => onAsk({ kind: 'links', of: action }),
  };
  if (!mayChange) return [open, links];
  const link = {
    label: 'Link to another action…',
    keys: 'l',
    group: 0,
    onSelect: () => onAsk({ kind: 'link', source: action }),
  };
  return [open, link, links];
}

function forLink({ work, mayChange, onAsk }: CanvasActionParts, key: string): CanvasAction[] {
  const { links, actions } = work.draft();
  const link = links.get(key);
  if (link === undefined || !mayChange) return [];
  const kinds = portsOf(actions.get(link.source) ?? { type: '' }).filter((kind) => kind !== kindOfLink(link));
  return [
    {
      label: 'Change target…',
      group: 0,
      onSelect: () => onAsk({ kind: 'end', link: key, end: 'receiver' }),
    },
    {
      label: 'Change source…',
      group: 0,
      onSelect: () => onAsk({ kind: 'end', link: key, end: 'source' }),
    },
    ...kinds.map((kind) => ({ label: CARRY[kind], group: 1, onSelect: () => work.reconnect(key, { kind }) })),
  ];
}

function forParts({ work, mayChange, onMoving, onAsk }: CanvasActionParts, count: number): CanvasAction[] {
  const copy = (isWithoutSecrets: boolean) => {
    const text = copiedText(work, isWithoutSecrets);
    if (text !== undefined)
      void copyText(text, isWithoutSecrets ? 'the selection without secrets' : 'the selection');
  };
  const copies: CanvasAction[] = [
    { label: 'Copy', keys: 'Ctrl C', group: 3, onSelect: () => copy(false) },
    { label: 'Copy without secrets', group: 3, onSelect: () => copy(true) },
  ];
  if (!mayChange) return copies;
  return [
    { label: 'Duplicate', keys: 'Ctrl D', group: 2, onSelect: work.duplicate },
    { label: 'Move with the arrow keys', keys: 'm', group: 2, onSelect: onMoving },
    ...copies,
    ...(work.targets().actions.length > 0
      ? [{ label: 'Save as a step…', keys: 'Shift S', group: 3, onSelect: () => onAsk({ kind: 'step' }) }]
      : []),
    ...(count > 1
      ? [
          { label: 'Align left', group: 4, onSelect: () => work.arrange('left') },
          { label: 'Align centres', group: 4, onSelect: () => work.arrange('centre') },
          { label: 'Align tops', group: 4, onSelect: () => work.arrange('top') },
        ]
      : []),
    ...(count > 2
      ? [
          { label: 'Distribute horizontally', group: 4, onSelect: () => work.arrange('across') },
          { label: 'Distribute vertically', group: 4, onSelect: () => work.arrange('down') },
        ]
      : []),
  ];
}

function forCanvas(parts: CanvasActionParts, chosen: number): CanvasAction[] {
  const { work, mayChange, at, onAsk, onAdd, onNote } = parts;
  const looks: CanvasAction[] = [
    { label: 'Find an action…', keys: '/', group: 7, onSelect: () => onAsk({ kind: 'find' }) },
    { label: 'Select all', keys: 'Ctrl A', group: 7, onSelect: work.chooseAll },
    { label: 'Keys of the canvas', keys: '?', group: 8, onSelect: () => onAsk({ kind: 'keys' }) },
  ];
  if (!mayChange) return looks;
  return [
    { label: 'Add an action…', keys: 'a', group: 5, onSelect: () => onAdd(at) },
    { label: 'Add a note', keys: 'n', group: 5, onSelect: () => onNote(at) },
    { label: 'Paste', keys: 'Ctrl V', group: 5, onSelect: () => void pasteFromClipboard(work, at) },
    {
      label: chosen > 1 ? 'Tidy up the selection' : 'Tidy up the story',
      keys: 't',
      group: 6,
      onSelect: work.tidy,
    },
    ...looks,
  ];
}

interface CanvasContextMenuProps {
  /** Asked for when the menu opens. */
  actions: () => CanvasAction[];
  /** Is told what the menu is opened over, before it opens. */
  onOver: (target: Element, point: Place) => void;
  /** Is called once it is closed. */
  onClosed: () => void;
  children: ReactNode;
}

/** The menu that a press of the second button opens, or the key for menus. */
export function CanvasContextMenu({ actions, onOver, onClosed, children }: CanvasContextMenuProps) {
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger asChild>
        <div
          className={styles['area']}
          onContextMenu={({ target, clientX, clientY }) =>
            onOver(target as Element, { x: clientX, y: clientY })
          }
        >
          {children}
        </div>
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          className={`menu ${styles['menu']}`}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            // What an item does gives the focus to where it belongs.
            event.preventDefault();
            requestAnimationFrame(onClosed);
          }}
        >
          <ContextItems actions={actions} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

/** Drawn only while the menu is open, so that it is about what is chosen then. */
function ContextItems({ actions }: { actions: () => CanvasAction[] }) {
  return actions().map(({ label, keys, group, onSelect }, at, all) => (
    <div key={label} role="presentation">
      {at > 0 && all[at - 1]?.group !== group && <ContextMenu.Separator className="menu-line" />}
      <ContextMenu.Item className="menu-item" onSelect={onSelect}>
        <span className="grow">{label}</span>
        {keys !== undefined && <kbd className="faint">{keys}</kbd>}
      </ContextMenu.Item>
    </div>
  ));
}

import type { NodeProps } from '@xyflow/react';
import { createContext, memo, useContext } from 'react';
import { Markdown } from '../../ui/markdown/markdown.js';
import type { EditNoteNode } from '../draft-elements.js';
import styles from './note.module.css';

/** The note whose text is open. It is a context, so that its changes do not make the nodes anew. */
export const NoteEditing = createContext<{
  open: string | undefined;
  onOpen: (key: string) => void;
  /** Undefined: the text stays as it was. */
  onDone: (key: string, text: string | undefined) => void;
}>({ open: undefined, onOpen: () => undefined, onDone: () => undefined });

const noName = () => '';
/** The person has just asked for this field. It is one function, so that it runs once. */
const focusOn = (field: HTMLElement | null) => field?.focus();

/** A note under edit: its Markdown, or its text while it is written. A double press or Enter opens it. */
export const EditNoteBox = memo(function EditNoteBox({ id, data, selected }: NodeProps<EditNoteNode>) {
  const { open, onOpen, onDone } = useContext(NoteEditing);
  if (open === id) {
    return (
      <textarea
        className={`input text-area ${styles['text']} nodrag nopan nowheel`}
        aria-label="Text of the note, in Markdown"
        defaultValue={data.content}
        ref={focusOn}
        onBlur={({ target }) => onDone(id, target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onDone(id, undefined);
        }}
      />
    );
  }
  const looks = [styles['note'], selected && 'chosen', data.isContested && 'contested'].filter(Boolean);
  return (
    <div className={looks.join(' ')} onDoubleClick={() => onOpen(id)}>
      {data.content.trim() === '' ? (
        <span className={styles['empty']}>Empty note</span>
      ) : (
        <Markdown text={data.content} nameOf={noName} />
      )}
    </div>
  );
});

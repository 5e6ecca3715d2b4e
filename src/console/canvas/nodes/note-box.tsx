import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import type { NoteNode } from '../graph-elements.js';
import styles from './note.module.css';

/** A note of the author, as text: marks of Markdown stay as they are. */
export const NoteBox = memo(function NoteBox({ data }: NodeProps<NoteNode>) {
  return <div className={`${styles['note']} ${styles['plain']}`}>{data.content}</div>;
});

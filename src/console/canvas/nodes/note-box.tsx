import type { NodeProps } from '@xyflow/react';
import { lazy, memo, Suspense } from 'react';
import type { NoteNode } from '../graph-elements.js';
import styles from './note.module.css';

/** Most stories have no notes, and need no Markdown. */
const Markdown = lazy(async () => ({ default: (await import('../../ui/markdown/markdown.js')).Markdown }));

const noName = () => '';

/** A note of the author: its Markdown, and its text until that can be drawn. */
export const NoteBox = memo(function NoteBox({ data: { content } }: NodeProps<NoteNode>) {
  return (
    <div className={styles['note']}>
      <Suspense fallback={<div className={styles['plain']}>{content}</div>}>
        <Markdown text={content} nameOf={noName} />
      </Suspense>
    </div>
  );
});

import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import type { NoteNode } from './graph-elements.js';

/** A note of the author, as text: marks of Markdown stay as they are. */
export const NoteBox = memo(function NoteBox({ data }: NodeProps<NoteNode>) {
  return <div className="note-box">{data.content}</div>;
});

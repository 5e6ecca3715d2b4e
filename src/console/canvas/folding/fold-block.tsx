import { Handle, type NodeProps, Position } from '@xyflow/react';
import { ChevronsUpDown } from 'lucide-react';
import { createContext, memo, useContext } from 'react';
import { countWords, nounWords } from '../../ui/words/figures.js';
import styles from './fold-block.module.css';
import type { FoldNode } from './fold-elements.js';

/** Unfolds the branch below an action. It is a context, so that its changes do not make the nodes anew. */
export const Unfold = createContext<((ownerId: number) => void) | undefined>(undefined);

/** A folded branch: how many actions it has, what waits there and what failed. A press unfolds it. */
export const FoldBlock = memo(function FoldBlock({ data }: NodeProps<FoldNode>) {
  const { ownerId, ownerName, count, waiting, failed, isFound } = data;
  const unfold = useContext(Unfold);
  const words = nounWords(count, 'action');
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <button
        type="button"
        className={`${styles['block']} nodrag nopan ${isFound ? 'found' : ''}`}
        aria-label={`Unfold ${words} below ${ownerName}`}
        onClick={() => unfold?.(ownerId)}
      >
        <ChevronsUpDown aria-hidden="true" />
        <span>{words}</span>
        {waiting > 0 && <span className="warn">{countWords(waiting)} wait</span>}
        {failed > 0 && <span className="bad">{countWords(failed)} failed</span>}
      </button>
    </>
  );
});

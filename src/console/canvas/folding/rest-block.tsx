import { Handle, type NodeProps, Position } from '@xyflow/react';
import { ChevronsUpDown } from 'lucide-react';
import { createContext, memo, useContext } from 'react';
import { nounWords } from '../../ui/words/figures.js';
import styles from './fold-block.module.css';
import type { RestNode } from './fold-elements.js';

/** Shows the whole of both states again. */
export const ShowAll = createContext<(() => void) | undefined>(undefined);

/** Actions that are alike in two states of a story. A press shows all of them. */
export const RestBlock = memo(function RestBlock({ data: { count } }: NodeProps<RestNode>) {
  const showAll = useContext(ShowAll);
  const words = nounWords(count, 'unchanged action');
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <button
        type="button"
        className={`${styles['block']} nodrag nopan`}
        aria-label={`Show ${words}`}
        onClick={() => showAll?.()}
      >
        <ChevronsUpDown aria-hidden="true" />
        <span>{words}</span>
      </button>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
});

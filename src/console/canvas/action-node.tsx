import { Handle, type NodeProps, Position, useStore } from '@xyflow/react';
import { memo } from 'react';
import { countWords } from '../ui/words/figures.js';
import { kindOf } from '../ui/words/action-kinds.js';
import styles from './action-node.module.css';
import type { ActionNode } from './graph-elements.js';

/** Below this zoom, a map is drawn instead: blocks with large names. */
const MAP_ZOOM = 0.45;

/** One action: its kind and name, what waits, what failed, and its events of the last hour. */
export const ActionBox = memo(function ActionBox({ data, selected }: NodeProps<ActionNode>) {
  const isMap = useStore(({ transform }) => transform[2] < MAP_ZOOM);
  const { action, isFound, failed, waiting, events, runnable, isOff, countedIn } = data;
  const { word, icon: Icon } = kindOf(action);
  // States are plain words, which the sheet and tests of pages name together with the box.
  const looks = [
    styles['box'],
    'action-box',
    isMap && 'map',
    selected && 'chosen',
    isFound && 'found',
    failed && 'failed',
    action.disabled && 'disabled',
    !runnable && 'stored',
    isOff && 'off',
  ];
  return (
    <div className={looks.filter(Boolean).join(' ')} title={action.name}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {!isMap && <Icon aria-hidden="true" className={styles['icon']} />}
      <div className={styles['words']}>
        <div className={styles['name']}>{action.name}</div>
        {!isMap && (
          <div className={styles['facts']}>
            <span className="cut">{action.disabled ? `${word}, disabled` : word}</span>
            {waiting > 0 && <span className="warn">{countWords(waiting)} wait</span>}
            {failed && <span className="bad">failed</span>}
            {events !== undefined && events > 0 && (
              <span className={styles['count']} title={`${events} events ${countedIn}`}>
                {countWords(events)}
              </span>
            )}
          </div>
        )}
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
});

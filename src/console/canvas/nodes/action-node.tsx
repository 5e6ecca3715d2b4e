import { Handle, type NodeProps, Position, useStore } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { kindOf } from '../../ui/words/action-kinds.js';
import styles from './action-node.module.css';
import type { ActionData, ActionNode } from '../graph-elements.js';

/** Below this zoom, a map is drawn instead: blocks with large names. */
const MAP_ZOOM = 0.45;

/** One action: its kind and name, what waits, what failed, and its events of the last hour. */
export const ActionBox = memo(function ActionBox({ data, selected }: NodeProps<ActionNode>) {
  return (
    <ActionFrame
      data={data}
      selected={selected}
      isMap={useIsMap()}
      facts={
        <>
          {data.mark !== undefined && <span className={styles['mark']}>{data.mark}</span>}
          {data.differing !== undefined && (
            <span className="warn">differs in {nounWords(data.differing, 'run')}</span>
          )}
        </>
      }
    >
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </ActionFrame>
  );
});

/** Whether the view is so far away that a map is drawn: blocks with large names. */
export function useIsMap(): boolean {
  return useStore(({ transform }) => transform[2] < MAP_ZOOM);
}

interface ActionFrameProps {
  data: ActionData;
  isMap: boolean;
  selected: boolean;
  /** Further facts, after those that every action has. */
  facts?: ReactNode;
  /** Where links begin and end. */
  children: ReactNode;
}

/** The box of an action with what it shows. */
export function ActionFrame({ data, selected, isMap, facts, children }: ActionFrameProps) {
  const { action, isFound, failed, waiting, events, runnable, isOff, countedIn } = data;
  const { word, icon: Icon, look } = kindOf(action);
  // States are plain words, which the sheet and tests of pages name together with the box.
  const looks = [
    styles['box'],
    'action-box',
    `kind-${look}`,
    isMap && 'map',
    selected && 'chosen',
    isFound && 'found',
    failed && 'failed',
    action.disabled && 'disabled',
    !runnable && 'stored',
    isOff && 'off',
    data.mark,
    data.untested !== undefined && 'untested',
  ];
  return (
    <div className={looks.filter(Boolean).join(' ')} title={action.name}>
      {!isMap && <Icon aria-hidden="true" className={styles['icon']} />}
      <div className={styles['words']}>
        <div className={styles['name']}>{action.name}</div>
        {!isMap && (
          <div className={styles['facts']}>
            <span className="cut">{action.disabled ? `${word}, disabled` : word}</span>
            {waiting > 0 && <span className="warn">{countWords(waiting)} wait</span>}
            {failed && <span className="bad">failed</span>}
            {data.untested !== undefined && <span className={styles['untested']}>{data.untested}</span>}
            {facts}
            {events !== undefined && events > 0 && (
              <span className={styles['count']} title={`${events} events ${countedIn}`}>
                {countWords(events)}
              </span>
            )}
          </div>
        )}
      </div>
      {children}
    </div>
  );
}

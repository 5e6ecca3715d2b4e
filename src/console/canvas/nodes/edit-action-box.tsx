import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import type { LinkKind } from '../../story-model/story-draft.js';
import { ActionFrame, useIsMap } from './action-node.js';
import { type EditNode, TRIAL_WORDS } from '../draft-elements.js';
import styles from './edit-action-box.module.css';
import { PORT_AT } from './sizes.js';

const PORTS: readonly [kind: LinkKind, title: string][] = [
  ['NO_MATCH', 'Link from here: events that do not match'],
  ['DEFAULT', 'Link from here: events of the action'],
  ['FAILURE', 'Link from here: failures of the action'],
];

const TRIAL_TONES = { ran: 'ok', failed: 'bad', differs: 'warn', 'not reached': 'faint' } as const;

/** One action under edit, with the ports of its links. A drag or two presses link two ports. */
export const EditActionBox = memo(function EditActionBox(props: NodeProps<EditNode>) {
  const { data, selected, isConnectable } = props;
  const { ports, isContested, missing, behind, tried, here } = data;
  const isMap = useIsMap();
  const facts = (
    <>
      {tried !== undefined && (
        <span className={TRIAL_TONES[tried]} title={TRIAL_WORDS[tried]}>
          {tried}
        </span>
      )}
      {isContested && <span className="warn">conflict</span>}
      {behind !== undefined && (
        <span className="warn cut" title={behind}>
          step behind
        </span>
      )}
      {missing.length > 0 && (
        <span className="bad cut" title={`Missing in this team: ${missing.join(', ')}`}>
          missing {missing.join(', ')}
        </span>
      )}
    </>
  );
  return (
    <ActionFrame data={data} selected={selected} isMap={isMap} facts={facts}>
      {here !== undefined && (
        // The label of the node has it in words.
        <span className={styles['here']} title={`Chosen by ${here}`} aria-hidden="true">
          {here}
        </span>
      )}
      {!isMap && <Ports offered={ports} isConnectable={isConnectable} />}
    </ActionFrame>
  );
});

interface PortsProps {
  offered: readonly LinkKind[];
  isConnectable: boolean;
}

/** Too small to be hit on a map, and hundreds of them would slow it down. */
function Ports({ offered, isConnectable }: PortsProps) {
  return (
    <>
      <Handle
        type="target"
        position={Position.Top}
        className={`${styles['port']} ${styles['in']}`}
        isConnectable={isConnectable}
        title="Link to here"
      />
      {/* A link of a kind that is not offered needs its port too, so each of them is there. */}
      {PORTS.map(([kind, title]) => (
        <Handle
          key={kind}
          id={kind}
          type="source"
          position={Position.Bottom}
          className={`${styles['port']} ${styles[kind.toLowerCase()]} ${offered.includes(kind) ? '' : styles['absent']}`}
          style={{ left: PORT_AT[kind] }}
          isConnectable={isConnectable && offered.includes(kind)}
          title={title}
        />
      ))}
    </>
  );
}

import {
  type Edge,
  getSmoothStepPath,
  Position,
  useUpdateNodeInternals,
  ViewportPortal,
} from '@xyflow/react';
import { memo, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useIsMap } from './nodes/action-node.js';
import styles from './canvas.module.css';
import type { DraftNode } from './draft-elements.js';
import { CORNER, NODE, PORT, PORT_AT } from './nodes/sizes.js';

interface MapLinksProps {
  nodes: readonly DraftNode[];
  edges: readonly Edge[];
  /** Is told when the view becomes a map, and when it no longer is one. */
  onMap: (isMap: boolean) => void;
}

/**
 * The links while the view is a map: one plain path each, in one picture. Hundreds of links that can be pressed and moved
 * would take most of each frame of a drag, and their ports are too small to be hit there.
 */
export function MapLinks({ nodes, edges, onMap }: MapLinksProps) {
  const isMap = useIsMap();
  const wasMap = useRef(false);
  const measure = useUpdateNodeInternals();
  const changed = useEffectEvent((is: boolean) => {
    onMap(is);
    // Actions that were first drawn on a map have no ports yet, and links need them.
    if (wasMap.current && !is) measure(nodes.map(({ id }) => id));
    wasMap.current = is;
  });
  useEffect(() => changed(isMap), [isMap]);
  const places = useMemo(() => new Map(nodes.map(({ id, position }) => [id, position])), [nodes]);
  if (!isMap) return null;
  return (
    <ViewportPortal>
      <svg className={styles['links']} aria-hidden="true">
        {edges.map(({ id, source, target, sourceHandle, className, markerEnd, selected }) => {
          const [from, to] = [places.get(source), places.get(target)];
          if (from === undefined || to === undefined) return null;
          return (
            <MapLink
              key={id}
              fromX={from.x + PORT_AT[(sourceHandle ?? 'DEFAULT') as keyof typeof PORT_AT]}
              fromY={from.y + NODE.height + PORT / 2}
              toX={to.x + NODE.width / 2}
              toY={to.y}
              look={`${className ?? ''} ${selected ? 'selected' : ''}`}
              arrow={typeof markerEnd === 'string' ? markerEnd : ''}
            />
          );
        })}
      </svg>
    </ViewportPortal>
  );
}

interface MapLinkProps {
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
  look: string;
  /** The id of its head. */
  arrow: string;
}

const MapLink = memo(function MapLink({ fromX, fromY, toX, toY, look, arrow }: MapLinkProps) {
  const [path] = getSmoothStepPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: Position.Bottom,
    targetX: toX,
    targetY: toY,
    targetPosition: Position.Top,
    borderRadius: CORNER,
  });
  return (
    <g className={look}>
      <path className="react-flow__edge-path" d={path} markerEnd={`url(#${arrow})`} />
    </g>
  );
});

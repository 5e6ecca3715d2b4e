import { type Edge, type EdgeProps, getSmoothStepPath, SmoothStepEdge } from '@xyflow/react';
import { memo, useSyncExternalStore } from 'react';
import styles from './canvas.module.css';
import { CORNER } from './nodes/sizes.js';

/** A link; on a live one, events are under way. */
export type LinkEdge = Edge<{ isLive: boolean }, 'smoothstep'>;

const CORNERS = { borderRadius: CORNER };
/** All links have corners of one radius. */
export const LINK_OPTIONS = { type: 'smoothstep', pathOptions: CORNERS };

/** A link between actions. On a live one a dot moves, unless nobody looks at the page. */
export const CanvasLink = memo(function CanvasLink(props: EdgeProps<LinkEdge>) {
  return (
    <>
      <SmoothStepEdge {...props} pathOptions={CORNERS} />
      {props.data?.isLive && <MovingDot {...props} />}
    </>
  );
});

function MovingDot(ends: EdgeProps<LinkEdge>) {
  const isSeen = useSyncExternalStore(watchVisibility, isVisible);
  if (!isSeen) return null;
  const [path] = getSmoothStepPath({ ...ends, borderRadius: CORNER });
  return <circle r={4} className={`${styles['dot']} moving-dot`} style={{ offsetPath: `path("${path}")` }} />;
}

const isVisible = () => document.visibilityState === 'visible';

function watchVisibility(watcher: () => void) {
  document.addEventListener('visibilitychange', watcher);
  return () => document.removeEventListener('visibilitychange', watcher);
}

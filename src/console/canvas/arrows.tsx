import styles from './canvas.module.css';

const KINDS = ['default', 'failure', 'taken'] as const;

/** The heads of links: those of a failure link have their own colour. Edges name them by their id. */
export function Arrows() {
  return (
    <svg className={styles['arrows']} aria-hidden="true">
      <defs>
        {KINDS.map((kind) => (
          <marker
            key={kind}
            id={`arrow-${kind}`}
            className={`${styles['arrow']} ${kind}`}
            viewBox="-10 -10 20 20"
            markerWidth="14"
            markerHeight="14"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
            refX="0"
            refY="0"
          >
            <polyline points="-6,-5 0,0 -6,5" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}

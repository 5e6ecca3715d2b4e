import { Badge } from '../../ui/words/badge.js';

/** The hosts that a credential may be sent to; `most` of them are named. */
export function HostWords({
  hosts,
  most = Number.POSITIVE_INFINITY,
}: {
  hosts: readonly string[];
  most?: number;
}) {
  if (hosts.length === 0) return <Badge tone="warn">any host</Badge>;
  const rest = hosts.length - most;
  return (
    <span className="host-words">
      {hosts.slice(0, most).map((host) => (
        <code key={host} className="wrap">
          {host}
        </code>
      ))}
      {rest > 0 && <span className="faint">and {rest} more</span>}
    </span>
  );
}

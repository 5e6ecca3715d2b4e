import type { SentGroup } from './trial-request.js';

/** Methods and hosts of requests, in a sentence's place. */
export function SentList({ groups }: { groups: readonly SentGroup[] }) {
  return groups.map(({ method, host, count }) => (
    <span key={`${method} ${host}`} className="wrap" style={{ display: 'block' }}>
      <code>
        {method} {host}
      </code>
      {count > 1 && ` ${count} times`}
    </span>
  ));
}

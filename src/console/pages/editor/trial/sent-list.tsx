import type { SentGroup } from './trial-request.js';

/** Methods and hosts of requests. */
export function SentList({ groups }: { groups: readonly SentGroup[] }) {
  return (
    <ul aria-label="Requests">
      {groups.map(({ method, host, count }) => (
        <li key={`${method} ${host}`} className="wrap">
          <code>
            {method} {host}
          </code>
          {count > 1 && ` ${count} times`}
        </li>
      ))}
    </ul>
  );
}

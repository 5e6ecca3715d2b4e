import type { TrialRequest } from '../../../../../clients/typescript/api.js';
import { JsonView } from '../../../ui/json-view/json-view.js';

/** A request as it would be sent: its first line, its headers, its body. */
export function RequestView({ request }: { request: TrialRequest }) {
  const { method, url, headers, body } = request;
  return (
    <section className="stack part" aria-label="Request">
      <h3>Request</h3>
      <p className="request-line">
        <code>
          <strong>{method}</strong> {url}
        </code>
      </p>
      <dl className="request-headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{Array.isArray(value) ? value.join(', ') : String(value)}</dd>
          </div>
        ))}
      </dl>
      {body !== null && <JsonView value={body} label="Body of the request" />}
    </section>
  );
}

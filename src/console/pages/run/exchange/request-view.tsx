import './request-view.css';
import type { ReactNode } from 'react';
import { parseExact } from '../../../text/exact-json.js';
import { JsonView } from '../../../ui/json-view/json-view.js';

interface ShownRequest {
  method: string;
  url: string;
  headers: { [name: string]: unknown };
  /** null: it has none, or none is shown. */
  body: unknown;
}

interface RequestViewProps {
  title: string;
  /** Tells it from others on the page, for screen readers; its title unless given. */
  label?: string;
  request: ShownRequest;
  /** Notes about it, below its title. */
  children?: ReactNode;
}

/** A request: its first line, its headers, its body. */
export function RequestView({ title, label = title, request, children }: RequestViewProps) {
  const { method, url, headers, body } = request;
  return (
    <section className="stack part" aria-label={label}>
      <h3>{title}</h3>
      {children}
      <p className="request-line">
        <code>
          <strong>{method}</strong> {url}
        </code>
      </p>
      <Headers of={headers} />
      {body !== null && <JsonView value={body} label="Request body" />}
    </section>
  );
}

/** The headers of a request or a response. */
export function Headers({ of: headers }: { of: ShownRequest['headers'] }) {
  return (
    <dl className="request-headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={wordsOf(value)}>{wordsOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const wordsOf = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value));

/** Returns the value of a body that is JSON; other text, and JSON that was cut, as it is. */
export function bodyValue(body: string): unknown {
  try {
    return parseExact(body);
  } catch {
    return body;
  }
}

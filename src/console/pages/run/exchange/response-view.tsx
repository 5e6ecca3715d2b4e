import type { KeptResponse } from '../../../../../clients/typescript/api.js';
import { JsonView } from '../../../ui/json-view/json-view.js';
import { sizeWords } from '../../../ui/words/figures.js';
import { spanWords } from '../../../ui/words/since.js';
import { ExactTime } from '../exact-time.js';
import { bodyValue, Headers } from './request-view.js';

/** A response as it came: its status, its headers, its body. */
export function ResponseView({ response }: { response: KeptResponse }) {
  const { status, headers, body, received_at: at, duration_ms: took } = response;
  return (
    <section className="stack part" aria-label="Response">
      <h3>Response</h3>
      <p className="faint">
        Received at <ExactTime at={Date.parse(at)} /> after {spanWords(took)}.
      </p>
      {notesOf(response).map((note) => (
        <p key={note} className="faint">
          {note}
        </p>
      ))}
      <p className="request-line">
        <code>
          <strong className={status >= 400 ? 'bad' : ''}>{status}</strong>
        </code>
      </p>
      <Headers of={headers} />
      {body !== null && body !== '' && <JsonView value={bodyValue(body)} label="Response body" />}
      {body === '' && <p className="faint">The body was empty.</p>}
    </section>
  );
}

/** Returns a sentence for each part that is not shown whole. */
function notesOf({ body, body_bytes: bytes, body_left_out: leftOut, truncated }: KeptResponse): string[] {
  const size = bytes === null ? '' : ` of ${sizeWords(bytes)}`;
  return [
    ...(truncated.includes('headers') ? ['Some headers were not recorded.'] : []),
    ...(truncated.includes('body') ? [`Only the beginning of the body${size} was recorded.`] : []),
    ...(leftOut === 'binary' ? [`The body${size} is not text and was not recorded.`] : []),
    ...(leftOut === 'large'
      ? ['The body was too large to record, because it may contain a credential.']
      : []),
    ...(body === null && leftOut === null ? ['No body was recorded.'] : []),
  ];
}

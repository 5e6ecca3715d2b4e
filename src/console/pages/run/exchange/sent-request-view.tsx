import type { SentRequest } from '../../../../../clients/typescript/api.js';
import { sizeWords } from '../../../ui/words/figures.js';
import { ExactTime } from '../exact-time.js';
import { bodyValue, RequestView } from './request-view.js';

/** A request as an action sent it; markers stand for credentials. */
export function SentRequestView({ request }: { request: SentRequest }) {
  const { method, url, headers, body, sent_at: at } = request;
  return (
    <RequestView
      title="Request"
      request={{ method, url, headers, body: body === null ? null : bodyValue(body) }}
    >
      <p className="faint">
        Sent at <ExactTime at={Date.parse(at)} />. Secrets are omitted.
      </p>
      {notesOf(request).map((note) => (
        <p key={note} className="faint">
          {note}
        </p>
      ))}
    </RequestView>
  );
}

/** Returns a sentence for each part that is not shown whole. */
function notesOf({ body_bytes: bytes, body_left_out: leftOut, truncated }: SentRequest): string[] {
  const size = bytes === null ? '' : ` of ${sizeWords(bytes)}`;
  return [
    ...(truncated.includes('url') ? ['Only the beginning of the URL was recorded.'] : []),
    ...(truncated.includes('headers') ? ['Some headers were not recorded.'] : []),
    ...(truncated.includes('body') ? [`Only the beginning of the body${size} was recorded.`] : []),
    ...(leftOut === 'binary' ? [`The body${size} is not text and was not recorded.`] : []),
    ...(leftOut === 'large'
      ? ['The body was too large to record, because it may contain a credential.']
      : []),
  ];
}

import '../../ui/lists/table.css';
import { Link } from 'wouter';
import type { Webhook, WebhookRefusal } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { Card } from '../../ui/card.js';
import { nounWords, sizeWords } from '../../ui/words/figures.js';
import { Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { REFUSAL_WORDS } from './refusal-words.js';

/** The last accepted calls, each with its run. */
export function CallList({ webhook: { calls, counts, story } }: { webhook: Webhook }) {
  return (
    <Card
      title="Last calls"
      aside={<span className="faint">{nounWords(counts?.accepted ?? 0, 'call')} accepted</span>}
    >
      {calls === null || calls.length === 0 ? (
        <Missing isUnknown={calls === null} title="No calls within the last day." />
      ) : (
        <ul className="lines">
          {calls.map(({ at, status, bytes, address, content_type: type, story_run_guid: run }) => (
            <li key={run} className="line row">
              <Badge tone={status < 400 ? 'ok' : 'warn'}>{status}</Badge>
              <Link href={`/runs/${story.id}/${run}`}>
                <code>{run.slice(-8)}</code>
              </Link>
              <span className="grow cut soft" title={`${address} ${type}`}>
                {sizeWords(bytes)} from {address} {type}
              </span>
              <span className="faint">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The last refused calls, each with the reason and what helps. */
export function RefusalList({ webhook: { refusals, counts } }: { webhook: Webhook }) {
  const refused = Object.values(counts?.refused ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <Card
      title="Refused calls"
      aside={<span className={refused > 0 ? 'bad' : 'faint'}>{nounWords(refused, 'call')} refused</span>}
    >
      {refusals === null || refusals.length === 0 ? (
        <Missing isUnknown={refusals === null} title="No calls were refused within the last day." />
      ) : (
        <ul className="lines">
          {refusals.map((refusal, place) => (
            // Calls of one moment may be alike in all that is told of them.
            <Refusal key={`${refusal.at} ${place}`} refusal={refusal} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** One refused call. */
function Refusal({ refusal }: { refusal: WebhookRefusal }) {
  const { at, status, reason, message, method, address, content_type: type } = refusal;
  return (
    <li className="line">
      <div className="row">
        <Badge tone="bad">{status ?? 'no response'}</Badge>
        <strong className="grow cut">{reason.replaceAll('_', ' ')}</strong>
        <span className="faint">
          <Time at={at} />
        </span>
      </div>
      <p className="wrap">{REFUSAL_WORDS[reason]}</p>
      <p className="soft wrap">
        {method} from {address} <bdi>{type}</bdi> {message !== '' && `· response: ${message}`}
      </p>
    </li>
  );
}

function Missing({ isUnknown, title }: { isUnknown: boolean; title: string }) {
  return <Nothing title={isUnknown ? 'Calls are unavailable: Redis is not responding.' : title} />;
}

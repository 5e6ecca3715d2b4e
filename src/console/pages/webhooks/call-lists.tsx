import '../../ui/lists/table.css';
import { Link } from 'wouter';
import type { Webhook, WebhookRefusal } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { Card } from '../../ui/card.js';
import { nounWords, sizeWords } from '../../ui/words/figures.js';
import { Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { REFUSAL_WORDS } from './refusal-words.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';
import { shortGuid } from '../runs/run-words.js';

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
              <Link href={`/runs/${story.id}/${run}`} {...OPENS_ROW}>
                <code>{shortGuid(run)}</code>
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
        <div className="lines" role="region" aria-label="Last refused calls" tabIndex={0}>
          <ul>
            {folded(refusals).map((equal) => (
              <Refusal key={keyOf(equal[0])} equal={equal} />
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}

type Equal = [newest: WebhookRefusal, ...older: WebhookRefusal[]];

/** Returns refused calls that differ in their times alone together, the newest first. */
function folded(refusals: readonly WebhookRefusal[]): Equal[] {
  const groups = new Map<string, Equal>();
  for (const refusal of refusals) {
    const group = groups.get(keyOf(refusal));
    if (group === undefined) groups.set(keyOf(refusal), [refusal]);
    else group.push(refusal);
  }
  return [...groups.values()];
}

/** All that is told of a refused call but its time. */
function keyOf({ status, reason, message, method, address, content_type: type }: WebhookRefusal): string {
  return JSON.stringify([status, reason, message, method, address, type]);
}

/** Equal refused calls: the newest, and since when there are how many. */
function Refusal({ equal: [newest, ...older] }: { equal: Equal }) {
  const { at, status, reason, message, method, address, content_type: type } = newest;
  const first = older.at(-1);
  return (
    <li className="line">
      <div className="row">
        <Badge tone="bad">{status ?? 'no response'}</Badge>
        <strong className="grow cut">
          {reason.replaceAll('_', ' ')}
          {first !== undefined && ` × ${older.length + 1}`}
        </strong>
        <span className="faint">
          {first !== undefined && (
            <>
              <Time at={first.at} /> –{' '}
            </>
          )}
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

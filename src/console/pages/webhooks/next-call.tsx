import { Radio } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Webhook } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { Card } from '../../ui/card.js';
import { Json } from '../../ui/json.js';
import { Failed } from '../../ui/states.js';
import { REFUSAL_WORDS } from './refusal-words.js';
import { useNextCall } from './use-next-call.js';
import { shortGuid } from '../runs/run-words.js';

/** Waits for the next call, and shows its event, or why it was refused. */
export function NextCall({ webhook }: { webhook: Webhook }) {
  const [turn, setTurn] = useState(0);
  const shown = useRef(new Set<string>());
  return (
    <Card
      title="Next call"
      aside={
        <Button onClick={() => setTurn(turn + 1)}>
          <Radio aria-hidden="true" /> {turn === 0 ? 'Wait for the next call' : 'Wait for another call'}
        </Button>
      }
    >
      <div className="webhook-part" role="status">
        {turn === 0 ? (
          <p className="soft">Start waiting, call the webhook from your system, and see the result here.</p>
        ) : (
          <Waiting key={turn} webhook={webhook} shown={shown} />
        )}
      </div>
    </Card>
  );
}

function Waiting({ webhook, shown }: { webhook: Webhook; shown: RefObject<Set<string>> }) {
  const { data: next, error } = useNextCall(webhook, shown);
  if (error) return <Failed error={error} />;
  if (next === undefined) return <p>Loading…</p>;
  if (next === null) return <p>Waiting for a call…</p>;
  if (next.kind === 'refused') {
    return (
      <>
        <p className="row row-wrap">
          <Badge tone="bad">refused</Badge> {next.refusal.method} from {next.refusal.address}
        </p>
        <p className="wrap">{REFUSAL_WORDS[next.refusal.reason]}</p>
      </>
    );
  }
  return (
    <>
      <p className="row row-wrap">
        <Badge tone="ok">accepted</Badge>
        <Link href={`/runs/${webhook.story.id}/${next.run}`}>run {shortGuid(next.run)}</Link>
      </p>
      <Json value={next.payload} />
    </>
  );
}

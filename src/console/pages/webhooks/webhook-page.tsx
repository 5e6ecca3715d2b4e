import '../../ui/lists/lines.css';
import './webhooks.css';
import { Link, useParams } from 'wouter';
import type { Webhook } from '../../../../clients/typescript/api.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { BackLink } from '../../ui/back-link.js';
import { Badge } from '../../ui/words/badge.js';
import { Answer } from '../../ui/states.js';
import { CallList, RefusalList } from './call-lists.js';
import { NextCall } from './next-call.js';
import { ReadyCalls } from './ready-calls.js';
import { useWebhook } from './webhooks-data.js';

/** One webhook for those who call it: ready calls, the next call, the last calls and why some were refused. */
export function WebhookPage() {
  const id = Number(useParams<{ id: string }>().id);
  const webhook = useWebhook(id);
  useTitle(webhook.data?.name ?? 'Webhook');
  return (
    <div className="page">
      <BackLink href="/webhooks">All webhooks</BackLink>
      <Answer of={webhook} lines={8}>
        {(data) => (
          <>
            <Head webhook={data} />
            <WebhookParts webhook={data} />
          </>
        )}
      </Answer>
    </div>
  );
}

/** Ready calls of a webhook, its next call, its last calls and the refused ones. */
export function WebhookParts({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <ReadyCalls webhook={webhook} />
      <NextCall webhook={webhook} />
      <div className="webhook-columns">
        <CallList webhook={webhook} />
        <RefusalList webhook={webhook} />
      </div>
    </>
  );
}

function Head({ webhook: { id, name, story, disabled } }: { webhook: Webhook }) {
  return (
    <header className="page-head">
      <h1 className="wrap">{name}</h1>
      <span className="faint wrap">
        in <Link href={`/stories/${story.id}?action=${id}`}>{story.name}</Link>
      </span>
      {disabled && <Badge tone="warn">the action is disabled: calls get 404</Badge>}
      {story.disabled && <Badge tone="warn">the story is disabled: calls get 404</Badge>}
    </header>
  );
}

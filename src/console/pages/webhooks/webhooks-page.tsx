import '../../ui/lists/table.css';
import './webhooks.css';
import { Webhook as Icon, X } from 'lucide-react';
import { Link, useLocation, useSearch } from 'wouter';
import type { Webhook } from '../../../../clients/typescript/api.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { useWebhooks } from './webhooks-data.js';
import { isolated } from '../../text/isolated.js';

/** All webhooks, each with how it was called in the last day. */
export function WebhooksPage() {
  useTitle('Webhooks');
  const [, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const number = (name: string) => Number(given.get(name) ?? Number.NaN) || undefined;
  const story = number('story');
  const list = useWebhooks(number('page') ?? 1, story);
  const turn = (page: number) => go(`/webhooks?page=${page}${story === undefined ? '' : `&story=${story}`}`);
  return (
    <div className="page">
      <header className="page-head">
        <h1>Webhooks</h1>
        <span className="page-note">{list.data && nounWords(list.data.meta.count, 'webhook')}</span>
        {story !== undefined && (
          <Button onClick={() => go('/webhooks')}>
            <X aria-hidden="true" /> One story only
          </Button>
        )}
      </header>
      <div className="table-frame">
        <Answer of={list} lines={6}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Nothing title="No webhooks yet." icon={<Icon aria-hidden="true" />}>
                <p>Import a story with a webhook action. Its URL is shown here.</p>
              </Nothing>
            ) : (
              <WebhookTable webhooks={webhooks} />
            )
          }
        </Answer>
      </div>
      {list.data && <Pager meta={list.data.meta} onPage={turn} />}
    </div>
  );
}

function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Webhook</th>
          <th className="wide">Methods</th>
          <th className="number">Accepted</th>
          <th className="number">Refused</th>
          <th className="wide">Last call</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} />
        ))}
      </tbody>
    </table>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, name, story, path, verbs, counts, calls } = webhook;
  const refused = Object.values(counts?.refused ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <tr>
      <td className="fill">
        <div className="row">
          <div className="cut webhook-name" title={`${isolated(story.name)} › ${name}`}>
            <Link href={`/webhooks/${id}`}>{name}</Link> <span className="faint">in {story.name}</span>
          </div>
          {(webhook.disabled || story.disabled) && <Badge>disabled</Badge>}
        </div>
        <code className="cut soft webhook-path">
          {path === null ? 'cannot be called' : `/webhook/${path}`}
        </code>
      </td>
      <td className="wide soft nowrap">{verbs.join(', ').toUpperCase()}</td>
      <td className="number">{countWords(counts?.accepted ?? 0)}</td>
      <td className={`number ${refused > 0 ? 'bad' : 'faint'}`}>{countWords(refused)}</td>
      <td className="wide soft">
        <Time at={calls?.[0]?.at} />
      </td>
    </tr>
  );
}

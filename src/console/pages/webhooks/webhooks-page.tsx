import '../../ui/lists/table.css';
import '../../ui/form/filter-bar.css';
import './webhooks.css';
import { Webhook as Icon, X } from 'lucide-react';
import { Link } from 'wouter';
import type { Webhook } from '../../../../clients/typescript/api.js';
import { type AddressChange, numberIn, useAddress } from '../../ui/browser/use-address.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { SearchField } from '../../ui/form/search-field.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { useWebhooks, WEBHOOK_ORDERS, type WebhookFilters, type WebhookOrder } from './webhooks-data.js';
import { isolated } from '../../text/isolated.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** All webhooks, each with how it was called in the last day. */
export function WebhooksPage() {
  useTitle('Webhooks');
  const [query, change] = useAddress();
  const filters: WebhookFilters = {
    search: query.get('search') ?? '',
    story: numberIn(query, 'story'),
    order: orderIn(query.get('order') ?? ''),
    page: numberIn(query, 'page') ?? 1,
  };
  const list = useWebhooks(filters);
  return (
    <div className="page">
      <header className="page-head">
        <h1>Webhooks</h1>
        <span className="page-note">{list.data && nounWords(list.data.meta.count, 'webhook')}</span>
      </header>
      <WebhookFilterBar filters={filters} onChange={change} />
      <div className="table-frame" aria-busy={list.isFetching}>
        <Answer of={list} lines={6}>
          {({ webhooks }) =>
            webhooks.length === 0 ? <Empty filters={filters} /> : <WebhookTable webhooks={webhooks} />
          }
        </Answer>
      </div>
      {list.data && <Pager meta={list.data.meta} onPage={(page) => change({ page })} />}
    </div>
  );
}

const orderIn = (text: string): WebhookOrder =>
  Object.hasOwn(WEBHOOK_ORDERS, text) ? (text as WebhookOrder) : 'LAST_CALL';

interface WebhookFilterBarProps {
  filters: WebhookFilters;
  onChange: (change: AddressChange) => void;
}

function WebhookFilterBar({ filters: { search, story, order }, onChange }: WebhookFilterBarProps) {
  return (
    <search className="filter-bar">
      <SearchField
        label="Search webhooks"
        placeholder="Part of the name, the story or the path"
        text={search}
        onSearch={(text) => onChange({ search: text })}
      />
      <Select
        aria-label="Order"
        value={order}
        onChange={({ target: { value } }) => onChange({ order: value === 'LAST_CALL' ? undefined : value })}
      >
        {Object.entries(WEBHOOK_ORDERS).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </Select>
      {story !== undefined && (
        <Button onClick={() => onChange({ story: undefined })}>
          <X aria-hidden="true" /> One story only
        </Button>
      )}
    </search>
  );
}

function Empty({ filters: { search, story } }: { filters: WebhookFilters }) {
  if (search !== '' || story !== undefined) {
    return (
      <Nothing title="No webhooks match." icon={<Icon aria-hidden="true" />}>
        <p>Search for another part of the name, the story or the path.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title="No webhooks yet." icon={<Icon aria-hidden="true" />}>
      <p>Import a story with a webhook action. Its URL is shown here.</p>
    </Nothing>
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
  const { id, name, story, path, verbs, counts } = webhook;
  const refused = Object.values(counts?.refused ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <tr>
      <td className="fill">
        <div className="row">
          <div className="cut webhook-name" title={`${isolated(story.name)} › ${name}`}>
            <Link href={`/webhooks/${id}`} {...OPENS_ROW}>
              {name}
            </Link>{' '}
            <span className="faint">in {story.name}</span>
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
        <Time at={lastCallOf(webhook)} />
      </td>
    </tr>
  );
}

/** Returns when a webhook was last called, whatever came of it; undefined without a call in the last day. */
function lastCallOf({ calls, refusals }: Webhook): string | undefined {
  const times = [calls?.[0]?.at, refusals?.[0]?.at].filter((at) => at !== undefined);
  return times.toSorted().at(-1);
}

import { Webhook as Icon } from 'lucide-react';
import { Select } from '../../../ui/form/field.js';
import { numberIn, useAddress } from '../../../ui/browser/use-address.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Badge } from '../../../ui/words/badge.js';
import { WebhookParts } from '../../webhooks/webhook-page.js';
import { useWebhook, useWebhooks } from '../../webhooks/webhooks-data.js';
import type { TabProps } from './tab-props.js';

/** The webhook of the story with its last calls; one of several is chosen. */
export function WebhookTab({ story: { id } }: TabProps) {
  const [query, change] = useAddress();
  const list = useWebhooks({ search: '', story: id, order: 'LAST_CALL', page: 1 });
  return (
    <div className="page">
      <Answer of={list} lines={8}>
        {({ webhooks }) => {
          const asked = numberIn(query, 'webhook');
          const shown = webhooks.find((each) => each.id === asked) ?? webhooks[0];
          if (shown === undefined) {
            return <Nothing title="This story has no webhooks." icon={<Icon aria-hidden="true" />} />;
          }
          return (
            <>
              <div className="row row-wrap">
                {webhooks.length > 1 && (
                  <Select
                    aria-label="Webhook"
                    value={shown.id}
                    onChange={({ target }) => change({ webhook: target.value })}
                  >
                    {webhooks.map((webhook) => (
                      <option key={webhook.id} value={webhook.id}>
                        {webhook.name}
                      </option>
                    ))}
                  </Select>
                )}
                {shown.disabled && <Badge tone="warn">the action is disabled: calls get 404</Badge>}
                {shown.story.disabled && <Badge tone="warn">the story is disabled: calls get 404</Badge>}
              </div>
              <One key={shown.id} id={shown.id} />
            </>
          );
        }}
      </Answer>
    </div>
  );
}

function One({ id }: { id: number }) {
  return (
    <Answer of={useWebhook(id)} lines={8}>
      {(webhook) => <WebhookParts webhook={webhook} />}
    </Answer>
  );
}

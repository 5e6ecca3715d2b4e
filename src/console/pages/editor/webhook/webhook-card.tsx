import { Copy } from 'lucide-react';
import { useState } from 'react';
import type { GraphAction, Webhook } from '../../../../../clients/typescript/api.js';
import { setOption } from '../../../story-model/commands/action-commands.js';
import { newGuid } from '../../../story-model/story-draft.js';
import { Button } from '../../../ui/form/button.js';
import { Question } from '../../../ui/overlay/question.js';
import { copyText } from '../../../ui/words/copy-text.js';
import { methodOf } from '../../webhooks/calls/call-writer.js';
import { readyCall, shortAddress } from '../../webhooks/calls/ready-call.js';
import { useWebhook } from '../../webhooks/webhooks-data.js';
import { useEditor, useRun } from '../editor-context.js';
import styles from './webhook-card.module.css';

/** In place of a secret on the screen, and of one that the person may not see. */
const HIDDEN = '••••••••';
const UNKNOWN = 'THE-SECRET';

interface WebhookCardProps {
  actionKey: string;
  action: GraphAction;
  /** The JSON body of the shown call; absent: an example. */
  body?: string;
}

/** The address of a webhook under edit, how it is called, and a new secret for it. */
export function WebhookCard({ actionKey, action, body }: WebhookCardProps) {
  return (
    <section className={styles['card']} aria-label="Webhook address">
      <h3>Address</h3>
      {action.id ? (
        <SavedAddress id={action.id} secret={action.options['secret']} body={body} />
      ) : (
        <p className="faint">The server gives the webhook an address when the story is saved.</p>
      )}
      <NewSecret actionKey={actionKey} action={action} />
    </section>
  );
}

interface SavedAddressProps {
  id: number;
  secret: unknown;
  body: string | undefined;
}

function SavedAddress({ id, secret, body }: SavedAddressProps) {
  const webhook = useWebhook(id).data;
  if (webhook === undefined) return null;
  return <Address webhook={webhook} secret={typeof secret === 'string' ? secret : null} body={body} />;
}

interface AddressProps {
  webhook: Webhook;
  secret: string | null;
  body: string | undefined;
}

/** `secret` is the one under edit, which may not be saved yet. */
function Address({ webhook, secret, body }: AddressProps) {
  const { url, verbs } = webhook;
  if (url === null) return <p className="warn">The webhook cannot be called yet.</p>;
  const short = webhook.secret === null ? url : shortAddress(url, webhook.secret);
  const callWith = (shown: string) =>
    readyCall('curl', 'address', { method: methodOf(verbs), url: short, secret: shown, body });
  const shown = secret === null ? UNKNOWN : HIDDEN;
  return (
    <>
      <code className={styles['address']}>{short}</code>
      <pre className={styles['call']} role="region" aria-label="curl call">
        {callWith(shown).replaceAll(encodeURIComponent(shown), shown)}
      </pre>
      <p className="faint">Accepts {verbs.join(', ').toUpperCase()}</p>
      <div className="row row-wrap">
        <CopyText name="URL" text={secret === null ? short : `${short}/${encodeURIComponent(secret)}`} />
        <CopyText name="curl call" text={callWith(secret ?? UNKNOWN)} />
      </div>
      {secret === null && <p className="soft">Your role cannot view the secret: insert it yourself.</p>}
    </>
  );
}

/** Two copies stand side by side here, so each says what it copies. */
function CopyText({ name, text }: { name: string; text: string }) {
  return (
    <Button onClick={() => void copyText(text, name)}>
      <Copy aria-hidden="true" /> Copy {name}
    </Button>
  );
}

/** Replaces the secret by a random one. In a live story the old address stops at once, so it asks. */
function NewSecret({ actionKey, action }: WebhookCardProps) {
  const { draftId, readOnly } = useEditor();
  const run = useRun();
  const [isAsking, setAsking] = useState(false);
  if (readOnly !== undefined) return null;
  const renew = () => {
    setAsking(false);
    run(setOption(actionKey, ['secret'], newGuid()));
  };
  const isLive = draftId === undefined && Boolean(action.id);
  return (
    <div className="row row-wrap">
      <Button onClick={() => (isLive ? setAsking(true) : renew())}>New secret</Button>
      {draftId !== undefined && (
        <span className="faint">Only for the draft: publishing keeps the address of the live webhook.</span>
      )}
      {isAsking && (
        <Question
          title="Replace the secret of this webhook?"
          about="Callers with the old address are refused at once. Give them the new one."
          button="Replace secret"
          isBusy={false}
          onClose={() => setAsking(false)}
          onYes={renew}
        />
      )}
    </div>
  );
}

import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '../../../../clients/typescript/api.js';
import { Button } from '../../ui/form/button.js';
import { Card } from '../../ui/card.js';
import { CopyButton } from '../../ui/words/copy-button.js';
import { Field, Select } from '../../ui/form/field.js';
import { Nothing } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { methodOf, type Proof } from './calls/call-writer.js';
import { type Language, readyCall, shortAddress } from './calls/ready-call.js';

const PROOFS: [Proof, string][] = [
  ['signature', 'Signature (the secret is not sent)'],
  ['basic', 'Authorization: Basic'],
  ['address', 'Secret in the URL'],
];
const LANGUAGES: [Language, string][] = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
];
const HIDDEN = '••••••••';
/** In place of a secret that the person may not see. */
const UNKNOWN = 'THE-SECRET';

/** The address, and programs that call it. The secret is covered until it is asked for; a copy has it. */
export function ReadyCalls({ webhook: { url, secret, verbs } }: { webhook: Webhook }) {
  const [proof, setProof] = useState<Proof>('signature');
  const [language, setLanguage] = useState<Language>('curl');
  const [isOpen, setOpen] = useState(false);
  if (url === null) {
    return (
      <Card title="URL">
        <Nothing title="The webhook cannot be called: its options lack a path or a secret." />
      </Card>
    );
  }
  const short = secret === null ? url : shortAddress(url, secret);
  const method = methodOf(verbs);
  const write = (shown: string) => readyCall(language, proof, { method, url: short, secret: shown });
  const real = secret ?? UNKNOWN;
  const shown = write(isOpen || secret === null ? real : HIDDEN).replaceAll(
    encodeURIComponent(HIDDEN),
    HIDDEN,
  );
  return (
    <Card title="Call the webhook" aside={<span className="faint">{verbs.join(', ').toUpperCase()}</span>}>
      <div className="webhook-part">
        <div className="row row-wrap">
          <code className="webhook-address">{short}</code>
          {secret !== null && (
            <Button onClick={() => setOpen(!isOpen)}>
              {isOpen ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
              {isOpen ? 'Hide secret' : 'Show secret'}
            </Button>
          )}
          <CopyButton text={short} noun="URL" />
        </div>
        {new URL(url).origin === location.origin && (
          <p className="warn wrap">
            Webhooks are not served at the console URL. Use the API URL instead, or ask the operator to set
            PUBLIC_URL.
          </p>
        )}
        {secret === null && <p className="soft">Your role cannot view the secret: insert it yourself.</p>}
        <Field name="Authenticate with">
          <Select value={proof} onChange={({ target }) => setProof(target.value as Proof)}>
            {PROOFS.map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Tabs
          label="Language"
          chosen={language}
          onChoose={(key) => setLanguage(key as Language)}
          tabs={LANGUAGES.map(([key, name]) => ({
            key,
            name,
            content: () => (
              <pre className="ready-call" tabIndex={0} role="region" aria-label="Example call">
                {shown}
              </pre>
            ),
          }))}
        />
        <div>
          <CopyButton text={write(real)} noun="call" />
        </div>
      </div>
    </Card>
  );
}

import type { ActionTrial } from '../../../../../clients/typescript/api.js';
import { isolated } from '../../../text/isolated.js';
import { JsonView } from '../../../ui/json-view/json-view.js';
import { Badge } from '../../../ui/words/badge.js';
import { RequestView } from '../../run/exchange/request-view.js';
import { PortWord } from './port-word.js';
import { TrialLog } from './trial-log.js';

interface ActionResultProps {
  trial: ActionTrial;
  name: string;
  /** Its events tell whether they match. */
  isTrigger: boolean;
  /** The input was too large to be used whole. */
  isCut: boolean;
}

/** What one action alone does: its rendered options, requests, events and log. */
export function ActionResult({ trial, name, isTrigger, isCut }: ActionResultProps) {
  const { error, requests, options, outputs, mails, effect, logs, left_out: left } = trial;
  return (
    <div className="stack">
      <p className="row row-wrap" role="status">
        <Badge tone={error === null ? 'ok' : 'bad'}>{error === null ? 'ran' : 'failed'}</Badge>
        <bdi>{name}</bdi>
        <span className="faint">Nothing was sent.</span>
      </p>
      {error !== null && <p className="bad wrap">{error}</p>}
      {isCut && <p className="warn">Long parts of the input were truncated.</p>}
      {requests.map((request, at) => (
        // A request is told from another by its place alone.
        <RequestView key={at} title="Request if sent now" request={request} />
      ))}
      {outputs.map(({ payload, port }, at) => (
        <div key={at} className="stack">
          <Part title={outputs.length === 1 ? 'Event' : `Event ${at + 1}`} value={payload} />
          <PortWord port={port} isTrigger={isTrigger} />
        </div>
      ))}
      {isTrigger && error === null && outputs.length === 0 && <p>No match: it emits no event.</p>}
      {effect !== null && <Part title="Effect" value={effect} />}
      {mails.length > 0 && <Part title="Mails, not sent" value={mails} />}
      {options === null ? (
        <p className="soft">The options could not be rendered.</p>
      ) : (
        <Part title="Rendered options" value={options} />
      )}
      <TrialLog lines={logs} />
      {left.length > 0 && <p className="faint wrap">Too large to display: {left.map(isolated).join(', ')}</p>}
    </div>
  );
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <section className="stack part" aria-label={title}>
      <h3>{title}</h3>
      <JsonView value={value} label={title} />
    </section>
  );
}

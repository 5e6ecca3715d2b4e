import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { Question } from '../../ui/overlay/question.js';
import { Time } from '../../ui/words/time.js';
import { SharedBadge } from './shared-badge.js';
import type { Sharing } from './sharing-change.js';
import { isolated } from '../../text/isolated.js';

interface ThingHeadProps {
  thing: { name: string; description: string; read_access: Sharing['access']; updated_at: string };
  /** The kind of thing, in a word. */
  kind: string;
  mayEdit: boolean;
  /** Returns the dialog of its settings. */
  settings: (onClose: () => void) => ReactNode;
  /** `refusal`: why the person may not delete it, though the settings are theirs to change. */
  deletion: { about: string; isBusy: boolean; onYes: () => void; refusal?: string };
}

/** The name of a thing of a team and what can be done with the whole of it. */
export function ThingHead(props: ThingHeadProps) {
  const { thing, kind, mayEdit, settings } = props;
  const { refusal, ...deletion } = props.deletion;
  const [open, setOpen] = useState<'settings' | 'delete'>();
  const { name, description, read_access: access, updated_at: at } = thing;
  const close = () => setOpen(undefined);
  return (
    <>
      <header className="page-head">
        <h1 className="wrap">{name}</h1>
        <Badge>{kind}</Badge>
        <SharedBadge access={access} />
        <span className="page-note">
          <Time at={at} prefix="changed " />
        </span>
        {mayEdit && (
          <>
            <Button onClick={() => setOpen('settings')}>
              <Pencil aria-hidden="true" /> Settings
            </Button>
            <Button
              look="danger"
              disabled={refusal !== undefined}
              title={refusal}
              onClick={() => setOpen('delete')}
            >
              <Trash2 aria-hidden="true" /> Delete
            </Button>
          </>
        )}
      </header>
      {description !== '' && <p className="soft wrap thing-about">{description}</p>}
      {open === 'settings' && settings(close)}
      {open === 'delete' && (
        <Question title={`Delete ${isolated(name)}?`} button="Delete" onClose={close} {...deletion} />
      )}
    </>
  );
}

import { useCallback, useState } from 'react';
import { portsOf } from '../../../canvas/draft-elements.js';
import { mayLink } from '../../../story-model/commands/link-commands.js';
import { kindOfLink, type LinkKind } from '../../../story-model/story-draft.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Select } from '../../../ui/form/field.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { KeysDialog } from '../../../ui/overlay/keys-dialog.js';
import { useEdited, useEditor } from '../editor-context.js';
import { SaveStepDialog } from '../steps/save-step-dialog.js';
import { KEY_HELP } from './canvas-keys.js';
import type { Asked } from './asked.js';
import type { CanvasWork } from './canvas-work.js';
import styles from './edit-canvas.module.css';
import { PickActionDialog } from './adding/pick-action-dialog.js';

const PORT_WORDS: Record<LinkKind, string> = {
  DEFAULT: 'Events of the action',
  NO_MATCH: 'Events that do not match',
  FAILURE: 'Failures',
};

interface CanvasDialogProps {
  asked: Asked | undefined;
  work: CanvasWork;
  onAsk: (asked: Asked | undefined) => void;
}

/** The one dialog that is open on the canvas. */
export function CanvasDialog({ asked, work, onAsk }: CanvasDialogProps) {
  const draft = useEdited((state) => state.draft);
  const all = useCallback(() => true, []);
  const close = () => onAsk(undefined);
  switch (asked?.kind) {
    case 'find':
      return (
        <PickActionDialog
          title="Find an action"
          draft={draft}
          isOffered={all}
          onClose={close}
          onPick={(key) => {
            close();
            work.focus(key);
          }}
        />
      );
    case 'link':
      return <LinkDialog source={asked.source} work={work} onClose={close} />;
    case 'links':
      return <LinksDialog of={asked.of} work={work} onAsk={onAsk} />;
    case 'end':
      return <EndDialog link={asked.link} end={asked.end} work={work} onClose={close} />;
    case 'step':
      return <SaveStepDialog work={work} onClose={close} />;
    case 'keys':
      return <KeysDialog title="Keys of the canvas" keys={KEY_HELP} onClose={close} />;
    default:
      return null;
  }
}

/** Links an action to another, by one of its ports. */
function LinkDialog({ source, work, onClose }: { source: string; work: CanvasWork; onClose: () => void }) {
  const draft = useEdited((state) => state.draft);
  const [kind, setKind] = useState<LinkKind>('DEFAULT');
  const isOffered = useCallback((key: string) => mayLink(draft, source, key), [draft, source]);
  const ports = portsOf(draft.actions.get(source) ?? { type: '' });
  return (
    <PickActionDialog
      title={`Link ${work.nameOf(source)} to`}
      draft={draft}
      isOffered={isOffered}
      onClose={onClose}
      onPick={(receiver) => {
        onClose();
        work.link(source, receiver, kind);
        work.focus(source);
      }}
    >
      <PortField ports={ports} kind={kind} onChange={setKind} />
    </PickActionDialog>
  );
}

interface PortFieldProps {
  ports: readonly LinkKind[];
  kind: LinkKind;
  onChange: (kind: LinkKind) => void;
  isDisabled?: boolean;
}

function PortField({ ports, kind, onChange, isDisabled = false }: PortFieldProps) {
  // A link may be of a kind that its action does not offer.
  const offered = ports.includes(kind) ? ports : [...ports, kind];
  return (
    <Field name="Carries">
      <Select
        value={kind}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value as LinkKind)}
      >
        {offered.map((each) => (
          <option key={each} value={each}>
            {PORT_WORDS[each]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** Leads one end of a link to another action. */
function EndDialog(props: {
  link: string;
  end: 'source' | 'receiver';
  work: CanvasWork;
  onClose: () => void;
}) {
  const { link: key, end, work, onClose } = props;
  const draft = useEdited((state) => state.draft);
  const link = draft.links.get(key);
  const isOffered = useCallback(
    (action: string) => {
      const ends = { source: link?.source ?? '', receiver: link?.receiver ?? '', [end]: action };
      return mayLink(draft, ends.source, ends.receiver) && action !== link?.[end];
    },
    [draft, link, end],
  );
  if (link === undefined) return null;
  const [from, to] = [work.nameOf(link.source), work.nameOf(link.receiver)];
  return (
    <PickActionDialog
      title={
        end === 'receiver' ? `Link ${from} to, instead of ${to}` : `Link to ${to} from, instead of ${from}`
      }
      draft={draft}
      isOffered={isOffered}
      onClose={onClose}
      onPick={(action) => {
        onClose();
        work.reconnect(key, { [end]: action });
        work.focus(end === 'receiver' ? link.source : action);
      }}
    />
  );
}

/** The links of one action, each to be changed or removed. */
function LinksDialog(props: { of: string; work: CanvasWork; onAsk: (asked: Asked | undefined) => void }) {
  const { of, work, onAsk } = props;
  const draft = useEdited((state) => state.draft);
  const { readOnly } = useEditor();
  const links = [...draft.links].filter(([, { source, receiver }]) => source === of || receiver === of);
  const close = () => {
    onAsk(undefined);
    work.focus(of);
  };
  return (
    <Dialog title={`Links of ${work.nameOf(of)}`} wide onClose={close}>
      <div className="dialog-body stack">
        {links.length === 0 && <p className="soft">This action has no links.</p>}
        <ul className={styles['links']}>
          {links.map(([key, link]) => {
            const [from, to] = [work.nameOf(link.source), work.nameOf(link.receiver)];
            const source = draft.actions.get(link.source);
            return (
              <li key={key} className={styles['linkRow']} aria-label={`Link from ${from} to ${to}`}>
                <span className="grow wrap">
                  {from} → {to}
                </span>
                <PortField
                  ports={portsOf(source ?? { type: '' })}
                  kind={kindOfLink(link)}
                  isDisabled={readOnly !== undefined}
                  onChange={(kind) => work.reconnect(key, { kind })}
                />
                <Button
                  disabled={readOnly !== undefined}
                  onClick={() =>
                    onAsk({ kind: 'end', link: key, end: link.source === of ? 'receiver' : 'source' })
                  }
                >
                  {link.source === of ? 'Change target' : 'Change source'}
                </Button>
                <Button look="danger" disabled={readOnly !== undefined} onClick={() => work.removeLink(key)}>
                  Remove
                </Button>
              </li>
            );
          })}
        </ul>
      </div>
      <footer className="dialog-foot">
        <Button disabled={readOnly !== undefined} onClick={() => onAsk({ kind: 'link', source: of })}>
          Link to another action
        </Button>
        <Button look="main" onClick={close}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}

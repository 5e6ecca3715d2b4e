import { useMay } from '../../../api/signed-in.js';
import { Field, Input, Select } from '../../../ui/form/field.js';
import { useEditor } from '../editor-context.js';
import { useUsableCredentials } from './request-import-data.js';
import { type CredentialChoice, mayGoTo, type NeededCredential } from './needed-credentials.js';
import styles from './request-import.module.css';

interface CredentialChoicesProps {
  needed: readonly NeededCredential[];
  choices: ReadonlyMap<string, CredentialChoice>;
  onChoice: (name: string, choice: CredentialChoice) => void;
}

/** The credentials that imported options refer to: each exists already, is created now, or later. */
export function CredentialChoices({ needed, choices, onChoice }: CredentialChoicesProps) {
  if (needed.length === 0) return null;
  return (
    <section className={styles['credentials']} aria-label="Credentials">
      <h3>Credentials</h3>
      <p className="soft">Secrets are kept in credentials. The options only refer to them.</p>
      {needed.map((each) => (
        <CredentialField
          key={each.name}
          needed={each}
          choice={choices.get(each.name) ?? { kind: 'later' }}
          onChoice={(choice) => onChoice(each.name, choice)}
        />
      ))}
    </section>
  );
}

/** Returns what is chosen at first: a credential of this name, else a new one if its secret is known. */
export function firstChoice(
  { name, secret, setting }: NeededCredential,
  existing: readonly { name: string }[],
  mayCreate: boolean,
): CredentialChoice {
  if (existing.some((each) => each.name === name)) return { kind: 'use', name };
  return mayCreate && setting !== undefined && secret !== ''
    ? { kind: 'create', name, secret }
    : { kind: 'later' };
}

interface CredentialFieldProps {
  needed: NeededCredential;
  choice: CredentialChoice;
  onChoice: (choice: CredentialChoice) => void;
}

function CredentialField({ needed, choice, onChoice }: CredentialFieldProps) {
  const { teamId } = useEditor();
  const mayCreate = useMay('manage', teamId) && needed.setting !== undefined;
  const existing = useUsableCredentials().data ?? [];
  const fitting = existing.filter(({ allowed_hosts: hosts }) => mayGoTo(hosts, needed.hosts));
  return (
    <div
      className={styles['credential']}
      role="group"
      aria-label={`Credential for ${needed.places.join(', ')}`}
    >
      <Field
        name={`For ${needed.places.join(', ')}`}
        note={
          choice.kind === 'later'
            ? `The options refer to ${needed.name}. Requests fail until it exists.`
            : (needed.about ?? undefined)
        }
      >
        <Select
          value={choice.kind === 'use' ? `use ${choice.name}` : choice.kind}
          onChange={({ target: { value } }) =>
            onChoice(
              value === 'create'
                ? { kind: 'create', name: needed.name, secret: needed.secret }
                : value === 'later'
                  ? { kind: 'later' }
                  : { kind: 'use', name: value.slice('use '.length) },
            )
          }
        >
          {mayCreate && <option value="create">Create a credential</option>}
          <option value="later">Create it later</option>
          {fitting.length > 0 && (
            <optgroup label="Use an existing one">
              {fitting.map(({ id, name }) => (
                <option key={id} value={`use ${name}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </Select>
      </Field>
      {choice.kind === 'create' && (
        <div className={styles['create']}>
          <Field name="Name">
            <Input
              required
              maxLength={255}
              value={choice.name}
              onChange={({ target }) => onChoice({ ...choice, name: target.value })}
            />
          </Field>
          <Field name="Secret">
            <Input
              required
              type="password"
              autoComplete="new-password"
              value={choice.secret}
              onChange={({ target }) => onChoice({ ...choice, secret: target.value })}
            />
          </Field>
          <p className="faint">
            {needed.hosts.length === 0
              ? 'It may be sent to any host.'
              : `It may be sent to ${needed.hosts.join(', ')} only.`}
          </p>
        </div>
      )}
    </div>
  );
}

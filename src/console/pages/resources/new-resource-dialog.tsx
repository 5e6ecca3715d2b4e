import { useLocation } from 'wouter';
import { api } from '../../api/console-api.js';
import { useChange } from '../../api/use-change.js';
import { useKeptText } from '../../api/use-kept-text.js';
import { useTeamsWith } from '../../api/signed-in.js';
import { Field, Input } from '../../ui/form/field.js';
import { FormDialog } from '../../ui/overlay/form-dialog.js';
import { textIn } from '../../ui/form/form-text.js';
import { TeamField } from '../team/team-field.js';
import { ValueFields } from './value-fields.js';
import { jsonFault, type ValueText } from './edited-value.js';

interface NewResourceProps {
  /** The name that is filled in. */
  name: string;
  /** The team that is chosen at first. */
  team: number | undefined;
  onClose: () => void;
}

/** Makes a resource. */
export function NewResourceDialog({ name, team, onClose }: NewResourceProps) {
  const [, go] = useLocation();
  const teams = useTeamsWith('write');
  const [kept, keep, forget] = useKeptText('resource.new.value');
  const value = valueIn(kept);
  const { text, kind } = value;
  const leave = () => {
    forget();
    onClose();
  };
  const making = useChange(
    (given: { name: string; description: string; team_id: number }) =>
      api.globalResources.create({ ...given, value: text, value_type: kind }),
    {
      did: 'Resource created.',
      old: ['resources'],
      onDone: ({ id }) => {
        forget();
        go(`/resources/${id}`);
      },
    },
  );
  const isFaulty = kind === 'json' && jsonFault(text) !== undefined;
  return (
    <FormDialog
      wide
      title="New resource"
      about="A value shared by stories, such as a list of domains, a URL or a table."
      button="Create"
      isBusy={isFaulty || making.isPending}
      isTyped={text !== ''}
      onClose={leave}
      onSend={(form) =>
        making.mutate({
          name: textIn(form, 'name'),
          description: textIn(form, 'description'),
          team_id: Number(textIn(form, 'team')),
        })
      }
    >
      <Field name="Name">
        <Input name="name" required maxLength={255} placeholder="Blocked domains" defaultValue={name} />
      </Field>
      <TeamField teams={teams} team={team} />
      <Field name="Description">
        <Input name="description" maxLength={10_000} />
      </Field>
      <ValueFields value={value} onChange={(changed) => keep(`${changed.kind} ${changed.text}`)} />
    </FormDialog>
  );
}

/** The value is kept with its type before it: a text must not come back as JSON. */
function valueIn(kept: string): ValueText {
  const [kind = '', ...words] = kept.split(' ');
  return kind === 'json' ? { kind, text: words.join(' ') } : { kind: 'text', text: words.join(' ') };
}

import { useLocation } from 'wouter';
import { api } from '../../../api/console-api.js';
import { useSession, useTeamsWith } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Input, Select, TextArea } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { editorAddress } from '../../editor/editor-address.js';
import { keptSample } from './kept-sample.js';
import { storyOfCall } from './story-of-call.js';

const CALL = `curl https://… -d '{"alert": "disk full"}'`;

interface NewStoryProps {
  onClose: () => void;
  /** Opens the choice of a file to import instead. */
  onFile: () => void;
}

/** Makes a story and opens it in the editor. */
export function NewStoryDialog({ onClose, onFile }: NewStoryProps) {
  const [, go] = useLocation();
  const teams = useTeamsWith('write');
  const owner = String(useSession().user.id);
  const creating = useChange(
    async ({ name, teamId, call }: { name: string; teamId: number; call: string }) => {
      if (call === '') return editorAddress((await api.stories.create({ name, team_id: teamId })).id, {});
      const { story, payload } = await storyOfCall(call, { name, teamId });
      const { id } = await api.stories.import(story);
      return editorAddress(id, await keptSample({ owner, storyId: id }, payload));
    },
    { old: ['stories'], onDone: (address) => go(address) },
  );
  return (
    <FormDialog
      title="New story"
      button="Create and edit"
      isBusy={creating.isPending}
      onClose={onClose}
      onSend={(form) =>
        creating.mutate({
          name: textIn(form, 'name'),
          teamId: Number(textIn(form, 'team')),
          call: textIn(form, 'call').trim(),
        })
      }
    >
      <Field name="Name">
        <Input name="name" required maxLength={255} />
      </Field>
      <Field name="Team">
        <Select name="team">
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        name="Paste a curl call of the webhook (optional)"
        note="The story begins with a webhook that accepts this call. This browser keeps the call as a sample."
      >
        <TextArea name="call" rows={3} placeholder={CALL} />
      </Field>
      <div className="row row-wrap">
        <span className="faint">Or begin with</span>
        <Button onClick={() => go('/gallery')}>A story of the gallery</Button>
        <Button
          onClick={() => {
            onClose();
            onFile();
          }}
        >
          An export file
        </Button>
      </div>
    </FormDialog>
  );
}

import { useLocation } from 'wouter';
import { api } from '../../../api/console-api.js';
import { useOwner, useTeamsWith } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Input, Select, TextArea } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { editorAddress } from '../../editor/editor-address.js';
import { noteFirstStory } from '../../home/first-steps/first-steps-store.js';
import { keptSample } from './kept-sample.js';
import { storyOfCall } from './story-of-call.js';

const CALL = `curl https://… -d '{"alert": "disk full"}'`;

interface NewStoryProps {
  /** What the fields begin with. */
  name?: string;
  call?: string;
  onClose: () => void;
  /** Opens the choice of a file to import instead; absent: none is offered. */
  onFile?: () => void;
}

/** Makes a story and opens it in the editor. */
export function NewStoryDialog({ name: firstName, call: firstCall, onClose, onFile }: NewStoryProps) {
  const [, go] = useLocation();
  const teams = useTeamsWith('write');
  const owner = useOwner();
  const make = async ({ name, teamId, call }: { name: string; teamId: number; call: string }) => {
    if (call === '') {
      const { id } = await api.stories.create({ name, team_id: teamId });
      noteFirstStory(id);
      return editorAddress(id, {});
    }
    const { story, payload } = await storyOfCall(call, { name, teamId });
    const { id } = await api.stories.import(story);
    noteFirstStory(id);
    // The webhook is open at once, with its address and its first call.
    const [webhook] = (await api.stories.actions.list({ id, per_page: 1 })).agents;
    const sample = await keptSample({ owner, storyId: id }, payload);
    return editorAddress(id, { action: webhook?.guid, ...sample });
  };
  const creating = useChange(make, { old: ['stories'], onDone: (address) => go(address) });
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
        <Input name="name" required maxLength={255} defaultValue={firstName} />
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
        <TextArea name="call" rows={3} placeholder={CALL} defaultValue={firstCall} />
      </Field>
      <div className="row row-wrap">
        <span className="faint">Or start from</span>
        <Button onClick={() => go('/gallery')}>A story from the gallery</Button>
        {onFile !== undefined && (
          <Button
            onClick={() => {
              onClose();
              onFile();
            }}
          >
            An export file
          </Button>
        )}
      </div>
    </FormDialog>
  );
}

import { Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Case, CaseActivity } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { textIn } from '../../../ui/form/form-text.js';
import { Markdown } from '../../../ui/markdown/markdown.js';
import { useCaseWork } from '../../cases/cases-data.js';
import type { NameOf } from '../case-data.js';

interface CommentProps {
  one: Case;
  activity: CaseActivity;
  nameOf: NameOf;
}

/** A comment, which can be edited and deleted. */
export function Comment({ one, activity, nameOf }: CommentProps) {
  const { case_id: id } = one;
  const { id: comment, value } = activity;
  const [isEditing, setEditing] = useState(false);
  const mayChange = useMay('write', one.team.id);
  const changing = useCaseWork({ onDone: () => setEditing(false) });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textIn(event.currentTarget, 'comment');
    changing.mutate(() => api.cases.comments.update({ id, comment_id: comment, value: text }));
  };
  if (isEditing) {
    return (
      <form onSubmit={save} className="stack">
        <textarea
          name="comment"
          className="input"
          aria-label="The comment"
          rows={4}
          maxLength={65_535}
          required
          defaultValue={value}
        />
        <div className="row">
          <Button type="submit" look="main" disabled={changing.isPending}>
            Save
          </Button>
          <Button onClick={() => setEditing(false)}>Cancel</Button>
        </div>
      </form>
    );
  }
  return (
    <div className="case-comment">
      <div className="grow">
        <Markdown text={value} nameOf={nameOf} />
      </div>
      {mayChange && (
        <>
          <IconButton label="Edit the comment" onClick={() => setEditing(true)}>
            <Pencil />
          </IconButton>
          <IconButton
            label="Delete the comment"
            disabled={changing.isPending}
            onClick={() => changing.mutate(() => api.cases.comments.delete({ id, comment_id: comment }))}
          >
            <Trash2 />
          </IconButton>
        </>
      )}
    </div>
  );
}

import { Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Case, CaseActivity } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { useKeptEdit } from '../../../api/use-kept-edit.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { NewerText } from '../../../ui/form/newer-text.js';
import { Markdown } from '../../../ui/markdown/markdown.js';
import { Question } from '../../../ui/overlay/question.js';
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
  const [isAsked, setAsked] = useState(false);
  const mayChange = useMay('write', one.team.id);
  const changing = useCaseWork({ onDone: () => setAsked(false) });
  if (isEditing) return <EditComment one={one} activity={activity} onClose={() => setEditing(false)} />;
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
          <IconButton label="Delete the comment" disabled={changing.isPending} onClick={() => setAsked(true)}>
            <Trash2 />
          </IconButton>
          {isAsked && (
            <Question
              title="Delete the comment?"
              about="It is deleted for everyone. This cannot be undone."
              button="Delete"
              isBusy={changing.isPending}
              onClose={() => setAsked(false)}
              onYes={() => changing.mutate(() => api.cases.comments.delete({ id, comment_id: comment }))}
            />
          )}
        </>
      )}
    </div>
  );
}

interface EditCommentProps extends Pick<CommentProps, 'one' | 'activity'> {
  onClose: () => void;
}

/** It is drawn for each edit anew: it begins with the comment as it is by now. */
function EditComment({ one: { case_id: id }, activity, onClose }: EditCommentProps) {
  const { id: comment, value } = activity;
  const edit = useKeptEdit(`case.${id}.comment.${comment}`, value);
  const stop = () => {
    edit.forget();
    onClose();
  };
  const changing = useCaseWork({ onDone: stop });
  const save = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate(() => api.cases.comments.update({ id, comment_id: comment, value: edit.text }));
  };
  return (
    <form onSubmit={save} className="stack">
      <textarea
        name="comment"
        className="input"
        aria-label="The comment"
        rows={4}
        maxLength={65_535}
        required
        value={edit.text}
        onChange={({ target }) => edit.setText(target.value)}
      />
      {edit.isContested && (
        <NewerText noun="comment" newer={value} onTake={edit.forget} onKeep={edit.keepMine} />
      )}
      <div className="row">
        <Button type="submit" look="main" disabled={changing.isPending || edit.isContested}>
          Save
        </Button>
        <Button onClick={stop}>Cancel</Button>
      </div>
    </form>
  );
}

import { AtSign } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useKeptText } from '../../../api/use-kept-text.js';
import { Button } from '../../../ui/form/button.js';
import { Markdown } from '../../../ui/markdown/markdown.js';
import { Menu, MenuItem } from '../../../ui/overlay/menu.js';
import { useCaseWork, usePeople } from '../../cases/cases-data.js';
import type { NameOf } from '../case-data.js';

/** Says something about the case. A mentioned user gets a mail; Ctrl-Enter sends. */
export function CommentForm({ one, nameOf }: { one: Case; nameOf: NameOf }) {
  const [text, setText, forgetText] = useKeptText(`case.${one.case_id}.comment`);
  const [isPreview, setPreview] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const sent = useRef<string>(undefined);
  const saying = useCaseWork({
    onDone: () => {
      // What was typed meanwhile stays.
      if (field.current === null || field.current.value === sent.current) forgetText();
      setPreview(false);
    },
  });
  const isEmpty = text.trim() === '';
  const send = () => {
    if (isEmpty || saying.isPending) return;
    sent.current = text;
    saying.mutate(() => api.cases.comments.create({ id: one.case_id, value: text }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const mention = (userId: number) => {
    const at = field.current?.selectionStart ?? text.length;
    setText(`${text.slice(0, at)}<@user-${userId}> ${text.slice(at)}`);
    setPreview(false);
  };
  return (
    <form onSubmit={submit} className="case-comment-form stack">
      {isPreview && !isEmpty ? (
        <Markdown text={text} nameOf={nameOf} />
      ) : (
        <textarea
          ref={field}
          className="input"
          aria-label="New comment"
          placeholder="Write a comment (Markdown supported)"
          rows={3}
          maxLength={65_535}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
          }}
        />
      )}
      <div className="row row-wrap">
        <Button type="submit" look="main" disabled={isEmpty || saying.isPending}>
          Comment
        </Button>
        <Button aria-pressed={isPreview} disabled={isEmpty} onClick={() => setPreview(!isPreview)}>
          {isPreview ? 'Write' : 'Preview'}
        </Button>
        <MentionMenu onMention={mention} />
      </div>
    </form>
  );
}

function MentionMenu({ onMention }: { onMention: (userId: number) => void }) {
  const people = usePeople().data ?? [];
  return (
    <Menu
      button={
        <Button look="quiet">
          <AtSign aria-hidden="true" /> Mention
        </Button>
      }
    >
      {people.map(({ id, name, email }) => (
        <MenuItem key={id} onSelect={() => onMention(id)}>
          <span title={email}>{name}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

import { useState } from 'react';
import { Link } from 'wouter';
import type {
  ActiveStory,
  Draft,
  DraftShadow,
  PublishStoryDraftBody,
  PublishedStory,
  StoryDifference,
} from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { LONG_CALL } from '../../../api/long-calls.js';
import { useMay, useSession } from '../../../api/signed-in.js';
import { useChange } from '../../../api/use-change.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Input, TextArea } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { Failed } from '../../../ui/states.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { viewPath } from '../../story/story-address.js';
import { GUARD_WORDS } from '../../story/story-guards.js';
import { useStoryPolicy } from '../../team/settings/test-policy.js';
import { useChangeRequest, useDraftTests } from './publish-data.js';
import { resultWords } from './shadow/shadow-words.js';
import styles from './publish.module.css';

const OLD = ['drafts', 'story', 'stories', 'graph', 'versions'] as const;

/** How conflicts are solved: entry by entry, and all others alike. */
type Solution = Pick<PublishStoryDraftBody, 'resolve' | 'resolve_rest'>;

interface PublishBarProps {
  story: ActiveStory;
  draft: Draft;
  /** The sides that were chosen for conflicts. */
  solution: Solution;
  /** Conflicts without a choice. */
  open: number;
  /** Whether the live story has changed since the base. */
  isBehind: boolean;
  /** Its newest shadow; null: none; undefined: not known yet. */
  shadow: DraftShadow | null | undefined;
  /** Is called with what the draft has taken from the live story. */
  onUpdated: (merged: readonly StoryDifference[]) => void;
  onPublished: (story: PublishedStory) => void;
}

/** The buttons of a draft: bring it up to date, publish it, or ask for that under change control. */
export function PublishBar(props: PublishBarProps) {
  const { story, draft, solution, open, isBehind, shadow, onUpdated, onPublished } = props;
  const [isOverwriting, setOverwriting] = useState(false);
  const [isPassing, setPassing] = useState(false);
  const place = { storyId: story.id, draftId: draft.id };
  const isControlled = story.change_control_enabled;
  const asked = useChangeRequest(place, isControlled);
  const request = asked.data;
  const mayPublish = !story.locked && (!isControlled || request?.status === 'APPROVED');
  const at = { id: story.id, draft_id: draft.id };
  const updating = useChange(() => api.stories.drafts.bringUpToDate({ ...at, ...solution }), {
    old: OLD,
    onDone: ({ merged = [] }) => onUpdated(merged),
  });
  const publishing = useChange(
    (wish: PublishStoryDraftBody) =>
      isControlled
        ? api.stories.changeRequest.promote(
            { id: story.id, change_request_id: request?.id ?? 0, ...wish },
            LONG_CALL.tests,
          )
        : api.stories.drafts.publish({ ...at, ...wish }, LONG_CALL.tests),
    { old: OLD, onDone: onPublished },
  );
  const hasFailedTests = useDraftTests(draft).data?.ok === false;
  const isBlocked = useStoryPolicy(story).data === 'block' && hasFailedTests;
  const isAdmin = useMay('manage', story.team_id);
  const isBusy = updating.isPending || publishing.isPending;
  return (
    <div className={styles['bar']}>
      {story.locked && <p className="warn">{GUARD_WORDS.locked}</p>}
      {shadow && <p className={shadow.different > 0 ? 'warn' : 'soft'}>Shadow: {resultWords(shadow)}</p>}
      {open > 0 && <p className="warn">{nounWords(open, 'choice')} left above.</p>}
      <div className="row row-wrap">
        {isBehind && (
          <Button disabled={isBusy || open > 0} onClick={() => updating.mutate(undefined)}>
            Bring my draft up to date
          </Button>
        )}
        {request === undefined && asked.error !== null && (
          <Failed error={asked.error} retry={asked.refetch} />
        )}
        {isControlled && <Approval {...place} draft={draft} request={request} />}
        {mayPublish && (
          <Button look="main" disabled={isBusy || open > 0} onClick={() => publishing.mutate(solution)}>
            Publish
          </Button>
        )}
        {mayPublish && isBlocked && isAdmin && (
          <Button look="quiet" disabled={isBusy || open > 0} onClick={() => setPassing(true)}>
            Publish despite failing tests…
          </Button>
        )}
        {mayPublish && isBehind && (
          <Button look="quiet" disabled={isBusy} onClick={() => setOverwriting(true)}>
            Overwrite…
          </Button>
        )}
      </div>
      {isPassing && (
        <FormDialog
          title="Publish despite failing tests"
          about="Failing tests refuse this publication. A team admin may go on all the same."
          button="Publish"
          isBusy={isBusy}
          onClose={() => setPassing(false)}
          onSend={(form) =>
            publishing.mutate({ ...solution, ignore_failed_tests: true, reason: textIn(form, 'reason') })
          }
        >
          <Field name="Reason" note="Recorded in the audit log.">
            <Input name="reason" required maxLength={500} />
          </Field>
        </FormDialog>
      )}
      {isOverwriting && (
        <FormDialog
          title="Overwrite the live story"
          about="The live story becomes this draft exactly. What was published since the draft was made is lost."
          button="Overwrite"
          isBusy={isBusy}
          onClose={() => setOverwriting(false)}
          onSend={(form) => publishing.mutate({ overwrite: true, reason: textIn(form, 'reason') })}
        >
          <Field name="Reason" note="Recorded in the audit log.">
            <Input name="reason" required maxLength={500} />
          </Field>
        </FormDialog>
      )}
    </div>
  );
}

interface ApprovalProps {
  storyId: number;
  draftId: number;
  draft: Draft;
  /** null: nobody has asked; undefined: it is not known yet. */
  request: { id: number; title: string; status: string; user_id: number } | null | undefined;
}

/** How far the approval of a draft under change control is. */
function Approval({ storyId, draftId, draft, request }: ApprovalProps) {
  const { user } = useSession();
  const [isAsking, setAsking] = useState(false);
  const asking = useChange(
    (form: { title: string; description: string }) =>
      api.stories.changeRequest.create({ id: storyId, draft_id: draftId, ...form }),
    { old: OLD, did: 'Approval requested', onDone: () => setAsking(false) },
  );
  const approving = useChange(
    (id: number) => api.stories.changeRequest.approve({ id: storyId, change_request_id: id }),
    { old: OLD, did: 'Approved' },
  );
  if (request === undefined) return null;
  if (request === null) {
    return (
      <>
        <Button look="main" onClick={() => setAsking(true)}>
          Request approval
        </Button>
        {isAsking && (
          <FormDialog
            title="Request approval"
            about="Another user approves the change before it is published."
            button="Request"
            isBusy={asking.isPending}
            onClose={() => setAsking(false)}
            onSend={(form) =>
              asking.mutate({ title: textIn(form, 'title'), description: textIn(form, 'description') })
            }
          >
            <Field name="Title" note="The version will have this name.">
              <Input name="title" required maxLength={255} defaultValue={draft.name} />
            </Field>
            <Field name="Description">
              <TextArea name="description" rows={3} className="prose" spellCheck />
            </Field>
          </FormDialog>
        )}
      </>
    );
  }
  const isApproved = request.status === 'APPROVED';
  return (
    <>
      <span className="wrap">
        <bdi>{request.title}</bdi>: {isApproved ? 'approved' : 'is waiting for the approval of another user'}
      </span>
      {!isApproved && <PassingTests storyId={storyId} draft={draft} />}
      {!isApproved && request.user_id !== user.id && (
        <Button disabled={approving.isPending} onClick={() => approving.mutate(request.id)}>
          Approve
        </Button>
      )}
    </>
  );
}

/** How many tests of a draft pass, beside what approves it; nothing while that is not known. */
function PassingTests({ storyId, draft }: Pick<ApprovalProps, 'storyId' | 'draft'>) {
  const results = useDraftTests(draft).data?.results ?? [];
  if (results.length === 0) return null;
  const passed = results.filter(({ ok }) => ok).length;
  return (
    <Link href={viewPath(storyId, 'tests', draft.id)}>
      {countWords(passed)} of {nounWords(results.length, 'test')} {passed === 1 ? 'passes' : 'pass'}
    </Link>
  );
}

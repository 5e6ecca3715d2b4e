import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { StartedRun } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useMay } from '../../../api/signed-in.js';
import { useMutation } from '../../../api/use-mutation.js';
import { parseExact } from '../../../text/exact-json.js';
import { Button } from '../../../ui/form/button.js';
import { Field, TextArea } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { Json } from '../../../ui/json.js';
import { Badge } from '../../../ui/words/badge.js';
import { noteResponse } from '../../home/first-steps/first-steps-store.js';
import { useStory } from '../../story/story-data.js';
import { useEditor } from '../editor-context.js';
import { answersOf, responseIn } from './answer-action.js';
import styles from './webhook-card.module.css';

/** So often the run is looked at until its answer is there. */
const AGAIN_MS = 400;
const EVENTS = 100;

interface TestCallProps {
  /** The webhook. */
  id: number;
  /** The body to begin with; undefined without a sample. */
  body: unknown;
}

/** Starts a run as a call of the webhook would, and shows what a caller gets. */
export function TestCall({ id, body }: TestCallProps) {
  const { teamId, saver } = useEditor();
  const mayRun = useMay('write', teamId);
  const calling = useMutation({
    mutationFn: async (text: string) => {
      const value = parseExact(text);
      await saver.flush();
      return api.actions.run({ id, event: { headers: { 'content-type': 'application/json' }, body: value } });
    },
  });
  const response = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The panel may end above it.
    if (calling.data !== undefined) response.current?.scrollIntoView({ block: 'nearest' });
  }, [calling.data]);
  if (!mayRun) return null;
  return (
    <form
      className={styles['card']}
      aria-label="Test call"
      onSubmit={(event) => {
        event.preventDefault();
        calling.mutate(textIn(event.currentTarget, 'body'));
      }}
    >
      <h3>Test call</h3>
      <Field name="Body (JSON)" note="Starts a real run: its requests and mails are sent.">
        <TextArea name="body" rows={5} required defaultValue={JSON.stringify(body ?? {}, undefined, 2)} />
      </Field>
      <div>
        <Button type="submit" disabled={calling.isPending}>
          <Send aria-hidden="true" /> Send test call
        </Button>
      </div>
      <div ref={response} role="status">
        {calling.data !== undefined && (
          <Response key={calling.data.story_run_guid} webhook={id} run={calling.data} />
        )}
      </div>
    </form>
  );
}

/** What a caller gets, once it is there. */
function Response({ webhook, run }: { webhook: number; run: StartedRun }) {
  const { storyId, draftId } = useEditor();
  const story = useStory(draftId ?? storyId).data;
  const exits = story === undefined ? [] : answersOf(story, webhook);
  const answer = useAnswer(run, exits);
  const [wasSeen, setSeen] = useState(false);
  const payload = answer.data?.payload;
  if (payload !== undefined && !wasSeen) setSeen(true);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!wasSeen) return;
    noteResponse(storyId);
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [wasSeen, storyId]);
  const step = answer.data?.event === undefined ? '' : `?step=event-${answer.data.event}`;
  const link = <Link href={`/runs/${run.story_id}/${run.story_run_guid}${step}`}>the run</Link>;
  if (exits.length === 0)
    return <p className="wrap">Accepted. Callers get the configured response; see {link}.</p>;
  if (payload === undefined && answer.data?.isOver !== true) return <p>Waiting for the response…</p>;
  if (payload === undefined) {
    return (
      <p className="warn wrap">
        The run ended without a response: see {link}. Callers get the configured response.
      </p>
    );
  }
  const { status, body } = responseIn(payload);
  return (
    <div ref={end} className={styles['answer']}>
      <p className="row row-wrap">
        <Badge tone={status < 400 ? 'ok' : 'warn'}>{status}</Badge>
        <span>Response to the caller; see {link}.</span>
      </p>
      <Json value={body} />
    </div>
  );
}

/** Returns the id and the payload of the first event of one of these actions in a run, and whether the run is over. */
function useAnswer({ story_id: id, story_run_guid: guid }: StartedRun, exits: readonly number[]) {
  return useQuery({
    queryKey: keys.story(id).answer(guid, exits),
    enabled: exits.length > 0,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.isOver || data.payload !== undefined) ? false : AGAIN_MS,
    queryFn: async () => {
      const { events, status } = await api.stories.runs.get({ id, guid, per_page: EVENTS });
      const first = events.find(({ agent_id: action }) => exits.includes(action));
      return { event: first?.id, payload: first?.payload, isOver: status !== 'running' };
    },
  });
}

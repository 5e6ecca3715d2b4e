import { FlaskConical, Square, X } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../api/signed-in.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { Select } from '../../../ui/form/field.js';
import { Failed, Loading, Nothing } from '../../../ui/states.js';
import { useEdited, useEditor } from '../editor-context.js';
import { useSavedPayloads } from '../sample/saved-payloads.js';
import { useSampleRuns, useShownSample } from '../sample/shown-sample.js';
import { ActionResult } from './action-result.js';
import { PayloadField } from './payload-field.js';
import { RealRunButton } from './real-run-button.js';
import { RequestRules } from './request-rules.js';
import { StoryResult } from './story-result.js';
import styles from './trial.module.css';
import type { TrialScope } from './trial-store.js';
import { hasNoMatchPort } from './trial-words.js';
import { type Trials, useAskedTrials, useTrials } from './use-trial.js';

/** Runs the story under edit on the sample, in memory, and shows what it does. */
export function TrialPanel() {
  const { view, teamId, draftId } = useEditor();
  const trials = useTrials();
  const { state, chosen, tryIt, lostRules } = trials;
  const sample = useShownSample();
  const [typed, setTyped] = useState<{ name: string; text: string }>();
  const mayRun = useMay('write', teamId);
  // What is typed is tried at once; the browser keeps it when the field is left.
  const isTyped = sample?.kind === 'saved' && typed?.name === sample.name;
  const run = () => tryIt(isTyped ? typed.text : undefined);
  const isReady = [useSampleRuns(), useSavedPayloads()].every(({ isPending }) => !isPending);
  useAskedTrials(run, isReady);
  return (
    <section className={styles['panel']} aria-label="Trial">
      <header className={styles['head']}>
        <h2>Try</h2>
        {chosen !== undefined && (
          <Select
            aria-label="What to try"
            value={state.scope}
            onChange={({ target }) => state.setScope(target.value as TrialScope)}
          >
            <option value="story">{draftId === undefined ? 'Whole story' : 'Whole draft'}</option>
            <option value="from">From {chosen.name} on</option>
            {mayRun && <option value="alone">{chosen.name} alone</option>}
          </Select>
        )}
        {state.isRunning ? (
          <Button onClick={state.stop}>
            <Square aria-hidden="true" /> Stop
          </Button>
        ) : (
          <Button look="main" disabled={!isReady} onClick={run}>
            <FlaskConical aria-hidden="true" /> Run trial
          </Button>
        )}
        <span className="grow" />
        <IconButton label="Close the trial" onClick={() => view.getState().openTrial(false)}>
          <X />
        </IconButton>
      </header>
      <div className={styles['body']}>
        <div className={styles['setup']}>
          <PayloadField onText={(name, text) => setTyped({ name, text })} />
          {state.scope === 'alone' ? (
            <p className="soft">One action alone stops at its first request: nothing is sent.</p>
          ) : (
            <RequestRules
              rules={state.rules}
              onRules={state.setRules}
              lost={lostRules}
              note={answeredBy(sample?.kind === 'run')}
            />
          )}
          {mayRun && <RealRunButton last={state.done} typed={isTyped ? typed.text : undefined} />}
        </div>
        <div className={styles['result']}>
          <Result trials={trials} />
        </div>
      </div>
    </section>
  );
}

function answeredBy(hasRun: boolean): string {
  return hasRun
    ? 'Other requests get the responses of the run. Nothing is sent.'
    : 'Other requests get no response. Nothing is sent.';
}

function Result({ trials: { state, send } }: { trials: Trials }) {
  const { done, error, isRunning } = state;
  const isOld = useEdited(({ draft }) => done !== undefined && draft !== done.draft);
  if (isRunning && done === undefined) return <Loading />;
  if (error !== undefined && !isRunning) return <Failed error={error} />;
  if (done === undefined) {
    return (
      <Nothing title="No trial yet.">
        <p>A trial runs in memory: it stores nothing, sends no request and no mail.</p>
      </Nothing>
    );
  }
  return (
    <div className="stack" aria-busy={isRunning}>
      {isOld && <p className="warn">Changed since this trial.</p>}
      {done.kind === 'story' ? (
        <StoryResult
          trial={done.trial}
          body={done.body}
          sampleName={done.sampleName}
          draft={done.draft}
          isHeld={isRunning || isOld}
          onSend={send}
        />
      ) : (
        <ActionResult
          trial={done.trial}
          name={done.name}
          isTrigger={hasNoMatchPort(done.draft.actions.get(done.key))}
          isCut={done.isCut}
        />
      )}
    </div>
  );
}

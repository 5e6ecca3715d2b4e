import { useRef } from 'react';
import type { CreateStoryDraftShadowBody, DraftShadow } from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { useMay } from '../../../../api/signed-in.js';
import { useChange } from '../../../../api/use-change.js';
import { isolated } from '../../../../text/isolated.js';
import { Button } from '../../../../ui/form/button.js';
import { Answer } from '../../../../ui/states.js';
import { nounWords } from '../../../../ui/words/figures.js';
import { Time } from '../../../../ui/words/time.js';
import type { ChosenAction } from '../compare-view.js';
import type { DraftOf } from '../publish-data.js';
import styles from '../publish.module.css';
import type { useShadowDifferences } from './shadow-data.js';
import { ShadowDifferences } from './shadow-differences.js';
import { RunsLine } from './shadow-runs.js';
import { kindWords, reasonWords, resultWords } from './shadow-words.js';

const OLD = ['shadows'] as const;

/** The runs that a person may choose. */
const CHOICES: readonly [words: string, title: string, body: CreateStoryDraftShadowBody][] = [
  [
    'Last 1,000 runs',
    'Tries the draft with the responses that the last runs got',
    { kind: 'last', runs: 1_000 },
  ],
  [
    'Next 100 runs',
    'Tries the draft with each of the next runs once it has ended',
    { kind: 'next', runs: 100 },
  ],
  [
    'A tenth of a day’s runs',
    'Tries the draft with one of ten runs for 24 hours, 10,000 at most',
    { kind: 'sample', percent: 10, hours: 24, runs: 10_000 },
  ],
];

interface ShadowViewProps extends ChosenAction {
  teamId: number;
  place: DraftOf;
  /** null: there was none. */
  shadow: DraftShadow | null;
  /** The question for its differences. */
  found: Pick<ReturnType<typeof useShadowDifferences>, 'data' | 'error' | 'refetch'>;
}

/** Runs that go through the draft as trials: starts them, and shows what the draft does otherwise. */
export function ShadowView({ teamId, place, shadow, found, ...action }: ShadowViewProps) {
  const mayWork = useMay('write', teamId);
  const line = useRef<HTMLDivElement>(null);
  const at = { id: place.storyId, draft_id: place.draftId };
  const starting = useChange(
    (body: CreateStoryDraftShadowBody) => api.stories.drafts.shadows.create({ ...at, ...body }),
    { old: OLD },
  );
  const stopping = useChange((id: number) => api.stories.drafts.shadows.stop({ ...at, shadow_id: id }), {
    old: OLD,
  });
  const isRunning = shadow?.state === 'running';
  /** The button that was pressed goes. */
  const keepFocus = () => line.current?.focus();
  return (
    <div ref={line} tabIndex={-1} className={styles['inner']}>
      {shadow === null ? (
        <p className="soft">
          Runs also go through the draft as trials, with the responses that they got. Nothing is sent.
        </p>
      ) : (
        <Result place={place} shadow={shadow} />
      )}
      {mayWork && (
        <div className="row row-wrap">
          {isRunning ? (
            <Button
              disabled={stopping.isPending}
              onClick={() => {
                keepFocus();
                stopping.mutate(shadow.id);
              }}
            >
              Stop
            </Button>
          ) : (
            CHOICES.map(([words, title, body]) => (
              <Button
                key={words}
                title={title}
                disabled={starting.isPending}
                onClick={() => {
                  keepFocus();
                  starting.mutate(body);
                }}
              >
                {words}
              </Button>
            ))
          )}
        </div>
      )}
      {shadow !== null && shadow.different > 0 && (
        <Answer of={found} lines={2}>
          {(differences) => (
            <ShadowDifferences place={place} shadow={shadow} found={differences} {...action} />
          )}
        </Answer>
      )}
    </div>
  );
}

function Result({ place, shadow }: { place: DraftOf; shadow: DraftShadow }) {
  const { state, runs, same, different, not_compared: rest, waiting, started_by: by, restarts } = shadow;
  const reasons = reasonWords(shadow);
  return (
    <>
      <p className="row row-wrap">
        <strong className={different > 0 ? 'warn' : ''} role="status">
          {resultWords(shadow)}
        </strong>
        {state === 'running' && (
          <progress max={runs} value={same + different + rest} aria-label="Runs with a result" />
        )}
      </p>
      <p className="faint">
        {kindWords(shadow)}
        {state === 'stopped' &&
          (shadow.stop_reason === 'no_rights'
            ? ', ended: its starter may no longer change the story'
            : ', stopped')}
        <Time at={shadow.created_at} prefix=", started " />
        {by !== null && ` by ${isolated(by.name)}`}
        {waiting > 0 && `, ${nounWords(waiting, 'run')} not ended yet`}
        {restarts > 0 && ', begun again with the changed draft'}
      </p>
      {shadow.partly_compared > 0 && (
        <p className="soft">
          A part of {nounWords(shadow.partly_compared, 'run')} was not compared: the live story, too, does
          otherwise there than in the run.
        </p>
      )}
      {reasons.length > 0 && (
        <RunsLine
          words={`Not compared: ${reasons.join('; ')}.`}
          isSoft
          place={place}
          shadow={shadow}
          of={{ verdict: 'not_compared' }}
          count={rest}
        />
      )}
    </>
  );
}

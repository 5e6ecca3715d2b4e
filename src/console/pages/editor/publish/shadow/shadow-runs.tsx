import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type {
  DraftShadow,
  DraftShadowDifference,
  DraftShadowRun,
} from '../../../../../../clients/typescript/api.js';
import { Button } from '../../../../ui/form/button.js';
import { Answer } from '../../../../ui/states.js';
import { nounWords } from '../../../../ui/words/figures.js';
import { editorAddress } from '../../editor-address.js';
import type { DraftOf } from '../publish-data.js';
import styles from '../publish.module.css';
import { type RunsOf, useShadowRuns } from './shadow-data.js';
import { ShadowValues } from './shadow-values.js';
import { REASON_WORDS, runTime } from './shadow-words.js';

interface ShadowRunsProps {
  place: DraftOf;
  shadow: DraftShadow;
  of: RunsOf;
  /** The runs that there are, some of which may not be listed. */
  count: number;
  label: string;
  /** The difference whose values are shown; undefined: there are none to show. */
  difference?: DraftShadowDifference;
}

interface RunsLineProps extends Omit<ShadowRunsProps, 'label'> {
  /** Words about the runs, which also name their list. */
  words: string;
  isSoft?: boolean;
}

/** A sentence about runs of a shadow, with a button that opens their list below it. */
export function RunsLine({ words, isSoft = false, ...runs }: RunsLineProps) {
  const [isOpen, setOpen] = useState(false);
  const Sign = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <p className={isSoft ? 'row row-wrap soft' : 'row row-wrap'}>
        <bdi className="wrap grow">{words}</bdi>
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {nounWords(runs.count, 'run')}
          <Sign aria-hidden="true" />
        </Button>
      </p>
      {isOpen && <ShadowRuns {...runs} label={words} />}
    </>
  );
}

/** Runs of a shadow, newest first, each with what leads to it; the values of the first one are open. */
function ShadowRuns({ place, shadow, of, count, label, difference }: ShadowRunsProps) {
  const runs = useShadowRuns(place, shadow, { of, count });
  const { refetch } = runs;
  const [first] = runs.data?.pages ?? [];
  const hasNew = first !== undefined && count > first.counted;
  const endsWithNew = hasNew && shadow.state !== 'running';
  useEffect(() => {
    if (endsWithNew) void refetch();
  }, [endsWithNew, refetch]);
  return (
    <div className={styles['values']}>
      <Answer of={runs} lines={2}>
        {({ pages }) => {
          const missing = (first?.counted ?? 0) - (first?.meta.count ?? 0);
          return (
            <>
              {hasNew && (
                <div>
                  <Button disabled={runs.isFetching} onClick={() => void refetch()}>
                    New runs
                  </Button>
                </div>
              )}
              <RunList
                key={`${shadow.id} ${shadow.restarts}`}
                place={place}
                shadow={shadow}
                runs={pages.flatMap((page) => page.runs)}
                label={label}
                difference={difference}
              />
              {runs.hasNextPage && (
                <div>
                  <Button disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
                    More runs
                  </Button>
                </div>
              )}
              {!runs.hasNextPage && missing > 0 && (
                <p className="soft">{nounWords(missing, 'more run')}, deleted or too many to list.</p>
              )}
            </>
          );
        }}
      </Answer>
    </div>
  );
}

interface RunListProps {
  place: DraftOf;
  shadow: DraftShadow;
  runs: readonly DraftShadowRun[];
  label: string;
  difference: DraftShadowDifference | undefined;
}

/** The run that is open stays so while newer ones come before it. */
function RunList({ place, shadow, runs, label, difference }: RunListProps) {
  const [open, setOpen] = useState(runs[0]?.run_guid);
  // New runs move those of before to the next page.
  const unique = new Map(runs.map((run) => [run.run_guid, run]));
  return (
    <ol aria-label={label} className={styles['runs']}>
      {[...unique.values()].map((run) => (
        <li key={run.run_guid}>
          <Run place={place} run={run}>
            {difference !== undefined && (
              <Button
                look="quiet"
                aria-expanded={open === run.run_guid}
                onClick={() => setOpen(open === run.run_guid ? undefined : run.run_guid)}
              >
                Values
              </Button>
            )}
          </Run>
          {difference !== undefined && open === run.run_guid && (
            <ShadowValues place={place} shadow={shadow} difference={difference} guid={run.run_guid} />
          )}
        </li>
      ))}
    </ol>
  );
}

function Run({
  place: { storyId, draftId },
  run: { run_guid: guid, run_at: at, not_compared_because: reason },
  children,
}: {
  place: DraftOf;
  run: DraftShadowRun;
  children: ReactNode;
}) {
  return (
    <div className="row row-wrap">
      <Link href={`/runs/${storyId}/${guid}`}>
        <time dateTime={at}>{runTime(at)}</time>
      </Link>
      {reason !== null && <span className="soft">{REASON_WORDS[reason]}</span>}
      {children}
      <Link href={editorAddress(storyId, { draft: draftId, sample: `run:${guid}` })}>Try the draft</Link>
    </div>
  );
}

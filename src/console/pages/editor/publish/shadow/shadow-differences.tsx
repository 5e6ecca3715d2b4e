import { useState } from 'react';
import { Link } from 'wouter';
import type {
  DraftShadowDifference,
  ListStoryDraftShadowDifferencesResponse,
} from '../../../../../../clients/typescript/api.js';
import { Button } from '../../../../ui/form/button.js';
import { Answer } from '../../../../ui/states.js';
import { nounWords } from '../../../../ui/words/figures.js';
import { editorAddress } from '../../editor-address.js';
import type { ChosenAction } from '../compare-view.js';
import type { DraftOf } from '../publish-data.js';
import styles from '../publish.module.css';
import { useExample } from './shadow-data.js';
import { differenceWords, exampleValues } from './shadow-words.js';

interface ShadowDifferencesProps extends ChosenAction {
  place: DraftOf;
  found: ListStoryDraftShadowDifferencesResponse;
}

/** What the draft does otherwise, by action, with the number of runs and an example of each. */
export function ShadowDifferences({ place, found, chosen, onChoose }: ShadowDifferencesProps) {
  const { differences, meta } = found;
  const actions = new Map<string, DraftShadowDifference[]>();
  for (const each of differences)
    actions.set(each.action.guid, [...(actions.get(each.action.guid) ?? []), each]);
  return (
    <div className="stack">
      {[...actions].map(([guid, list]) => (
        <div key={guid} className={styles['group']}>
          <h3>
            <Button look="quiet" aria-pressed={chosen === guid} onClick={() => onChoose(guid)}>
              <bdi>{list[0]?.action.name}</bdi>
            </Button>
          </h3>
          <ul>
            {list.map((each) => (
              <li key={each.id}>
                <Difference place={place} difference={each} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {meta.count > differences.length && (
        <p className="soft">{nounWords(meta.count - differences.length, 'more difference')} in fewer runs.</p>
      )}
    </div>
  );
}

interface DifferenceProps {
  place: DraftOf;
  difference: DraftShadowDifference;
}

function Difference({ place, difference }: DifferenceProps) {
  const [isOpen, setOpen] = useState(false);
  const [guid] = difference.run_guids;
  return (
    <>
      <p className="row row-wrap">
        <span className="wrap grow">
          <bdi>{differenceWords(difference)}</bdi>
        </span>
        <span className="warn">{nounWords(difference.runs, 'run')}</span>
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Example
        </Button>
      </p>
      {isOpen && guid !== undefined && <Example place={place} difference={difference} guid={guid} />}
    </>
  );
}

/** The values of a difference in one run: those are read anew, and only by who may see the run. */
function Example({ place, difference, guid }: DifferenceProps & { guid: string }) {
  const { storyId, draftId } = place;
  return (
    <div className={styles['inner']}>
      <Answer of={useExample(place, guid)} lines={2}>
        {(trial) => (
          <>
            {exampleValues(difference, trial).map(({ place: path, before, after }) => (
              <p key={path} className="wrap">
                <code>{path}</code>: <del>{before === '' ? 'nothing' : before}</del>{' '}
                <ins>{after === '' ? 'nothing' : after}</ins>
              </p>
            ))}
          </>
        )}
      </Answer>
      <p className="row row-wrap">
        {difference.run_guids.map((run, at) => (
          <Link key={run} href={`/runs/${storyId}/${run}`}>
            Run {at + 1}
          </Link>
        ))}
        <Link href={editorAddress(storyId, { draft: draftId, sample: `run:${guid}` })}>
          Try the draft with this run
        </Link>
      </p>
    </div>
  );
}

import type {
  DraftShadow,
  DraftShadowDifference,
  ListStoryDraftShadowDifferencesResponse,
} from '../../../../../../clients/typescript/api.js';
import { Button } from '../../../../ui/form/button.js';
import { nounWords } from '../../../../ui/words/figures.js';
import type { ChosenAction } from '../compare-view.js';
import type { DraftOf } from '../publish-data.js';
import styles from '../publish.module.css';
import { RunsLine } from './shadow-runs.js';
import { differenceWords } from './shadow-words.js';

interface ShadowDifferencesProps extends ChosenAction {
  place: DraftOf;
  shadow: DraftShadow;
  found: ListStoryDraftShadowDifferencesResponse;
}

/** Differences of the draft by action, each with its runs. */
export function ShadowDifferences({ place, shadow, found, chosen, onChoose }: ShadowDifferencesProps) {
  const { differences, meta } = found;
  const rest = meta.count - differences.length + shadow.left_out;
  const actions = new Map<string, DraftShadowDifference[]>();
  for (const each of differences)
    actions.set(each.action.guid, [...(actions.get(each.action.guid) ?? []), each]);
  return (
    <div className="stack">
      {[...actions].map(([guid, list]) => (
        <div key={guid} className={styles['group']}>
          <h3>
            <Button look="quiet" aria-pressed={chosen === guid} onClick={() => onChoose(guid)}>
              <bdi className="wrap">{list[0]?.action.name}</bdi>
            </Button>
          </h3>
          <ul>
            {list.map((each) => (
              <li key={each.id}>
                <RunsLine
                  words={differenceWords(each)}
                  place={place}
                  shadow={shadow}
                  of={{ difference_id: each.id }}
                  count={each.runs}
                  difference={each}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {rest > 0 && <p className="soft">{nounWords(rest, 'more difference')}, not listed here.</p>}
    </div>
  );
}

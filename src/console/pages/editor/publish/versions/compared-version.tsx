import { type ReactNode, useMemo } from 'react';
import type { Draft, StoryVersion } from '../../../../../../clients/typescript/api.js';
import { isolated } from '../../../../text/isolated.js';
import { Card } from '../../../../ui/card.js';
import { Field, Select } from '../../../../ui/form/field.js';
import { Answer } from '../../../../ui/states.js';
import { CompareView } from '../compare-view.js';
import { changedGuids } from '../difference-groups.js';
import { DifferenceList } from '../difference-list.js';
import { versionName } from './version-words.js';
import { type ComparedStates, type StateName, useComparedStates } from './versions-data.js';
import styles from '../publish.module.css';

interface ComparedVersionProps {
  /** The id of the story or the draft. */
  storyId: number;
  /** The words for what is there now: `the live story`. */
  here: string;
  version: StoryVersion;
  versions: readonly StoryVersion[];
  /** The drafts of the story; a draft has none. */
  drafts: readonly Pick<Draft, 'id' | 'name'>[];
  other: StateName;
  onOther: (state: string) => void;
  /** The list of versions. */
  children: ReactNode;
}

/** A version beside another one, beside what is there now, or beside a draft. */
export function ComparedVersion(props: ComparedVersionProps) {
  const { storyId, version, other } = props;
  return (
    <Answer of={useComparedStates(storyId, version.id, other)} lines={8}>
      {(states) => <States {...props} {...states} />}
    </Answer>
  );
}

function States(props: ComparedVersionProps & ComparedStates) {
  const { here, version, versions, drafts, other, onOther, children, before, after, diff } = props;
  const changed = useMemo(() => changedGuids(diff.story_diff), [diff]);
  return (
    <CompareView before={before} after={after} changed={changed}>
      {(action) => (
        <>
          <Card title={`Changes since ${versionName(version)}`}>
            <div className={styles['inner']}>
              <Field name="Compared with">
                <Select value={String(other)} onChange={({ target }) => onOther(target.value)}>
                  <option value="live">Now: {here}</option>
                  {drafts.map(({ id, name }) => (
                    <option key={id} value={`draft:${id}`}>
                      Draft: {isolated(name)}
                    </option>
                  ))}
                  {versions
                    .filter(({ id }) => id !== version.id)
                    .map((each) => (
                      <option key={each.id} value={each.id}>
                        {versionName(each)}
                      </option>
                    ))}
                </Select>
              </Field>
              <DifferenceList differences={diff.story_diff} nothing="They are identical." {...action} />
              {!diff.complete && <p className="soft">The first of {diff.count} differences are listed.</p>}
            </div>
          </Card>
          {children}
        </>
      )}
    </CompareView>
  );
}

import { type ReactNode, useMemo } from 'react';
import type { StoryDiff, StoryExport, StoryVersion } from '../../../../../clients/typescript/api.js';
import { Card } from '../../../ui/card.js';
import { Field, Select } from '../../../ui/form/field.js';
import { Answer } from '../../../ui/states.js';
import { CompareView } from './compare-view.js';
import { changedGuids } from './difference-groups.js';
import { DifferenceList } from './difference-list.js';
import { versionName } from './version-words.js';
import { type StateName, useStateExport, useVersionDiff } from './versions-data.js';
import styles from './publish.module.css';

interface ComparedVersionProps {
  /** The id of the story or the draft. */
  storyId: number;
  /** The words for what is there now: `the live story`. */
  here: string;
  version: StoryVersion;
  versions: readonly StoryVersion[];
  other: StateName;
  onOther: (state: StateName) => void;
  /** The list of versions. */
  children: ReactNode;
}

/** A version beside another one, or beside what is there now. */
export function ComparedVersion(props: ComparedVersionProps) {
  const { storyId, version, other } = props;
  const before = useStateExport(storyId, version.id);
  const after = useStateExport(storyId, other);
  const diff = useVersionDiff(storyId, version.id, other);
  return (
    <Answer of={before} lines={8}>
      {(one) => (
        <Answer of={after} lines={8}>
          {(two) => (
            <Answer of={diff} lines={8}>
              {(found) => <States {...props} before={one} after={two} diff={found} />}
            </Answer>
          )}
        </Answer>
      )}
    </Answer>
  );
}

interface StatesProps extends ComparedVersionProps {
  before: StoryExport;
  after: StoryExport;
  diff: StoryDiff;
}

function States(props: StatesProps) {
  const { here, version, versions, other, onOther, children, before, after, diff } = props;
  const changed = useMemo(() => changedGuids(diff.story_diff), [diff]);
  return (
    <CompareView before={before} after={after} changed={changed}>
      {(action) => (
        <>
          <Card title={`Changes since ${versionName(version)}`}>
            <div className={styles['inner']}>
              <Field name="Compared with">
                <Select
                  value={other}
                  onChange={({ target }) => onOther(target.value === 'live' ? 'live' : Number(target.value))}
                >
                  <option value="live">Now: {here}</option>
                  {versions
                    .filter(({ id }) => id !== version.id)
                    .map((each) => (
                      <option key={each.id} value={each.id}>
                        {versionName(each)}
                      </option>
                    ))}
                </Select>
              </Field>
              <DifferenceList differences={diff.story_diff} nothing="Both are the same." {...action} />
              {!diff.complete && <p className="soft">The first of {diff.count} differences are listed.</p>}
            </div>
          </Card>
          {children}
        </>
      )}
    </CompareView>
  );
}

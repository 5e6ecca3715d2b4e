import { type ReactNode, useMemo } from 'react';
import type { StoryDifference } from '../../../../../clients/typescript/api.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import {
  type DifferenceGroup,
  differenceTexts,
  differenceWords,
  groupsOf,
  isWholePart,
} from './difference-groups.js';
import { LineDiff } from './line-diff.js';
import styles from './publish.module.css';

interface DifferenceListProps {
  differences: readonly StoryDifference[];
  /** The guid of the action that is chosen in the picture. */
  chosen?: string | undefined;
  /** Shows an action in the picture; undefined: there is none. */
  onChoose?: (guid: string) => void;
  /** Stands there without any difference. */
  nothing: ReactNode;
}

/** Differences by action; parts that were only moved are folded away. */
export function DifferenceList({ differences, chosen, onChoose, nothing }: DifferenceListProps) {
  const { groups, moved } = useMemo(() => groupsOf(differences), [differences]);
  if (differences.length === 0) return <p className="soft">{nothing}</p>;
  return (
    <div className="stack">
      {groups.map((group) => (
        <Group
          key={group.key}
          group={group}
          isChosen={chosen !== undefined && group.guid === chosen}
          onChoose={onChoose}
        />
      ))}
      {moved.length > 0 && (
        <details>
          <summary>{nounWords(moved.length, 'part')} only moved</summary>
          <ul className={styles['moved']}>
            {moved.map(({ key, title, guid }) => (
              <li key={key}>
                <Title
                  title={title}
                  guid={guid}
                  isChosen={chosen !== undefined && guid === chosen}
                  onChoose={onChoose}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface GroupProps {
  group: DifferenceGroup;
  isChosen: boolean;
  onChoose: ((guid: string) => void) | undefined;
}

function Group({ group: { title, guid, differences }, isChosen, onChoose }: GroupProps) {
  return (
    <div className={styles['group']}>
      <h3>
        <Title title={title} guid={guid} isChosen={isChosen} onChoose={onChoose} />
      </h3>
      <ul>
        {differences.map((difference) => (
          <li key={`${difference.kind} ${difference.path} ${differenceWords(difference)}`}>
            <Difference of={difference} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Title({
  title,
  guid,
  isChosen,
  onChoose,
}: Pick<DifferenceGroup, 'title' | 'guid'> & Omit<GroupProps, 'group'>) {
  if (guid === null || onChoose === undefined) return <bdi className="wrap">{title}</bdi>;
  return (
    <Button look="quiet" aria-pressed={isChosen} title="Show on the canvas" onClick={() => onChoose(guid)}>
      <bdi className="wrap">{title}</bdi>
    </Button>
  );
}

function Difference({ of }: { of: StoryDifference }) {
  const texts = differenceTexts(of);
  const words = differenceWords(of);
  const isWhole = isWholePart(of);
  return (
    <>
      <span className={`${styles['words']} wrap`}>{words}</span>
      {texts !== null && !isWhole && <LineDiff label={words} {...texts} />}
      {texts !== null && isWhole && (
        <details>
          <summary>Show it</summary>
          <LineDiff label={words} {...texts} />
        </details>
      )}
    </>
  );
}

import type { ActiveStory, Draft, StoryCheck, WaitingAction } from '../../../../../clients/typescript/api.js';
import { Card } from '../../../ui/card.js';
import { Answer } from '../../../ui/states.js';
import { Badge } from '../../../ui/words/badge.js';
import { nounWords } from '../../../ui/words/figures.js';
import { useCheck } from './publish-data.js';
import { PublishTests } from './publish-tests.js';
import styles from './publish.module.css';

interface PublishFindingsProps {
  story: ActiveStory;
  draft: Draft;
  waiting: readonly WaitingAction[];
}

/** The things to know before a draft is published: its tests, findings of the check, and events that would become dead letters. */
export function PublishFindings({ story, draft, waiting }: PublishFindingsProps) {
  return (
    <Card title="Before you publish">
      <div className={styles['inner']}>
        {waiting.map(({ id, name, events }) => (
          <p key={id} className="warn wrap">
            <bdi>{name}</bdi> is removed: {nounWords(events, 'waiting event')}{' '}
            {events === 1 ? 'becomes a dead letter' : 'become dead letters'}.
          </p>
        ))}
        <PublishTests story={story} draft={draft} />
        <Answer of={useCheck(draft.id)} lines={2}>
          {(check) => <Check check={check} />}
        </Answer>
      </div>
    </Card>
  );
}

const TONES = { error: 'bad', warning: 'warn' } as const;

function Check({ check: { refusals, warnings, story } }: { check: StoryCheck }) {
  const found = (story?.actions ?? []).flatMap(({ name, findings }) =>
    findings.flatMap(({ level, message, option, line }) =>
      level === 'hint'
        ? []
        : [{ level, name, text: `${option}${line === null ? '' : `, line ${line}`}: ${message}` }],
    ),
  );
  const general = [
    ...refusals.map(({ message }) => ({ level: 'error' as const, name: '', text: message })),
    ...warnings.map((text) => ({ level: 'warning' as const, name: '', text })),
  ];
  const all = [...general, ...found];
  if (all.length === 0) return <p className="soft">The check of the draft found no problems.</p>;
  return (
    <ul className={styles['findings']} aria-label="Findings of the check">
      {all.map(({ level, name, text }) => (
        <li key={`${name} ${text}`} className="wrap">
          <Badge tone={TONES[level]}>{level}</Badge> {name !== '' && <bdi>{name}, </bdi>}
          {text}
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CaseActivity } from '../../../../../clients/typescript/api.js';
import { PRIORITY_WORDS } from '../../cases/case-marks.js';
import type { NameOf } from '../case-data.js';
import { isolated } from '../../../text/isolated.js';

type Words = (value: string, nameOf: NameOf) => ReactNode;

const MOST_CHARACTERS = 300;

const listed = (words: string) => words.split(',').map(isolated).join(', ');

/** A value of users, cut, so that it cannot fill the page. */
const Quoted = ({ text }: { text: string }) => (
  <>
    “<bdi>{text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text}</bdi>”
  </>
);

const names = (ids: string, nameOf: NameOf) => (
  <bdi>
    {ids
      .split(',')
      .map((id) => isolated(nameOf(Number(id))))
      .join(', ')}
  </bdi>
);

/** Words for each type of activity, after a name; `value` by spec §7.5. */
const WORDS: Readonly<Record<CaseActivity['activity_type'], Words>> = {
  CREATED: () => 'opened the case',
  ASSIGNED: (ids, nameOf) => <>assigned {names(ids, nameOf)}</>,
  UNASSIGNED: (ids, nameOf) => <>unassigned {names(ids, nameOf)}</>,
  STATUS_UPDATED: (status) => (status === 'CLOSED' ? 'closed the case' : 'reopened the case'),
  SEVERITY_UPDATED: (priority) => (
    <>set the priority to {PRIORITY_WORDS[priority as keyof typeof PRIORITY_WORDS] ?? priority}</>
  ),
  COMMENTED: () => 'commented',
  DELETED_COMMENT: () => 'deleted a comment',
  DESCRIPTION_UPDATED: () => 'changed the description',
  TITLE_UPDATED: (name) => (
    <>
      renamed the case to <Quoted text={name} />
    </>
  ),
  TAGS_ADDED: (tags) => (
    <>
      added the tags <Quoted text={listed(tags)} />
    </>
  ),
  TAGS_REMOVED: (tags) => (
    <>
      removed the tags <Quoted text={listed(tags)} />
    </>
  ),
  METADATA_UPDATED: (keys) => (
    <>
      changed the fields <Quoted text={listed(keys)} />
    </>
  ),
  RECORD_RESULT_SET_ADDED: (id) => `added record ${id}`,
  RECORD_RESULT_SET_REMOVED: (id) => `removed record ${id}`,
  LINKED_CASE_ADDED: (id) => (
    <>
      linked <Link href={`/cases/${id}`}>case {id}</Link>
    </>
  ),
  LINKED_CASE_REMOVED: (id) => (
    <>
      removed the link to <Link href={`/cases/${id}`}>case {id}</Link>
    </>
  ),
  TEAM_UPDATED: (id) => `moved the case to team ${id}`,
};

/** An activity in words. */
export function ActivityWords({ activity, nameOf }: { activity: CaseActivity; nameOf: NameOf }) {
  const words = WORDS[activity.activity_type] as Words | undefined;
  // A newer server may have more types.
  return words?.(activity.value, nameOf) ?? activity.activity_type.toLowerCase().replaceAll('_', ' ');
}

import { useEffect, useMemo, useRef } from 'react';
import { isolated } from '../../../text/isolated.js';
import { useDrafts } from '../../story/story-data.js';
import { useEdited, useEditor } from '../editor-context.js';
import {
  arrivalWords,
  chosenByOthers,
  initialsOf,
  type PresentPerson,
  presenceWords,
} from './present-people.js';
import styles from './presence.module.css';
import { usePresence } from './use-presence.js';

/** More people than these stand as a number. */
const SHOWN = 4;
/** Of more people than these the initials are shown. */
const NAMED = 2;

/** The others who have the story open, by name. Their choices are marked on the canvas and in the outline. */
export function PresentList() {
  const { draftId, view } = useEditor();
  const people = usePresence();
  const before = useRef(people);
  useEffect(() => {
    const words = arrivalWords(before.current, people);
    before.current = people;
    if (words !== undefined) view.getState().say(words);
    view.getState().markHere(chosenByOthers(people, draftId));
  }, [people, draftId, view]);
  return people.length === 0 ? null : <People people={people} />;
}

function People({ people }: { people: readonly PresentPerson[] }) {
  const { storyId, draftId } = useEditor();
  const names = useNames();
  const drafts = useDrafts(storyId).data;
  const wordsOf = (person: PresentPerson) =>
    presenceWords(person, {
      draftId,
      nameOf: (guid) => names.get(guid),
      draftNameOf: (id) => drafts?.find((each) => each.id === id)?.name,
    });
  const unshown = people.slice(SHOWN).map(({ name }) => isolated(name));
  return (
    <ul className={styles['people']} aria-label="Also here">
      {people.slice(0, SHOWN).map((person, at) => (
        // Two people may have one name.
        <li key={`${person.name} ${at}`} title={`${isolated(person.name)} ${wordsOf(person)}`}>
          <span className={styles['initials']} aria-hidden="true">
            {initialsOf(person.name)}
          </span>
          <bdi className={people.length > NAMED ? 'unseen' : styles['name']}>{person.name}</bdi>
          <span className="unseen"> {wordsOf(person)}</span>
        </li>
      ))}
      {unshown.length > 0 && (
        <li title={unshown.join(', ')}>
          and {unshown.length} more<span className="unseen">: {unshown.join(', ')}</span>
        </li>
      )}
    </ul>
  );
}

/** Returns the names of the actions by guid: the key of a new one is another. */
function useNames(): ReadonlyMap<string, string> {
  const actions = useEdited(({ draft }) => draft.actions);
  return useMemo(
    () => new Map([...actions].map(([key, { guid, name }]): [string, string] => [guid ?? key, name])),
    [actions],
  );
}

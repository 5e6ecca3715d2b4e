import { Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Action, StoryTestDifference } from '../../../../../../clients/typescript/api.js';
import { focusFieldIn } from '../../../../inspector/form/field-focus.js';
import { isolated } from '../../../../text/isolated.js';
import { Button, IconButton } from '../../../../ui/form/button.js';
import { Select, Tick } from '../../../../ui/form/field.js';
import { type ExpectedList, firstKindOf, listsIn, newItem, withList } from '../model/expectations.js';
import { type Expectation, TEST_KINDS, type TestKind } from '../model/test-shape.js';
import { KIND_WORDS, lengthWords } from '../model/test-words.js';
import styles from './edit.module.css';
import { JsonValueField } from './json-value-field.js';
import { useTestFields } from './test-fields.js';

interface ExpectationFieldsProps {
  expect: Expectation;
  actions: readonly Action[];
  /** Differences of the last run: their lists are open. */
  differences: readonly StoryTestDifference[];
  onExpect: (expect: Expectation) => void;
}

/** The lists that are expected, one for each action and kind. */
export function ExpectationFields({ expect, actions, differences, onExpect }: ExpectationFieldsProps) {
  const { isReadOnly } = useTestFields();
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const frame = useRef<HTMLElement>(null);
  const lists = listsIn(expect);
  const differing = new Set(differences.map(keyOf));
  const open = (key: string, isOpen: boolean) => setOpened(new Map([...opened, [key, isOpen]]));
  return (
    <section className="stack" aria-label="Expected" ref={frame}>
      <h3>Expected</h3>
      <p className="soft">
        For each action, exactly what it does, in order. Objects match by the keys that you write; others are
        free. Actions that are not named here are not looked at.
      </p>
      {lists.length > 0 && (
        <div className={styles['lists']}>
          {lists.map((list) => {
            const key = keyOf(list);
            const isOpen = opened.get(key) ?? (differing.has(key) || lists.length === 1);
            return (
              <List
                key={key}
                list={list}
                isKnown={actions.some(({ name }) => name === list.action)}
                isDiffering={differing.has(key)}
                isOpen={isOpen}
                onOpen={(next) => open(key, next)}
                onItems={(items) => onExpect(withList(expect, list, items))}
              />
            );
          })}
        </div>
      )}
      {!isReadOnly && (
        <NewList
          actions={actions}
          lists={lists}
          onAdd={(list) => {
            open(keyOf(list), true);
            onExpect(withList(expect, list, [newItem(list.kind)]));
            focusFieldIn(
              () => frame.current?.querySelector(`[data-list="${CSS.escape(keyOf(list))}"]`),
              'textarea, .cm-content',
            );
          }}
        />
      )}
      <Tick
        checked={expect.nothing_else === true}
        disabled={isReadOnly}
        onChange={({ target }) => {
          const { nothing_else: _old, ...rest } = expect;
          onExpect(target.checked ? { ...rest, nothing_else: true } : rest);
        }}
      >
        Other actions send nothing, write no records, and emit nothing if events are listed
      </Tick>
    </section>
  );
}

const keyOf = ({ kind, action }: Pick<ExpectedList, 'kind' | 'action'>) => `${kind} ${action}`;

interface ListProps {
  list: ExpectedList;
  /** Whether the story has an action of this name. */
  isKnown: boolean;
  isDiffering: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  /** Undefined: nothing is expected any more. */
  onItems: (items: readonly unknown[] | undefined) => void;
}

function List({ list, isKnown, isDiffering, isOpen, onOpen, onItems }: ListProps) {
  const { isReadOnly } = useTestFields();
  const { action, kind, items } = list;
  const [one, many] = KIND_WORDS[kind];
  const name = `${isolated(action)}, ${many}`;
  return (
    <div className={styles['list']} data-list={keyOf(list)} role="group" aria-label={name}>
      <header className="row">
        <button
          type="button"
          className={styles['list-name']}
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >
          <strong className="cut">{action}</strong>
          <span className="soft nowrap">{lengthWords(kind, items.length)}</span>
          {isDiffering && <span className="bad nowrap">differs</span>}
          {!isKnown && <span className="warn nowrap">no such action</span>}
        </button>
        {!isReadOnly && (
          <IconButton label={`Do not look at ${name}`} onClick={() => onItems(undefined)}>
            <Trash2 />
          </IconButton>
        )}
      </header>
      {isOpen && (
        <div className={`${styles['items']} stack`}>
          {items.length === 0 && <p className="soft">It must do none. Any {one} fails the test.</p>}
          {items.map((item, at) => (
            // An item is its place.
            <JsonValueField
              key={at}
              label={`${isolated(action)}, ${one} ${at + 1}`}
              caption={`${one[0]?.toUpperCase()}${one.slice(1)} ${at + 1}`}
              value={item}
              hasMatchers
              onValue={(value) => onItems(items.with(at, value))}
              aside={
                !isReadOnly && (
                  <IconButton
                    label={`Remove ${one} ${at + 1} of ${isolated(action)}`}
                    onClick={() => onItems(items.toSpliced(at, 1))}
                  >
                    <Trash2 />
                  </IconButton>
                )
              }
            />
          ))}
          {!isReadOnly && (
            <div>
              <Button look="quiet" onClick={() => onItems([...items, newItem(kind)])}>
                <Plus aria-hidden="true" /> Add {/^[aeiou]/.test(one) ? 'an' : 'a'} {one}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

interface NewListProps {
  actions: readonly Action[];
  lists: readonly ExpectedList[];
  onAdd: (list: Pick<ExpectedList, 'action' | 'kind'>) => void;
}

function NewList({ actions, lists, onAdd }: NewListProps) {
  const [action, setAction] = useState('');
  const [kind, setKind] = useState<TestKind>('events');
  const isThere = lists.some((list) => list.action === action && list.kind === kind);
  return (
    <div className="row row-wrap" role="group" aria-label="Expect more">
      <Select
        aria-label="Action"
        className={styles['action'] ?? ''}
        value={action}
        onChange={({ target }) => {
          setAction(target.value);
          const chosen = actions.find(({ name }) => name === target.value);
          if (chosen !== undefined) setKind(firstKindOf(chosen));
        }}
      >
        <option value="">Choose an action</option>
        {[...new Set(actions.map(({ name }) => name))].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <Select aria-label="Kind" value={kind} onChange={({ target }) => setKind(target.value as TestKind)}>
        {TEST_KINDS.map((each) => (
          <option key={each} value={each}>
            {KIND_WORDS[each][1]}
          </option>
        ))}
      </Select>
      <Button disabled={action === '' || isThere} onClick={() => onAdd({ action, kind })}>
        <Plus aria-hidden="true" /> Expect
      </Button>
      {isThere && <span className="faint">It is listed already.</span>}
    </div>
  );
}

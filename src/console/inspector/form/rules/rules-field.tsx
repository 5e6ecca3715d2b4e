import { Plus } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { Path } from '../../../story-model/value-in.js';
import { Button } from '../../../ui/form/button.js';
import { Select, Tick } from '../../../ui/form/field.js';
import { useFields } from '../field-context.js';
import { focusFieldIn, TEXT_FIELDS } from '../field-focus.js';
import styles from '../form.module.css';
import { movedRow, RowButtons } from '../rows/row-buttons.js';
import { hasValue, RULE_TYPES, type ShownRule } from './rule-words.js';

interface RulesFieldProps {
  rules: readonly ShownRule[];
  path: Path;
  /** The field of one value of a rule. */
  valueOf: (given: { label: string; value: unknown; path: Path }) => ReactNode;
}

/** The rules of a trigger: what is compared, how, and with what. */
export function RulesField({ rules, path, valueOf }: RulesFieldProps) {
  const { isReadOnly, onChange } = useFields();
  const list = useRef<HTMLDivElement>(null);
  const add = () => {
    onChange(path, [...rules, { type: 'field==value', path: '', value: '' }]);
    focusFieldIn(() => list.current?.children[rules.length], TEXT_FIELDS);
  };
  const remove = (at: number) => {
    onChange(path, rules.toSpliced(at, 1));
    focusFieldIn(() => list.current?.lastElementChild);
  };
  return (
    <div ref={list} className={styles['rules']}>
      {rules.map((rule, at) => {
        const name = `Rule ${at + 1}`;
        return (
          // A rule is its place.
          <div key={at} className={styles['rule']} role="group" aria-label={name}>
            <div className={styles['row-head']}>
              <span className="faint grow">{name}</span>
              <RowButtons
                name={name}
                at={at}
                count={rules.length}
                onMove={(by) => onChange(path, movedRow(rules, at, by))}
                onRemove={() => remove(at)}
              />
            </div>
            {valueOf({ label: `${name}, field`, value: rule.path ?? '', path: [...path, at, 'path'] })}
            <RuleType name={name} type={rule.type} onType={(type) => onChange([...path, at, 'type'], type)} />
            {hasValue(rule.type) &&
              valueOf({ label: `${name}, value`, value: rule.value ?? '', path: [...path, at, 'value'] })}
            {rule.type.endsWith('regex') && (
              <Tick
                checked={rule.case_sensitive === true}
                disabled={isReadOnly}
                onChange={({ target }) =>
                  onChange([...path, at, 'case_sensitive'], target.checked ? true : undefined)
                }
              >
                Case sensitive
              </Tick>
            )}
          </div>
        );
      })}
      {!isReadOnly && (
        <div>
          <Button look="quiet" onClick={add}>
            <Plus aria-hidden="true" /> Add rule
          </Button>
        </div>
      )}
    </div>
  );
}

function RuleType({ name, type, onType }: { name: string; type: string; onType: (type: string) => void }) {
  const { isReadOnly } = useFields();
  const isKnown = RULE_TYPES.some(([each]) => each === type);
  return (
    <Select
      aria-label={`${name}, comparison`}
      value={type}
      disabled={isReadOnly}
      onChange={({ target }) => onType(target.value)}
    >
      {!isKnown && <option value={type}>{type}</option>}
      {RULE_TYPES.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </Select>
  );
}

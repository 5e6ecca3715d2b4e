import { useState } from 'react';
import type { Action, AgentOption, AgentType } from '../../../clients/typescript/api.js';
import { Button } from '../ui/form/button.js';
import { Json } from '../ui/json.js';
import { Nothing } from '../ui/states.js';
import { hasEntries } from '../text/exact-json.js';
import { templateParts } from './template-parts.js';
import styles from './options.module.css';

/** Deeper than that, JSON is easier to read. */
const DEEPEST = 3;

/** The options as fields, each of its own kind; as JSON in the second view. */
export function OptionTab({ action, type }: { action: Action; type: AgentType | undefined }) {
  const [asJson, setJson] = useState(false);
  const options = Object.entries(action.options);
  const known = optionsOf(type, action.options['mode']);
  if (options.length === 0) return <Nothing title="No options." />;
  return (
    <div>
      <div className={`${styles['option']} row`}>
        <span className="grow faint">{asJson ? 'As JSON' : 'As fields'}</span>
        <Button onClick={() => setJson(!asJson)}>{asJson ? 'Show fields' : 'Show JSON'}</Button>
      </div>
      {asJson ? (
        <div className={styles['option']}>
          <Json value={action.options} />
        </div>
      ) : (
        <dl>
          {options.map(([name, value]) => (
            <div key={name} className={styles['option']}>
              <dt>
                <code className="wrap">{name}</code>
                <span className="cut" title={known.get(name)?.description}>
                  {known.get(name)?.description}
                </span>
              </dt>
              <dd>
                <OptionValue value={value} depth={0} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function optionsOf(type: AgentType | undefined, mode: unknown): ReadonlyMap<string, AgentOption> {
  const ofMode = type?.modes.find((each) => each.mode === mode)?.options ?? [];
  return new Map([...(type?.options ?? []), ...ofMode].map((option) => [option.name, option]));
}

/** One value of an option: text with its templates marked and its lines as they are, a list, an object, a plain value. */
function OptionValue({ value, depth }: { value: unknown; depth: number }) {
  if (typeof value === 'string') return <Text text={value} />;
  if (!hasEntries(value)) return <code>{String(value)}</code>;
  const parts = Object.entries(value);
  if (parts.length === 0)
    return <span className="faint">{Array.isArray(value) ? 'empty list' : 'empty'}</span>;
  if (depth >= DEEPEST) return <Json value={value} />;
  return (
    <dl className={styles['parts']}>
      {parts.map(([name, part]) => (
        <div key={name}>
          <dt>
            <code className="wrap">{Array.isArray(value) ? Number(name) + 1 : name}</code>
          </dt>
          <dd>
            <OptionValue value={part} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Text({ text }: { text: string }) {
  if (text === '') return <span className="faint">empty text</span>;
  return (
    <div className={styles['text']}>
      {templateParts(text).map(({ at, part, isTemplate }) =>
        isTemplate ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
      )}
    </div>
  );
}

import { useState } from 'react';
import type { Action, AgentOption, AgentType } from '../../../clients/typescript/api.js';
import { Button } from '../ui/form/button.js';
import { Json } from '../ui/json.js';
import { Nothing } from '../ui/states.js';
import { OptionValue } from './option-value.js';
import styles from './options.module.css';

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

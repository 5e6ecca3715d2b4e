import { Plus, Trash2 } from 'lucide-react';
import { newGuid } from '../../../story-model/story-draft.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { Input, Select, TextArea } from '../../../ui/form/field.js';
import styles from './trial.module.css';
import type { RequestRule } from './trial-request.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const MOST_STATUS = 599;

interface RequestRulesProps {
  rules: readonly RequestRule[];
  onRules: (rules: readonly RequestRule[]) => void;
  /** What happens to requests that no rule answers. */
  note: string;
  /** Why this browser does not keep them; undefined: it does. */
  lost: string | undefined;
}

/** The rules that answer requests; the first one that fits counts. */
export function RequestRules({ rules, onRules, note, lost }: RequestRulesProps) {
  const change = (key: string, part: Partial<RequestRule>) =>
    onRules(rules.map((rule) => (rule.key === key ? { ...rule, ...part } : rule)));
  const add = () => onRules([...rules, { key: newGuid(), method: '', url: '', status: 200, body: '{}' }]);
  return (
    <section className="stack" aria-label="Responses to requests">
      <h3>Responses to requests</h3>
      {rules.map((rule, at) => (
        <Rule
          key={rule.key}
          rule={rule}
          number={at + 1}
          onChange={(part) => change(rule.key, part)}
          onRemove={() => onRules(rules.filter(({ key }) => key !== rule.key))}
        />
      ))}
      <p className="soft">{note}</p>
      {rules.length > 0 && (
        <p className={lost === undefined ? 'faint' : 'warn'}>
          {lost ?? 'Rules are stored in this browser, only for you.'}
        </p>
      )}
      <div>
        <Button onClick={add}>
          <Plus aria-hidden="true" /> Add a rule
        </Button>
      </div>
    </section>
  );
}

interface RuleProps {
  rule: RequestRule;
  number: number;
  onChange: (part: Partial<RequestRule>) => void;
  onRemove: () => void;
}

function Rule({ rule: { method, url, status, body }, number, onChange, onRemove }: RuleProps) {
  return (
    <fieldset className={styles['rule']}>
      <legend className="unseen">Rule {number}</legend>
      <div className="row">
        <Select
          aria-label="Method"
          value={method}
          onChange={({ target }) => onChange({ method: target.value })}
        >
          <option value="">any method</option>
          {METHODS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
        <Input
          type="number"
          aria-label="Status, 0 for no response"
          title="Status, 0 for no response"
          className={styles['status']}
          min={0}
          max={MOST_STATUS}
          value={status}
          onChange={({ target }) => {
            if (Number.isInteger(target.valueAsNumber)) onChange({ status: target.valueAsNumber });
          }}
        />
        <span className="grow" />
        <IconButton label={`Remove rule ${number}`} onClick={onRemove}>
          <Trash2 />
        </IconButton>
      </div>
      <Input
        aria-label="URL, * for any text"
        placeholder="https://api.example.com/*"
        className="mono"
        value={url}
        onChange={({ target }) => onChange({ url: target.value })}
      />
      <TextArea
        aria-label="Body"
        rows={2}
        disabled={status === 0}
        value={body}
        onChange={({ target }) => onChange({ body: target.value })}
      />
    </fieldset>
  );
}

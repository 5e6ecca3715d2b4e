import type { Path } from '../../story-model/value-in.js';
import { specialFieldOf } from './known-options.js';
import { isNamed, isWriterList, RecordTypeField, RecordWritersField } from './record-fields.js';
import { isRuleList } from './rules/rule-words.js';
import { RulesField } from './rules/rules-field.js';
import { StatusField } from './status-field.js';
import { isStatusList } from './status-list.js';
import { referredStory, StoryField } from './story-field.js';
import { useFields } from './field-context.js';
import type { Schema } from './value-kinds.js';
import { ValueField } from './value-field.js';

interface OptionFieldProps {
  /** The type of the action. */
  type: string;
  label: string;
  value: unknown;
  path: Path;
  schema: Schema;
  hint?: string;
  /** All options of the action. */
  options: Readonly<Record<string, unknown>>;
}

function valueOf(given: { label: string; value: unknown; path: Path }) {
  return <ValueField {...given} schema={{}} />;
}

/** An option in its own field if it has one and its value fits, else in the general one. */
export function OptionField({ type, options, ...props }: OptionFieldProps) {
  const { label, value, path } = props;
  const { stories } = useFields().knowledge;
  const special = specialFieldOf(type, label);
  if (special === 'rules' && isRuleList(value))
    return <RulesField rules={value} path={path} valueOf={valueOf} />;
  if (special === 'statuses' && isStatusList(value)) {
    return <StatusField label={label} ranges={value} path={path} />;
  }
  if (special === 'story' && typeof value === 'string') {
    return (
      <>
        <StoryField label={label} text={value} path={path} />
        {referredStory(value, stories) === undefined && (
          <ValueField {...props} label={`${label} as a template`} />
        )}
      </>
    );
  }
  if (special === 'record type' && isNamed(value)) {
    return <RecordTypeField label={label} type={value} path={path} />;
  }
  if (special === 'record writers' && isWriterList(value)) {
    const recordType = options['record_type'];
    return (
      <RecordWritersField
        writers={value}
        type={isNamed(recordType) ? recordType.name : undefined}
        path={path}
        valueOf={valueOf}
      />
    );
  }
  return <ValueField {...props} />;
}

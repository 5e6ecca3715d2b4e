import { Field, Input, Select, TextArea, Tick } from '../../ui/form/field.js';
import type { Setting } from './credential-kinds.js';

interface SettingFieldsProps {
  settings: readonly Setting[];
  /** The settings that may be shown, by name; absent for a new credential. */
  present?: Readonly<Record<string, unknown>>;
}

/** The settings of a kind as fields of a form. Secrets are never shown: an empty field leaves the present one. */
export function SettingFields({ settings, present }: SettingFieldsProps) {
  return settings.map((setting) => <SettingField key={setting.name} setting={setting} present={present} />);
}

function SettingField(props: { setting: Setting; present: SettingFieldsProps['present'] }) {
  const { setting, present } = props;
  const { name, label, isSecret = false, options } = setting;
  const shown = isSecret ? undefined : present?.[name];
  if (setting.input === 'tick') {
    return (
      <Tick name={name} defaultChecked={shown === true}>
        {label}
      </Tick>
    );
  }
  const common = {
    name,
    required: setting.isRequired === true && present === undefined,
    defaultValue: typeof shown === 'string' || typeof shown === 'number' ? String(shown) : '',
    placeholder: isSecret && present !== undefined ? 'unchanged' : undefined,
  };
  const note = setting.note === undefined ? {} : { note: setting.note };
  return (
    <Field name={label} {...note}>
      {options !== undefined ? (
        <Select name={name} defaultValue={common.defaultValue || options[0]}>
          {options.map((word) => (
            <option key={word} value={word}>
              {word || 'default'}
            </option>
          ))}
        </Select>
      ) : setting.input === 'lines' || setting.input === 'json' ? (
        <TextArea {...common} rows={setting.input === 'json' ? 6 : 3} autoComplete="off" />
      ) : (
        <Input {...common} type={inputType(setting)} min={1} autoComplete="off" />
      )}
    </Field>
  );
}

function inputType({ isSecret, input }: Setting): string {
  if (input === 'number') return 'number';
  return isSecret === true ? 'password' : 'text';
}

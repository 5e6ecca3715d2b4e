import { X } from 'lucide-react';
import { useRef } from 'react';
import type { AgentOption, AgentType, GraphAction } from '../../../../clients/typescript/api.js';
import { IconButton } from '../../ui/form/button.js';
import { OptionAdder } from '../option-adder.js';
import { emptyHint, type TemplateLanguage } from '../template-field/template-syntax.js';
import { withCode } from '../../ui/words/with-code.js';
import { useFields } from './field-context.js';
import styles from './form.module.css';
import { focusFieldIn } from './field-focus.js';
import { isPlainOption, unitOf, withUsualValues } from './known-options.js';
import { OptionField } from './option-field.js';
import { asKind, readSchema } from './value-kinds.js';
import { KindChoice } from './value-field.js';

/** An option of an action: what its type says about it, and its value. */
interface ShownOption {
  name: string;
  /** Undefined for an option that this server does not know. */
  about: AgentOption | undefined;
}

/** The options of an action as a form: those that it has and those that it needs; the others are added from a menu. */
export function OptionForm({
  options,
  type,
}: {
  options: GraphAction['options'];
  type: AgentType | undefined;
}) {
  const { isReadOnly, onChange, knowledge } = useFields();
  const form = useRef<HTMLDivElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const known = optionsOfMode(type, options['mode']);
  const shown = shownOptions(options, known);
  const ofMode = optionsOf(type, options['mode']);
  // Options of its mode come first: the action is for them.
  const others = [...new Set([...ofMode, ...known])].filter(
    ({ name }) => !shown.some((each) => each.name === name),
  );
  const fieldOf = (name: string, about: AgentOption | undefined) => ({
    label: name,
    value: name in options ? options[name] : '',
    path: [name],
    schema: schemaOf(name, about, type),
  });
  return (
    <div ref={form} className={styles['form']}>
      {shown.map(({ name, about }) => (
        <section key={name} className={styles['option']} aria-label={name}>
          <header className={styles['option-head']}>
            <code className="wrap">{name}</code>
            {unitOf(name) !== undefined && <span className="faint">{unitOf(name)}</span>}
            {about?.required === true && <span className="faint">required</span>}
            {about === undefined && type !== undefined && (
              <span className="warn">unknown to this server</span>
            )}
            <span className={styles['row-buttons']}>
              <KindChoice {...fieldOf(name, about)} />
              {!isReadOnly && about?.required !== true && name !== 'mode' && (
                <IconButton
                  label={`Remove ${name}`}
                  onClick={() => {
                    onChange([name], undefined);
                    focusFieldIn(() => adding.current);
                  }}
                >
                  <X />
                </IconButton>
              )}
            </span>
          </header>
          {about !== undefined && <p className="faint wrap">{withCode(about.description)}</p>}
          <OptionField
            type={type?.type ?? ''}
            options={options}
            {...fieldOf(name, about)}
            {...hintOf(type?.type ?? '', about, knowledge.language)}
          />
        </section>
      ))}
      {!isReadOnly && others.length > 0 && (
        <OptionAdder
          button={adding}
          options={others}
          onAdd={(about) => {
            onChange([about.name], startOf(about));
            focusFieldIn(() =>
              [...(form.current?.children ?? [])].find(
                (each) => each.getAttribute('aria-label') === about.name,
              ),
            );
          }}
        />
      )}
    </div>
  );
}

/** Returns the options of a type, with those of its mode. */
function optionsOfMode(type: AgentType | undefined, mode: unknown): AgentOption[] {
  const all = [...(type?.options ?? []), ...optionsOf(type, mode)];
  return [...new Map(all.map((option) => [option.name, option])).values()];
}

const optionsOf = (type: AgentType | undefined, mode: unknown): readonly AgentOption[] =>
  type?.modes.find((each) => each.mode === mode)?.options ?? [];

/** In the order of the type, then what it does not know. */
function shownOptions(options: GraphAction['options'], known: readonly AgentOption[]): ShownOption[] {
  const names = new Set(known.map(({ name }) => name));
  return [
    ...known
      .filter(({ name, required }) => required || name in options)
      .map((about) => ({ name: about.name, about })),
    ...Object.keys(options)
      .filter((name) => !names.has(name))
      .map((name) => ({ name, about: undefined })),
  ];
}

/** The mode of a type is one of those that it has. */
function schemaOf(name: string, about: AgentOption | undefined, type: AgentType | undefined) {
  if (name === 'mode' && type !== undefined && type.modes.length > 0) {
    return { type: 'string', enum: type.modes.map(({ mode }) => mode) };
  }
  return withUsualValues(type?.type ?? '', name, about?.schema ?? {});
}

function hintOf(type: string, about: AgentOption | undefined, language: TemplateLanguage) {
  if (about === undefined || typeof about.example !== 'string') return {};
  const { name, example } = about;
  return { hint: isPlainOption(type, name) ? example : emptyHint(example, language) };
}

/** The value that an option begins with: its default, else an empty one of its kind. */
function startOf({ default: standard, schema, example }: AgentOption): unknown {
  if (standard !== null) return standard;
  const [kind = 'text'] = readSchema(schema).kinds;
  if (kind !== 'text') return asKind(undefined, kind);
  return Array.isArray(example) ? [] : example !== null && typeof example === 'object' ? {} : '';
}

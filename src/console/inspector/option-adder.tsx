import { Plus } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { AgentOption } from '../../../clients/typescript/api.js';
import { Button } from '../ui/form/button.js';
import { PickList } from '../ui/lists/pick-list.js';
import { withCode } from '../ui/words/with-code.js';
import styles from './options.module.css';

interface OptionAdderProps {
  button: RefObject<HTMLButtonElement | null>;
  /** The options that the action does not have yet. */
  options: readonly AgentOption[];
  onAdd: (option: AgentOption) => void;
}

/** Adds an option, which is found by letters of its name or by words of its meaning. */
export function OptionAdder({ button, options, onAdd }: OptionAdderProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <Button ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Plus aria-hidden="true" /> Add an option
      </Button>
      {isOpen && (
        <div className={styles['adder']}>
          <PickList
            label="Option to add"
            placeholder="Find an option"
            field={showWhole}
            find={(text) => optionsWith(options, text).map(itemOf)}
            onEscape={close}
            onPick={(name) => {
              setOpen(false);
              const option = options.find((each) => each.name === name);
              if (option !== undefined) onAdd(option);
            }}
          />
        </div>
      )}
    </>
  );
}

/** The list opens below the last option, mostly below what is in view. */
function showWhole(field: HTMLInputElement | null) {
  field?.focus();
  field?.parentElement?.scrollIntoView({ block: 'nearest' });
}

const itemOf = ({ name, description }: AgentOption) => ({ key: name, name, more: withCode(description) });

/** Returns the options that have all these words; those whose name begins with the text come first, then those whose name has it. */
function optionsWith(options: readonly AgentOption[], text: string): AgentOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const rank = ({ name }: AgentOption) => {
    const at = name.indexOf(first);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return options
    .filter(({ name, description }) => {
      const whole = `${name} ${description}`.toLowerCase();
      return words.every((word) => whole.includes(word));
    })
    .toSorted((one, other) => rank(one) - rank(other));
}

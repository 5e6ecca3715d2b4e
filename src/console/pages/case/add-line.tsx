import type { FormEvent } from 'react';
import { Button } from '../../ui/form/button.js';
import { Input } from '../../ui/form/field.js';
import { textIn } from '../../ui/form/form-text.js';

/** A field of such a line. */
export interface AddField {
  name: string;
  /** Its name for people; it stands in the empty field. */
  label: string;
  type?: 'text' | 'url' | 'number';
  /** Texts to choose from while typing. */
  suggestions?: string[];
  isOptional?: boolean;
}

interface AddLineProps {
  fields: AddField[];
  /** The text of the button. */
  verb: string;
  isBusy: boolean;
  /** Gets the texts by the names of the fields, and what empties the fields once they are added. */
  onAdd: (texts: Record<string, string>, onAdded: () => void) => void;
}

/** A small form at the end of a list that adds to it. */
export function AddLine({ fields, verb, isBusy, onAdd }: AddLineProps) {
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new Map(fields.map(({ name }) => [name, textIn(form, name)]));
    const texts = Object.fromEntries([...typed].map(([name, text]) => [name, text.trim()]));
    onAdd(texts, () => {
      // What is typed meanwhile stays, and so does all of what was refused.
      if ([...typed].every(([name, text]) => textIn(form, name) === text)) form.reset();
    });
  };
  return (
    <form className="row add-line" onSubmit={add}>
      {fields.map(({ name, label, type = 'text', suggestions, isOptional = false }) => (
        <span key={name} className="grow">
          <Input
            name={name}
            type={type}
            aria-label={label}
            placeholder={label}
            required={!isOptional}
            autoComplete="off"
            {...(type === 'number' && { min: 1, step: 1 })}
            {...(suggestions !== undefined && { list: `${name}-suggestions` })}
          />
          {suggestions !== undefined && (
            <datalist id={`${name}-suggestions`}>
              {suggestions.map((text) => (
                <option key={text} value={text}>
                  {text}
                </option>
              ))}
            </datalist>
          )}
        </span>
      ))}
      <Button type="submit" disabled={isBusy}>
        {verb}
      </Button>
    </form>
  );
}

import './newer-text.css';
import type { MouseEvent } from 'react';
import { Button } from './button.js';
import { Field } from './field.js';

interface NewerTextProps {
  /** The name in the form of the field that was changed: `description`. */
  noun: string;
  /** The colleague's text. */
  newer: string;
  onTake: () => void;
  onKeep: () => void;
}

/** A colleague's text beside that of the person, who must choose before anything is saved. */
export function NewerText({ noun, newer, onTake, onKeep }: NewerTextProps) {
  // The question goes once it is answered, and the person goes on to write.
  const choose = (take: () => void) => (event: MouseEvent<HTMLButtonElement>) => {
    const field = event.currentTarget.form?.elements.namedItem(noun);
    take();
    if (field instanceof HTMLElement) field.focus();
  };
  return (
    <div className="newer-text stack" role="group" aria-label={`Newer ${noun}`}>
      <p role="alert">
        A colleague changed the {noun} while you were writing. Choose one, or copy what you need into yours.
      </p>
      <Field name={`Their ${noun}`}>
        <textarea className="input" rows={4} readOnly value={newer} />
      </Field>
      <div className="row row-wrap">
        <Button onClick={choose(onTake)}>Use theirs</Button>
        <Button onClick={choose(onKeep)}>Keep mine</Button>
      </div>
    </div>
  );
}

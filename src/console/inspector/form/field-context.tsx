import { createContext, useContext } from 'react';
import type { Path } from '../../story-model/value-in.js';
import type { TemplateMark } from '../template-field/code-mirror.js';
import type { Knowledge } from '../template-field/completions.js';

/** The value of a template in the sample, as the server rendered it. */
export interface RenderedValue {
  /** At most 2 kB and 50 lines. */
  text: string;
  /** `text, 12 characters`. */
  kind: string;
  isCut: boolean;
  /** Paths that the sample lacks: `receive.body.nmae`. */
  missing: readonly string[];
}

/** What is known about one template. */
export interface FieldNotes {
  faults: readonly TemplateMark[];
  rendered: RenderedValue | undefined;
}

/** A type of records with the names of its fields. */
export interface KnownRecordType {
  name: string;
  fields: readonly string[];
}

/** What the fields of a form share. */
export interface Fields {
  knowledge: Knowledge;
  /** Types of records to choose from. */
  recordTypes: readonly KnownRecordType[];
  isReadOnly: boolean;
  notesOf: (path: Path) => FieldNotes;
  /** Reads the whole value at a path in the sample. @throws Error with the reason why there is none. */
  wholeOf: (path: Path) => Promise<string>;
  onChange: (path: Path, value: unknown) => void;
  /** A text field was left: the next change is a step of its own. */
  onLeave: () => void;
  /** A field has the focus; what is picked from the sample goes there. Undefined for none. */
  onFocus: (insert: (text: string) => void) => void;
}

const Context = createContext<Fields | undefined>(undefined);

export const FieldsProvider = Context.Provider;

/** Returns what the fields of the form share. */
export function useFields(): Fields {
  const fields = useContext(Context);
  if (fields === undefined) throw new Error('This field is in no form.');
  return fields;
}

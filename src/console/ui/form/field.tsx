import './field.css';
import type {
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react';

/** A field of a form under its name. */
export function Field({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <label className="field">
      <span className="field-name">{name}</span>
      {children}
      {note !== undefined && <span className="faint">{note}</span>}
    </label>
  );
}

/** A line of text. */
export function Input({
  className = '',
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return <input className={`input ${className}`} {...rest} />;
}

/** A choice of the browser's own kind: it works with every keyboard and every reader. */
export function Select({ className = '', ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select className={`input ${className}`} {...rest} />;
}

/** Several lines of text, such as JSON or a key. */
export function TextArea({
  className = '',
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea className={`input text-area ${className}`} spellCheck={false} {...rest} />;
}

/** Something that is on or off. */
export function Tick({ children, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="row">
      <input type="checkbox" {...rest} />
      <span>{children}</span>
    </label>
  );
}

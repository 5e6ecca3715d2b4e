import './button.css';
import type { ButtonHTMLAttributes, Ref } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main` for THE action of a page, `quiet` inside bars and rows; a plain one otherwise. */
  look?: 'main' | 'quiet' | 'danger';
  ref?: Ref<HTMLButtonElement>;
}

/** A button; it sends no form unless its type says so. */
export function Button({ look, className = '', type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={`button ${look ?? ''} ${className}`} {...rest} />;
}

/** A button that is an icon: `label` is what screen readers say and what the pointer shows. */
export function IconButton({ label, className = '', ...rest }: ButtonProps & { label: string }) {
  return <Button look="quiet" aria-label={label} title={label} className={`icon ${className}`} {...rest} />;
}

import './card.css';
import type { ReactNode } from 'react';
import { Explained } from './overlay/explained.js';

interface CardProps {
  title: string;
  /** Beside the title: a count, a link. */
  aside?: ReactNode;
  /** Text before the content, inside the same space. */
  className?: string;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Card({ title, aside, className = '', children }: CardProps) {
  return (
    <section className={`card ${className}`} aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A figure with its name, which `help` explains; the tone colours the figure. */
export function Figure(props: {
  name: string;
  help?: string;
  value: ReactNode;
  note?: ReactNode;
  tone?: 'ok' | 'warn' | 'bad';
  /** Whether it has the space of two. */
  wide?: boolean;
}) {
  const { name, help, value, note, tone = '', wide = false } = props;
  return (
    <div className={wide ? 'figure double' : 'figure'}>
      <dt>{help === undefined ? name : <Explained by={help}>{name}</Explained>}</dt>
      <dd className={`figure-value ${tone}`}>{value}</dd>
      {note !== undefined && <dd className="faint wrap">{note}</dd>}
    </div>
  );
}

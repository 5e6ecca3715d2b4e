import './back-link.css';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** Leads from one thing back to the list of all. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="row back-link" {...(typeof children === 'string' && { title: children })}>
      <ArrowLeft aria-hidden="true" /> {children}
    </Link>
  );
}

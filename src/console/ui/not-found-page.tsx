import { Compass } from 'lucide-react';
import { Link } from 'wouter';
import { Nothing } from './states.js';
import { useTitle } from './browser/use-title.js';

/** Stands where no page is. */
export function NotFoundPage() {
  useTitle('Not found');
  return (
    <div className="page">
      <h1 className="unseen">Not found</h1>
      <Nothing title="This page does not exist." icon={<Compass aria-hidden="true" />}>
        <Link href="/">Go to home page</Link>
      </Nothing>
    </div>
  );
}

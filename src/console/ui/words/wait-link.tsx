import './wait-link.css';
import { Link } from 'wouter';
import { placeOfWait, type WaitReason } from '../../text/wait-words.js';

/** Leads to the page that says more about why work waits; nothing where there is none. */
export function WaitLink({ reason }: { reason: WaitReason }) {
  const place = placeOfWait(reason);
  if (place === undefined) return null;
  return (
    <Link href={place.path} className="wait-link">
      {place.name}
    </Link>
  );
}

import { Link } from 'wouter';
import { placeOfWait, type WaitReason } from '../../text/wait-words.js';

/** Leads to the page that says more about why work waits; nothing where there is none. */
export function WaitLink({ reason }: { reason: WaitReason }) {
  const place = placeOfWait(reason);
  return place === undefined ? null : <Link href={place.path}>{place.name}</Link>;
}

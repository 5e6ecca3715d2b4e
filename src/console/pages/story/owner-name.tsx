import { UserRound, UsersRound } from 'lucide-react';
import { Link } from 'wouter';
import type { ActiveStory } from '../../../../clients/typescript/api.js';

type Owner = NonNullable<ActiveStory['owner']>;

/** The user or the team that answers for a story, with an icon; it leads there. */
export function OwnerName({ owner }: { owner: Owner }) {
  const Icon = owner.type === 'USER' ? UserRound : UsersRound;
  return (
    <span className="story-owner soft" title="Owner">
      <Icon aria-hidden="true" /> <span className="unseen">Owner: </span>
      <OwnerLink owner={owner} />
    </span>
  );
}

/** The name of an owner; it leads there. */
export function OwnerLink({ owner: { type, id, name } }: { owner: Owner }) {
  return (
    <Link href={type === 'USER' ? `/team/people/${id}` : `/team/teams/${id}`}>
      <bdi>{name}</bdi>
    </Link>
  );
}

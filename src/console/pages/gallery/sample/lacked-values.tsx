import { Link } from 'wouter';
import { useLacked, useMakeSamples } from './sample-data.js';
import { useMay } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import type { Need } from '../gallery-story.js';

/** Says which values the team lacks, and makes them with sample contents if the person wants that. */
export function LackedValues({ teamId, needs }: { teamId: number; needs: readonly Need[] }) {
  const lacked = useLacked(teamId, needs).data ?? [];
  const mayMake = { resource: useMay('write', teamId), credential: useMay('manage', teamId) };
  const makeable = lacked.filter(({ kind }) => mayMake[kind]);
  // A user who may make some but not all of them may make resources.
  const verb =
    makeable.length < lacked.length ? 'Create resources with sample values' : 'Create with sample values';
  const making = useMakeSamples(teamId);
  if (lacked.length === 0) return null;
  return (
    <section className="sample-needs" aria-label="Missing values">
      <h3>The team is missing {nounWords(lacked.length, 'value')}</h3>
      <ul>
        {lacked.map((need) => (
          <li key={need.name} className="wrap">
            {mayMake[need.kind] ? (
              <Link href={makingOf(need, teamId)} aria-label={`Create ${need.name}`}>
                <code>{need.name}</code>
              </Link>
            ) : (
              <code>{need.name}</code>
            )}
            , {need.kind}: {need.means}
          </li>
        ))}
      </ul>
      <p className="soft">
        Sample values are enough for a trial. Replace them before sending: sample credentials only work for
        *.example.com.
      </p>
      {makeable.length < lacked.length && (
        <p>Team editors can create resources; team admins can also create credentials.</p>
      )}
      {makeable.length > 0 && (
        <div>
          <Button disabled={making.isPending} onClick={() => making.mutate(makeable)}>
            {making.isPending ? 'Creating…' : verb}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Returns the address at which a value is made, with its name and its team. */
function makingOf({ kind, name }: Need, teamId: number): string {
  const named = new URLSearchParams({ new: name, team: String(teamId) }).toString();
  return kind === 'resource' ? `/resources?${named}` : `/credentials/new?kind=TEXT&${named}`;
}

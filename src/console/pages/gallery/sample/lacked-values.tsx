import { Link } from 'wouter';
import { useLacked, useMakeSamples } from './sample-data.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import type { Need } from '../gallery-story.js';

/** Says which values the team lacks, and makes them with sample contents if the person wants that. */
export function LackedValues({ teamId, needs }: { teamId: number; needs: readonly Need[] }) {
  const lacked = useLacked(teamId, needs).data ?? [];
  const making = useMakeSamples(teamId);
  if (lacked.length === 0) return null;
  return (
    <section className="sample-needs" aria-label="Values that the team lacks">
      <h3>The team lacks {nounWords(lacked.length, 'value')}</h3>
      <ul>
        {lacked.map((need) => (
          <li key={need.name} className="wrap">
            <Link href={makingOf(need, teamId)} aria-label={`Make ${need.name}`}>
              <code>{need.name}</code>
            </Link>
            , {need.kind}: {need.means}
          </li>
        ))}
      </ul>
      <p className="soft">
        Samples are enough for a trial. Put your own values in before you send: sample credentials go to
        *.example.com alone.
      </p>
      <div>
        <Button disabled={making.isPending} onClick={() => making.mutate(lacked)}>
          {making.isPending ? 'Making …' : 'Make them with samples'}
        </Button>
      </div>
    </section>
  );
}

/** Returns the address at which a value is made, with its name and its team. */
function makingOf({ kind, name }: Need, teamId: number): string {
  const named = new URLSearchParams({ new: name, team: String(teamId) }).toString();
  return kind === 'resource' ? `/resources?${named}` : `/credentials/new?kind=TEXT&${named}`;
}

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
        {lacked.map(({ kind, name, means }) => (
          <li key={name} className="wrap">
            <code>{name}</code>, {kind}: {means}
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

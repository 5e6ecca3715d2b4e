import '../../ui/lists/lines.css';
import './home.css';
import { useIsOperator, useIsOwner } from '../../api/signed-in.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { HeldFirst } from '../inbox/held-first.js';
import { Changes } from './changes.js';
import { FirstStepsCard } from './first-steps/first-steps-card.js';
import { Failing } from './failing.js';
import { Findings } from './findings.js';
import { Health } from './health.js';
import { Runs } from './runs.js';
import { SlowActions } from './slow-actions.js';

/** Is it well, and what happens: the page on which a person on call begins. */
export function HomePage() {
  useTitle('Home');
  const isOwner = useIsOwner();
  const isOperator = useIsOperator();
  return (
    <div className="page home">
      <h1 className="unseen">Home</h1>
      <FirstStepsCard />
      <HeldFirst />
      <Health />
      <Runs />
      <div className="home-columns">
        <Failing />
        <SlowActions />
        {isOperator && <Findings />}
        {isOwner && <Changes />}
      </div>
    </div>
  );
}

import '../../ui/lists/lines.css';
import './home.css';
import { useIsOperator, useIsOwner } from '../../api/signed-in.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { RecentChanges } from './changes.js';
import { Day } from './day.js';
import { FirstStepsCard } from './first-steps/first-steps-card.js';
import { Failing } from './failing.js';
import { DoctorFindings } from './findings.js';
import { Health } from './health.js';
import { LastHour } from './last-hour.js';
import { SlowActions } from './slow-actions.js';

/** Is it well, why not, and what happens: the page on which a person on call begins. */
export function HomePage() {
  useTitle('Home');
  const isOwner = useIsOwner();
  const isOperator = useIsOperator();
  return (
    <div className="page home">
      <header className="page-head">
        <h1>Home</h1>
      </header>
      <FirstStepsCard />
      <Health />
      <div className="home-day">
        <Day />
        <Failing />
      </div>
      <div className="home-columns">
        <LastHour />
        <SlowActions />
        {isOperator && <DoctorFindings />}
        {isOwner && <RecentChanges />}
      </div>
    </div>
  );
}

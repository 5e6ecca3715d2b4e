import { ShieldCheck } from 'lucide-react';
import { Button } from '../../../../ui/form/button.js';
import type { Place } from '../../story-data.js';
import { coverageWords } from '../model/test-words.js';
import { useIsOutdated, useKnownResults, useRunTests } from '../tests-data.js';
import styles from './coverage.module.css';

interface CoverageSwitchProps {
  place: Place;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** Over the canvas: marks what no test reaches, or leaves the marks out. It is there once the tests ran on this page. */
export function CoverageSwitch({ place, isOn, onSwitch }: CoverageSwitchProps) {
  const coverage = useKnownResults(place)?.coverage;
  const isOld = useIsOutdated(place);
  const running = useRunTests(place);
  if (coverage === undefined && !isOn) return null;
  const isMarked = isOn && coverage !== undefined;
  return (
    <div className={styles['switch']} role="group" aria-label="Coverage by tests">
      <span className="unseen" role="status">
        {isMarked && `Tests reach ${coverageWords(coverage)}. What no test reaches is marked.`}
      </span>
      {isMarked && isOld && <span className={styles['old']}>The story was changed since.</span>}
      {(coverage === undefined || (isOn && isOld)) && (
        <Button disabled={running.isPending} onClick={() => running.mutate(undefined)}>
          {running.isPending ? 'Running…' : 'Run the tests'}
        </Button>
      )}
      {coverage !== undefined && (
        <Button aria-pressed={isOn} title="Mark what no test reaches" onClick={() => onSwitch(!isOn)}>
          <ShieldCheck aria-hidden="true" /> {coverageWords(coverage)}
        </Button>
      )}
    </div>
  );
}

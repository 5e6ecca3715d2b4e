import type { DraftShadow, DraftShadowDifference } from '../../../../../../clients/typescript/api.js';
import { Answer } from '../../../../ui/states.js';
import type { DraftOf } from '../publish-data.js';
import styles from '../publish.module.css';
import { useExample } from './shadow-data.js';
import { exampleValues } from './shadow-words.js';

interface ValuesProps {
  place: DraftOf;
  shadow: DraftShadow;
  difference: DraftShadowDifference;
  guid: string;
}

/** The values of a difference in one run: those are read anew, and only by who may see the run. */
export function ShadowValues({ place, shadow, difference, guid }: ValuesProps) {
  return (
    <Answer of={useExample(place, shadow, guid)} lines={2}>
      {(trial) => {
        const values = exampleValues(difference, trial);
        if (values.length === 0) return <p className="soft">No value differs there: see the run.</p>;
        return values.map(({ place: path, before, after }) => (
          <div key={path} className={styles['values']}>
            <code className="wrap">{path}</code>
            <del>{before === '' ? 'nothing' : before}</del>
            <ins>{after === '' ? 'nothing' : after}</ins>
          </div>
        ));
      }}
    </Answer>
  );
}

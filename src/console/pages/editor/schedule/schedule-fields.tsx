import { useId, useState } from 'react';
import { Field, Input, Select, Tick } from '../../../ui/form/field.js';
import { cronWords } from '../../schedules/cron-words.js';
import { asPlan, type CronPlan, MINUTE_STEPS, PLAN_KINDS, readCron, writeCron } from './cron-plan.js';
import { NextStarts } from './next-starts-list.js';
import type { ScheduleEntry } from './schedule-entries.js';
import styles from './schedule.module.css';

interface ScheduleFieldsProps {
  entry: ScheduleEntry;
  isReadOnly: boolean;
  onEntry: (entry: ScheduleEntry) => void;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const ZONES = Intl.supportedValuesOf('timeZone');

/** One schedule: its kind, its times, its time zone, and when it starts next. What has no start stays in the fields until it has. */
export function ScheduleFields({ entry, isReadOnly, onEntry }: ScheduleFieldsProps) {
  const [typed, setTyped] = useState<ScheduleEntry>();
  const shown = typed ?? entry;
  const { cron, timezone } = shown;
  const zones = useId();
  const read = readCron(cron);
  // A person who has chosen to write cron goes on writing it, whatever it says.
  const [asCron, setAsCron] = useState(read.kind === 'cron');
  const plan = asCron ? asPlan(read, 'cron') : read;
  const words = cronWords(cron);
  const onPlan = (next: CronPlan) => setTyped({ ...shown, cron: writeCron(next) });
  return (
    <>
      <fieldset className={styles['fields']} disabled={isReadOnly}>
        <Field name="Repeats">
          <Select
            value={plan.kind}
            onChange={({ target }) => {
              const kind = target.value as CronPlan['kind'];
              setAsCron(kind === 'cron');
              onPlan(asPlan(read.kind === 'cron' ? asPlan(read, kind) : read, kind));
            }}
          >
            {PLAN_KINDS.map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <PlanFields plan={plan} onPlan={onPlan} />
        <Field name="Time zone">
          <Input
            list={zones}
            placeholder="UTC"
            value={timezone ?? ''}
            onChange={({ target }) => setTyped({ ...shown, timezone: target.value })}
          />
        </Field>
        <datalist id={zones}>
          {ZONES.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </datalist>
      </fieldset>
      {words !== undefined && (
        <p className="soft">
          Starts {words}, {timezone || 'UTC'}.
        </p>
      )}
      <NextStarts
        cron={cron}
        timezone={timezone ?? ''}
        onValid={() => {
          if (typed === undefined) return;
          onEntry(typed);
          setTyped(undefined);
        }}
      />
    </>
  );
}

/** The times of a plan. */
function PlanFields({ plan, onPlan }: { plan: CronPlan; onPlan: (plan: CronPlan) => void }) {
  switch (plan.kind) {
    case 'minutes':
      return (
        <Field name="Minutes between">
          <Select
            value={plan.every}
            onChange={({ target }) => onPlan({ ...plan, every: Number(target.value) })}
          >
            {MINUTE_STEPS.map((step) => (
              <option key={step} value={step}>
                {step}
              </option>
            ))}
          </Select>
        </Field>
      );
    case 'hourly':
      return (
        <Field name="Minute of the hour">
          <WholeNumber
            value={plan.minute}
            min={0}
            max={59}
            onNumber={(minute) => onPlan({ ...plan, minute })}
          />
        </Field>
      );
    case 'daily':
      return <TimeField time={plan.time} onTime={(time) => onPlan({ ...plan, time })} />;
    case 'weekly':
      return (
        <>
          <div className={styles['days']} role="group" aria-label="Days">
            {DAYS.map((name, day) => (
              <Tick
                key={name}
                checked={plan.days.includes(day)}
                onChange={({ target }) => {
                  const days = target.checked
                    ? [...plan.days, day]
                    : plan.days.filter((each) => each !== day);
                  // A week without a day has no start.
                  if (days.length > 0) onPlan({ ...plan, days });
                }}
              >
                {name}
              </Tick>
            ))}
          </div>
          <TimeField time={plan.time} onTime={(time) => onPlan({ ...plan, time })} />
        </>
      );
    case 'monthly':
      return (
        <>
          <Field
            name="Day of the month"
            note={plan.date > 28 ? 'Months without this day are skipped.' : undefined}
          >
            <WholeNumber value={plan.date} min={1} max={31} onNumber={(date) => onPlan({ ...plan, date })} />
          </Field>
          <TimeField time={plan.time} onTime={(time) => onPlan({ ...plan, time })} />
        </>
      );
    default:
      return (
        <Field name="Cron expression" note="Minute, hour, day of month, month, day of week">
          <Input
            className="mono"
            maxLength={255}
            value={plan.cron}
            onChange={({ target }) => onPlan({ ...plan, cron: target.value })}
          />
        </Field>
      );
  }
}

function TimeField({ time, onTime }: { time: string; onTime: (time: string) => void }) {
  return (
    <Field name="At">
      <Input
        type="time"
        value={time}
        // A time that is not complete yet is empty.
        onChange={({ target }) => target.value !== '' && onTime(target.value)}
      />
    </Field>
  );
}

interface WholeNumberProps {
  value: number;
  min: number;
  max: number;
  onNumber: (value: number) => void;
}

function WholeNumber({ value, min, max, onNumber }: WholeNumberProps) {
  return (
    <Input
      type="number"
      min={min}
      max={max}
      value={value}
      onChange={({ target: { valueAsNumber: next } }) => {
        if (Number.isInteger(next) && next >= min && next <= max) onNumber(next);
      }}
    />
  );
}

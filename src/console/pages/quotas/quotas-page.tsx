import '../../ui/lists/table.css';
import './quotas.css';
import { Link } from 'wouter';
import type { Quota } from '../../../../clients/typescript/api.js';
import { useIsOperator } from '../../api/signed-in.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Answer } from '../../ui/states.js';
import { countWords, nounWords, shareWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { utcClock } from '../../text/wait-words.js';
import { amountWords, QUOTA_WORDS, shareOf, toneOf } from './quota-words.js';
import { useQuotas } from './quotas-data.js';

/** What the tenant has used of each quota, when it resets, and what waits for it. */
export function QuotasPage() {
  useTitle('Quotas');
  const quotas = useQuotas();
  const isOperator = useIsOperator();
  return (
    <div className="page">
      <header className="page-head">
        <h1>Quotas</h1>
        <span className="page-note">{quotas.data && summaryOf(quotas.data)}</span>
      </header>
      <div className="table-frame" tabIndex={0} role="region" aria-label="Use of the quotas">
        <Answer of={quotas} lines={7}>
          {(all) => <QuotaTable quotas={all} />}
        </Answer>
      </div>
      <p className="faint">
        Quotas hold for all teams together. A day is a UTC day.{' '}
        {isOperator ? (
          <>
            Change one with <code>fabula tenant quota --set mails_per_day=20000</code>.
          </>
        ) : (
          'The operator of the installation changes them.'
        )}
      </p>
    </div>
  );
}

function summaryOf(quotas: readonly Quota[]): string {
  const full = quotas.filter((quota) => toneOf(quota) === 'bad').length;
  const near = quotas.filter((quota) => toneOf(quota) === 'warn').length;
  if (full === 0 && near === 0) return 'all below 80 %';
  return [
    ...(full > 0 ? [`${countWords(full)} used up`] : []),
    ...(near > 0 ? [`${countWords(near)} at 80 % or above`] : []),
  ].join(' · ');
}

function QuotaTable({ quotas }: { quotas: readonly Quota[] }) {
  const byName = new Map(quotas.map((quota) => [quota.name, quota]));
  const known = Object.keys(QUOTA_WORDS) as Quota['name'][];
  return (
    <table className="table quota-table">
      <thead>
        <tr>
          <th>Quota</th>
          <th>Used</th>
          <th className="wide">Resets</th>
          <th>Waiting</th>
          <th className="fill wider">Once it is used up</th>
        </tr>
      </thead>
      <tbody>
        {known.map((name) => {
          const quota = byName.get(name);
          return quota && <QuotaRow key={name} quota={quota} />;
        })}
      </tbody>
    </table>
  );
}

function QuotaRow({ quota }: { quota: Quota }) {
  const { name, resets_at: resets } = quota;
  const words = QUOTA_WORDS[name];
  return (
    <tr>
      <th scope="row" className="quota-name">
        {words.name}
        <div className="faint quota-counts">
          {words.counts}
          {resets !== null && ', a day'}
        </div>
      </th>
      <td>
        <Used quota={quota} />
      </td>
      <td className="wide soft nowrap">
        {resets === null ? (
          <span className="faint">never</span>
        ) : (
          <>
            {utcClock(resets)}
            <div className="faint">
              <Time at={resets} />
            </div>
          </>
        )}
      </td>
      <td>
        <Waiting quota={quota} />
      </td>
      <td className="fill wider soft quota-then">{words.consequence}</td>
    </tr>
  );
}

function Used({ quota }: { quota: Quota }) {
  const { name, used, limit } = quota;
  const amount = amountWords(name, used);
  if (limit === null) {
    return (
      <>
        {amount} <span className="faint">no limit</span>
      </>
    );
  }
  const tone = toneOf(quota);
  return (
    <>
      <meter
        className={`quota-meter ${tone}`}
        aria-label={`${QUOTA_WORDS[name].name} used`}
        min={0}
        max={1}
        value={shareOf(quota)}
      />
      <div className="quota-used">
        <span className={tone === 'ok' ? '' : tone}>{amount}</span>
        <span className="faint">
          {' '}
          of {amountWords(name, limit)}, {tone === 'bad' ? 'used up' : usedShare(used / limit)}
        </span>
      </div>
    </>
  );
}

const LEAST_SHARE = 0.001;

/** Returns the used part of a limit; what is too small to be told is no nothing. */
const usedShare = (share: number) =>
  share > 0 && share < LEAST_SHARE ? `below ${shareWords(LEAST_SHARE)}` : shareWords(share);

function Waiting({ quota: { waiting, waiting_since: since } }: { quota: Quota }) {
  if (waiting === null) return <span className="faint">unknown</span>;
  if (waiting === 0) return <span className="faint">nothing</span>;
  return (
    <>
      <Link href="/inbox?kind=held" className="warn quota-waiting">
        {nounWords(waiting, 'delivery', 'deliveries')}
      </Link>
      <div className="faint">
        <Time at={since} prefix="since " />
      </div>
    </>
  );
}

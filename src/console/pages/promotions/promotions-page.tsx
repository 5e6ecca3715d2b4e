import '../../ui/lists/table.css';
import './promotions.css';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Promotion } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useMay } from '../../api/signed-in.js';
import { useChange } from '../../api/use-change.js';
import { isolated } from '../../text/isolated.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Field, Input } from '../../ui/form/field.js';
import { Pager } from '../../ui/lists/pager.js';
import { Question } from '../../ui/overlay/question.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Badge } from '../../ui/words/badge.js';
import { nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { GiveBundle } from './give-bundle.js';
import { PromoteDialog } from './promote-dialog.js';
import { PromotionDetails } from './promotion-details.js';
import { usePromotions } from './promotions-data.js';

/** Stories that came from other tenants: what came when, a way back, and a way to bring more. */
export function PromotionsPage() {
  useTitle('Promotions');
  const [page, setPage] = useState(1);
  const [isGiving, setGiving] = useState(false);
  const [file, setFile] = useState<File>();
  const [shown, setShown] = useState<Pick<Promotion, 'id' | 'name'>>();
  const [reverted, setReverted] = useState<Promotion>();
  const promotions = usePromotions(page);
  const mayWrite = useMay('write');
  return (
    <div className="page">
      <header className="page-head">
        <h1>Promotions</h1>
        <span className="page-note">
          {promotions.data && nounWords(promotions.data.meta.count, 'promotion')}
        </span>
        {mayWrite && (
          <Button look="main" onClick={() => setGiving(true)}>
            <FileUp aria-hidden="true" /> Promote a bundle
          </Button>
        )}
      </header>
      <div className="table-frame" tabIndex={0} role="region" aria-label="Promotions">
        <Answer of={promotions}>
          {(data) =>
            data.promotions.length === 0 ? (
              <Nothing title="No stories came from another tenant.">
                <p>
                  In that tenant, select stories on its page <Link href="/stories">Stories</Link> and press
                  Bundle. Then promote the file here, or its text.
                </p>
              </Nothing>
            ) : (
              <PromotionTable
                promotions={data.promotions}
                onShow={setShown}
                onRevert={mayWrite ? setReverted : undefined}
              />
            )
          }
        </Answer>
      </div>
      {promotions.data && <Pager meta={promotions.data.meta} onPage={setPage} />}
      {isGiving && (
        <GiveBundle
          onClose={() => setGiving(false)}
          onFile={(given) => {
            setGiving(false);
            setFile(given);
          }}
        />
      )}
      {file !== undefined && (
        <PromoteDialog
          file={file}
          onClose={() => setFile(undefined)}
          onDone={(promotion) => {
            setFile(undefined);
            setShown(promotion);
          }}
        />
      )}
      {shown !== undefined && <PromotionDetails {...shown} onClose={() => setShown(undefined)} />}
      {reverted !== undefined && <Revert promotion={reverted} onClose={() => setReverted(undefined)} />}
    </div>
  );
}

interface PromotionTableProps {
  promotions: readonly Promotion[];
  onShow: (promotion: Promotion) => void;
  onRevert: ((promotion: Promotion) => void) | undefined;
}

function PromotionTable({ promotions, onShow, onRevert }: PromotionTableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Promotion</th>
          <th className="wide">From</th>
          <th className="wide">By</th>
          <th>When</th>
          <th>
            <span className="unseen">Controls</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {promotions.map((promotion) => (
          <tr key={promotion.id}>
            <td className="fill wrap">
              <Button look="quiet" className="promotion-name" onClick={() => onShow(promotion)}>
                <bdi className="wrap">{promotion.name}</bdi>
              </Button>{' '}
              {promotion.reverted_at !== null && <Badge>reverted</Badge>}
              {promotion.reason !== null && (
                <div className="faint wrap">
                  Overwrote changes: <bdi>{promotion.reason}</bdi>
                </div>
              )}
            </td>
            <td className="wide">
              <bdi>{promotion.source.tenant}</bdi>
            </td>
            <td className="wide">
              <bdi>{promotion.user.name ?? '–'}</bdi>
            </td>
            <td>
              <Time at={promotion.created_at} />
            </td>
            <td>
              {onRevert !== undefined && promotion.reverted_at === null && (
                <Button
                  look="quiet"
                  aria-label={`Revert ${promotion.name}`}
                  onClick={() => onRevert(promotion)}
                >
                  Revert
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Revert({ promotion, onClose }: { promotion: Promotion; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const reverting = useChange(
    () =>
      api.promotions.revert({
        id: promotion.id,
        ...(reason.trim() !== '' && { overwrite: true, reason: reason.trim() }),
      }),
    {
      did: 'The promotion is reverted.',
      old: ['promotions', 'stories', 'story', 'graph', 'versions'],
      onDone: onClose,
    },
  );
  return (
    <Question
      title={`Revert ${isolated(promotion.name)}?`}
      about="All its stories get the versions that they had before. Stories that it created are deleted, or disabled if they have run. Nothing is reverted if a story was changed since."
      button="Revert"
      isBusy={reverting.isPending}
      onClose={onClose}
      onYes={() => reverting.mutate(undefined)}
    >
      {reverting.isError && (
        <>
          <p className="bad wrap" role="alert">
            {reverting.error.message}
          </p>
          <Field
            name="Reason to revert all the same"
            note="Changes made since are lost then, but stay as versions of their stories."
          >
            <Input value={reason} onChange={({ target }) => setReason(target.value)} maxLength={500} />
          </Field>
        </>
      )}
    </Question>
  );
}

import { CircleCheck, EllipsisVertical, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Case } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useMay } from '../../api/signed-in.js';
import { Button, IconButton } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Menu, MenuItem } from '../../ui/overlay/menu.js';
import { Time } from '../../ui/words/time.js';
import { PriorityMark, StatusBadge } from '../cases/case-marks.js';
import { personName, useCaseWork } from '../cases/cases-data.js';
import { nounWords } from '../../ui/words/figures.js';
import { useConditions } from './case-data.js';
import type { Closing } from './closing/use-closing.js';
import { EditDialog } from './edit-dialog.js';

/** The head of a case: its name, its state, and the buttons for the whole case. */
export function CaseHead({ one, closing }: { one: Case; closing: Closing }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const mayChange = useMay('write', one.team.id);
  return (
    <>
      <header className="page-head case-head">
        <h1 className="grow wrap">{one.name}</h1>
        {mayChange && <CaseButtons one={one} closing={closing} onOpen={setOpen} />}
      </header>
      <Marks one={one} />
      {closing.refusals.size > 0 && (
        <p role="alert" className="bad case-refusal">
          The case cannot be closed: {closing.refusals.size === 1 ? 'a condition is' : 'conditions are'} not
          met.
        </p>
      )}
      {open === 'edit' && <EditDialog one={one} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteDialog one={one} onClose={() => setOpen(null)} />}
    </>
  );
}

interface CaseButtonsProps {
  one: Case;
  closing: Closing;
  onOpen: (dialog: 'edit' | 'delete') => void;
}

function CaseButtons({ one, closing, onOpen }: CaseButtonsProps) {
  const isOpen = one.status === 'OPEN';
  const unmet = (useConditions(one).data ?? []).filter(({ met }) => !met).length;
  return (
    <>
      <Button
        {...(!(isOpen && unmet > 0) && { look: 'main' as const })}
        disabled={closing.isBusy}
        onClick={() => closing.set(isOpen ? 'CLOSED' : 'OPEN')}
      >
        {isOpen ? <CircleCheck aria-hidden="true" /> : <RotateCcw aria-hidden="true" />}
        {isOpen ? closeWords(unmet) : 'Reopen the case'}
      </Button>
      <Button onClick={() => onOpen('edit')}>
        <Pencil aria-hidden="true" /> Edit
      </Button>
      <Menu
        button={
          <IconButton label="More">
            <EllipsisVertical />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => onOpen('delete')}>
          <Trash2 aria-hidden="true" /> Delete the case…
        </MenuItem>
      </Menu>
    </>
  );
}

/** The server refuses to close a case with unmet conditions, and says which. */
const closeWords = (unmet: number): string =>
  unmet === 0 ? 'Close the case' : `Close (${nounWords(unmet, 'condition')} open)`;

function Marks({ one }: { one: Case }) {
  const { case_id: id, status, priority, team, opened_at: opened, resolved_at: resolved } = one;
  return (
    <p className="row row-wrap faint case-marks">
      <StatusBadge status={status} />
      <PriorityMark priority={priority} />
      <span>case {id}</span>
      <bdi className="wrap">{team.name}</bdi>
      <span className="wrap">
        opened <Time at={opened ?? one.created_at} />
        {one.opened_by !== null && (
          <>
            {' by '}
            <bdi>{personName(one.opened_by)}</bdi>
          </>
        )}
      </span>
      {resolved !== null && (
        <span className="wrap">
          closed <Time at={resolved} />
          {one.resolved_by !== null && (
            <>
              {' by '}
              <bdi>{personName(one.resolved_by)}</bdi>
            </>
          )}
        </span>
      )}
      <span>
        changed <Time at={one.updated_at} />
      </span>
    </p>
  );
}

function DeleteDialog({ one, onClose }: { one: Case; onClose: () => void }) {
  const [, go] = useLocation();
  const work = useCaseWork({ onDone: () => go('/cases') });
  return (
    <Dialog
      title="Delete the case?"
      about="This also deletes its comments, history and links. Its records are kept. This cannot be undone."
      onClose={onClose}
    >
      <footer className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          disabled={work.isPending}
          onClick={() => work.mutate(() => api.cases.delete({ id: one.case_id }))}
        >
          Delete the case
        </Button>
      </footer>
    </Dialog>
  );
}

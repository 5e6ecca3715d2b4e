import { useQueryClient } from '@tanstack/react-query';
import { CircleUserRound, Keyboard, KeyRound, ListTree, LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { addressOf } from '../../api/console-place.js';
import { saveAll, signOut } from '../../api/session-api.js';
import { forgetPerson, type KeptByPerson, keptByPerson } from '../../pages/editor/save/kept-by-person.js';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../../ui/overlay/menu.js';
import { Question } from '../../ui/overlay/question.js';
import { nounWords } from '../../ui/words/figures.js';
import { useOwner, useSession } from '../../api/signed-in.js';
import { keys } from '../../api/keys.js';
import { forgetTexts } from '../../api/use-kept-text.js';
import { useMutation } from '../../api/use-mutation.js';
import { chooseRowHeight, type RowHeight, useRowHeight } from '../../ui/browser/row-height.js';
import { chooseTheme, type Theme, useTheme } from '../../ui/browser/theme.js';
import { isolated } from '../../text/isolated.js';

const THEMES: [Theme, string][] = [
  ['system', 'System theme'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

const ROWS: [RowHeight, string][] = [
  ['roomy', 'Roomy rows'],
  ['compact', 'Compact rows'],
];

/** The signed-in person: theme, keys, sessions, and the way out. */
export function PersonMenu({ openKeys }: { openKeys: () => void }) {
  const { user, tenant, board_path: board } = useSession();
  const client = useQueryClient();
  const [, go] = useLocation();
  const theme = useTheme();
  const rows = useRowHeight();
  const owner = useOwner();
  const [kept, setKept] = useState<KeptByPerson>();
  const leaving = useMutation({
    mutationFn: async ({ isSure }: { isSure: boolean }) => {
      // The server would no longer take what is being saved.
      const isSaved = await saveAll();
      const { tabs, payloads } = await keptByPerson(owner);
      const unsaved = isSaved ? tabs : Math.max(tabs, 1);
      if (!isSure && unsaved + payloads > 0) return setKept({ tabs: unsaved, payloads });
      await signOut();
      await forgetPerson(owner);
      forgetTexts();
      client.setQueryData(keys.session, null);
    },
    networkMode: 'always',
    // Somebody else may be signed in by now.
    onError: () => void client.invalidateQueries({ queryKey: keys.session }),
  });
  const name = user.name || user.email;
  return (
    <>
      <Menu
        button={
          <button type="button" className="side-link" aria-label={`${isolated(name)}: menu`}>
            <CircleUserRound aria-hidden="true" />
            <span className="label cut">{name}</span>
          </button>
        }
      >
        <MenuLabel>
          <bdi>{user.email}</bdi> · <bdi>{tenant.name}</bdi>
        </MenuLabel>
        <MenuLine />
        <MenuChoice value={theme} options={THEMES} onChoose={(value) => chooseTheme(value as Theme)} />
        <MenuLine />
        <MenuChoice value={rows} options={ROWS} onChoose={(value) => chooseRowHeight(value as RowHeight)} />
        <MenuLine />
        <MenuItem onSelect={openKeys}>
          <Keyboard aria-hidden="true" /> Keyboard shortcuts
        </MenuItem>
        {board !== null && (
          <MenuItem onSelect={() => location.assign(addressOf(board))}>
            <ListTree aria-hidden="true" /> Queue board
          </MenuItem>
        )}
        <MenuItem onSelect={() => go('/sessions')}>
          <MonitorSmartphone aria-hidden="true" /> Sessions and password
        </MenuItem>
        <MenuItem onSelect={() => go('/team?tab=keys')}>
          <KeyRound aria-hidden="true" /> API keys
        </MenuItem>
        <MenuItem onSelect={() => leaving.mutate({ isSure: false })}>
          <LogOut aria-hidden="true" /> Sign out
        </MenuItem>
      </Menu>
      {kept !== undefined && (
        <Question
          title="Sign out and delete what this browser keeps?"
          about={`This browser keeps ${keptWords(kept)}. Signing out deletes all of it from this browser.`}
          button="Delete and sign out"
          isBusy={leaving.isPending}
          onClose={() => setKept(undefined)}
          onYes={() => leaving.mutate({ isSure: true })}
        />
      )}
    </>
  );
}

function keptWords({ tabs, payloads }: KeptByPerson): string {
  return [
    ...(tabs > 0 ? [`unsaved changes of ${nounWords(tabs, 'tab')}`] : []),
    ...(payloads > 0 ? [nounWords(payloads, 'saved payload')] : []),
  ].join(' and ');
}

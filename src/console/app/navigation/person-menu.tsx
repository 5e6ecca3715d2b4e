import { useQueryClient } from '@tanstack/react-query';
import { CircleUserRound, Keyboard, KeyRound, ListTree, LogOut, MonitorSmartphone } from 'lucide-react';
import { useLocation } from 'wouter';
import { addressOf } from '../../api/console-place.js';
import { signOut } from '../../api/session-api.js';
import { sentencesOf } from '../../text/problems.js';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../../ui/overlay/menu.js';
import { say } from '../../ui/overlay/toasts.js';
import { useSession } from '../../api/signed-in.js';
import { keys } from '../../api/keys.js';
import { forgetTexts } from '../../api/use-kept-text.js';
import { chooseTheme, type Theme, useTheme } from '../../ui/browser/theme.js';
import { isolated } from '../../text/isolated.js';

const THEMES: [Theme, string][] = [
  ['system', 'System theme'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** The signed-in person: theme, keys, sessions, and the way out. */
export function PersonMenu({ openKeys }: { openKeys: () => void }) {
  const { user, tenant, board_path: board } = useSession();
  const client = useQueryClient();
  const [, go] = useLocation();
  const theme = useTheme();
  const leave = async () => {
    try {
      await signOut();
      client.clear();
      forgetTexts();
      client.setQueryData(keys.session, null);
    } catch (error) {
      say(sentencesOf(error).join(' '), 'bad');
    }
  };
  const name = user.name || user.email;
  return (
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
      <MenuItem onSelect={() => void leave()}>
        <LogOut aria-hidden="true" /> Sign out
      </MenuItem>
    </Menu>
  );
}

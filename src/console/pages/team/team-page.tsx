import '../../ui/lists/lines.css';
import '../../ui/lists/table.css';
import './team.css';
import { useAddress } from '../../ui/browser/use-address.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Tabs } from '../../ui/tabs.js';
import { KeysTab } from './keys/keys-tab.js';
import { PeopleTab } from './people/people-tab.js';
import { TenantSettingsTab } from './settings/tenant-settings-tab.js';
import { TeamsTab } from './teams/teams-tab.js';

const TABS = [
  { key: 'people', name: 'Users', content: () => <PeopleTab /> },
  { key: 'teams', name: 'Teams', content: () => <TeamsTab /> },
  { key: 'keys', name: 'API keys', content: () => <KeysTab /> },
  { key: 'settings', name: 'Settings', content: () => <TenantSettingsTab /> },
];

/** People, their teams, the keys of programs, and what holds for all teams. */
export function TeamPage() {
  useTitle('Team');
  const [query, change] = useAddress();
  const chosen = TABS.find(({ key }) => key === query.get('tab'))?.key ?? 'people';
  return (
    <div className="page">
      <header className="page-head">
        <h1>Team</h1>
      </header>
      <Tabs
        label="Of the team"
        tabs={TABS}
        chosen={chosen}
        onChoose={(tab) => change({ tab: tab === 'people' ? undefined : tab })}
      />
    </div>
  );
}

import type { Client } from '../../support/clients.js';
import { agentSkills } from './agent-skills.js';
import { goSdk } from './go-sdk.js';
import { goTines } from './go-tines.js';
import { kibana, olderKibana } from './kibana.js';
import { lightning } from './lightning.js';
import { pythonTines, tcli, tinesConnect, veltrix } from './others.js';
import { tapi } from './tapi/index.js';
import { terraform } from './terraform.js';
import { storyFactory } from './story-factory.js';
import { tinesDesktop } from './tines-desktop.js';
import { tinesMcp } from './tines-mcp.js';
import { tinesMcpServer } from './tines-mcp-server.js';
import { victorykit } from './victorykit.js';

/** THE list of public clients whose calls are tested. */
export const CLIENTS: readonly Client[] = [
  goSdk,
  terraform,
  goTines,
  tapi,
  agentSkills,
  kibana,
  olderKibana,
  lightning,
  veltrix,
  tcli,
  pythonTines,
  tinesConnect,
  tinesMcp,
  tinesMcpServer,
  storyFactory,
  tinesDesktop,
  victorykit,
];

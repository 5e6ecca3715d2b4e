import type { Client } from '../../support/clients.js';
import { agentSkills } from './agent-skills.js';
import { goSdk } from './go-sdk.js';
import { goTines } from './go-tines.js';
import { lightning } from './lightning.js';
import { pythonTines, tapi, tcli, tinesConnect, veltrix } from './others.js';
import { terraform } from './terraform.js';

/** THE list of public clients whose calls are tested. */
export const CLIENTS: readonly Client[] = [
  goSdk,
  terraform,
  goTines,
  tapi,
  agentSkills,
  lightning,
  veltrix,
  tcli,
  pythonTines,
  tinesConnect,
];

import type { Client } from '../../support/clients.js';
import { agentSkills } from './agent-skills.js';
import { lightning } from './lightning.js';
import { goSdk, pythonTines, tapi, tcli, tinesConnect, veltrix } from './others.js';

/** THE list of public clients whose calls are tested. */
export const CLIENTS: readonly Client[] = [
  goSdk,
  tapi,
  agentSkills,
  lightning,
  veltrix,
  tcli,
  pythonTines,
  tinesConnect,
];

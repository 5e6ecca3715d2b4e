import {
  Braces,
  CircleHelp,
  Database,
  Filter,
  Globe,
  type LucideIcon,
  Mail,
  Send,
  Split,
  Webhook,
} from 'lucide-react';

/** How a kind of action looks: its word and its sign. */
export interface ActionKind {
  word: string;
  icon: LucideIcon;
  /** Names its colour: `webhook` for `--kind-webhook`. */
  look: string;
}

/** By the type without `Agents::`; a type that somebody made up is none of them, whatever it is called. */
const KINDS: ReadonlyMap<string, ActionKind> = new Map([
  ['WebhookAgent', { word: 'Webhook', icon: Webhook, look: 'webhook' }],
  ['TriggerAgent', { word: 'Trigger', icon: Split, look: 'trigger' }],
  ['EventTransformationAgent', { word: 'Transformation', icon: Braces, look: 'transformation' }],
  ['HTTPRequestAgent', { word: 'HTTP request', icon: Globe, look: 'request' }],
  ['EmailAgent', { word: 'Email', icon: Mail, look: 'email' }],
  ['SendToStoryAgent', { word: 'Send to story', icon: Send, look: 'story' }],
  ['RecordAgent', { word: 'Record', icon: Database, look: 'record' }],
]);

const MODE_ICONS: ReadonlyMap<string, LucideIcon> = new Map([['deduplicate', Filter]]);

/** Returns how an action looks, by its type and, for a transformation, its mode. */
export function kindOf({ type, options }: { type: string; options: Record<string, unknown> }): ActionKind {
  const name = type.replace(/^Agents::/, '');
  const known = KINDS.get(name);
  if (known === undefined) return { word: name.replace(/Agent$/, ''), icon: CircleHelp, look: 'other' };
  const mode = options['mode'];
  if (name !== 'EventTransformationAgent' || typeof mode !== 'string' || mode === '') return known;
  const word = mode.replaceAll('_', ' ');
  const icon = MODE_ICONS.get(mode) ?? known.icon;
  return { ...known, word: word[0]?.toUpperCase() + word.slice(1), icon };
}

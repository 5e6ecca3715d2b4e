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
}

/** By the type without `Agents::`; a type that somebody made up is none of them, whatever it is called. */
const KINDS: ReadonlyMap<string, ActionKind> = new Map([
  ['WebhookAgent', { word: 'Webhook', icon: Webhook }],
  ['TriggerAgent', { word: 'Trigger', icon: Split }],
  ['EventTransformationAgent', { word: 'Transformation', icon: Braces }],
  ['HTTPRequestAgent', { word: 'HTTP request', icon: Globe }],
  ['EmailAgent', { word: 'Email', icon: Mail }],
  ['SendToStoryAgent', { word: 'Send to story', icon: Send }],
  ['RecordAgent', { word: 'Record', icon: Database }],
]);

const MODE_ICONS: ReadonlyMap<string, LucideIcon> = new Map([['deduplicate', Filter]]);

/** Returns how an action looks, by its type and, for a transformation, its mode. */
export function kindOf({ type, options }: { type: string; options: Record<string, unknown> }): ActionKind {
  const name = type.replace(/^Agents::/, '');
  const known = KINDS.get(name);
  if (known === undefined) return { word: name.replace(/Agent$/, ''), icon: CircleHelp };
  const mode = options['mode'];
  if (name !== 'EventTransformationAgent' || typeof mode !== 'string' || mode === '') return known;
  const word = mode.replaceAll('_', ' ');
  return { word: word[0]?.toUpperCase() + word.slice(1), icon: MODE_ICONS.get(mode) ?? known.icon };
}

/** What templates refer to by name, besides what actions receive. */
export type NamedRoot = 'CREDENTIAL' | 'RESOURCE' | 'STORY';

/** Returns the template that refers to something by its name. */
export function nameReference(root: NamedRoot, name: string, language: 'formula' | 'liquid'): string {
  const place = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `["${name.replace(/["\\]/g, '\\$&')}"]`;
  return language === 'liquid' ? `{{ .${root}${place} }}` : `<<${root}${place}>>`;
}

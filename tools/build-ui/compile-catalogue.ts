import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/** The messages of a catalogue by their ids, in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, string>>

/**
 * The compiled messages of these groups, nested as ui/src/i18n/translations.ts expects: `{ files: { open: 'Open' } }` for
 * `{ "files.open": ["Open"] }`, which is smaller. Compiled messages spare the page a parser.
 *
 * @throws Error that names the message, if one is not valid ICU MessageFormat
 */
export function compileCatalogue(catalogue: Catalogue, groups: readonly string[]): string {
  const nested: Record<string, Record<string, unknown>> = {}
  for (const [id, text] of Object.entries(catalogue)) {
    const dot = id.indexOf('.')
    if (!groups.includes(id.slice(0, dot))) continue
    const compiled = compile(id, text)
    const group = (nested[id.slice(0, dot)] ??= {})
    group[id.slice(dot + 1)] = isPlain(compiled) ? compiled[0] : compiled
  }
  return JSON.stringify(nested)
}

function isPlain(compiled: unknown): compiled is [string] {
  return Array.isArray(compiled) && compiled.length === 1 && typeof compiled[0] === 'string'
}

function compile(id: string, text: string): unknown {
  try {
    return compileMessageOrThrow(text)
  } catch (error) {
    throw new Error(`message "${id}" is not valid: ${String(error)}`, { cause: error })
  }
}

import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/** The messages of a catalogue by their ids, in ICU MessageFormat. */
export type Catalogue = Readonly<Record<string, string>>

/**
 * The messages of these groups, folded as ui/src/i18n/fetch-texts.ts reads it: `{ files: { open: 'Open' } }` for
 * `{ "files.open": ["Open"] }`, which is a good part smaller. The page then carries no parser.
 *
 * @throws Error that names the message which is not ICU MessageFormat
 */
export function compileCatalogue(catalogue: Catalogue, groups: readonly string[]): string {
  const folded: Record<string, Record<string, unknown>> = {}
  for (const [id, text] of Object.entries(catalogue)) {
    const dot = id.indexOf('.')
    if (!groups.includes(id.slice(0, dot))) continue
    const compiled = compile(id, text)
    const group = (folded[id.slice(0, dot)] ??= {})
    group[id.slice(dot + 1)] = isPlain(compiled) ? compiled[0] : compiled
  }
  return JSON.stringify(folded)
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

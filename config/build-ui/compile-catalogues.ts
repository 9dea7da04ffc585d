import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const CATALOGUE = /\/ui\/src\/i18n\/[a-z-]+\.json\?(first|later)$/

/** Messages of what is opened later; they come after the first view. */
const LATER = new Set([
  'conflict',
  'editor',
  'global',
  'palette',
  'pick',
  'profile',
  'public',
  'search',
  'shares',
  'terminal',
  'users',
  'viewer',
])

export type CataloguePart = 'first' | 'later'

/**
 * Compiles the ICU messages of the catalogues while building, so that the page carries no message parser. Each comes in two
 * parts: "de.json?first" and "de.json?later".
 */
export function compileCatalogues(): Plugin {
  return {
    name: 'filemgr:compile-catalogues',
    enforce: 'pre',
    transform: {
      filter: { id: CATALOGUE },
      handler: (json, id) => {
        const compiled = compileCatalogue(json, id.endsWith('?first') ? 'first' : 'later')
        return { code: `export default ${compiled}`, map: null, moduleType: 'js' }
      },
    },
  }
}

/**
 * Folded as ui/src/i18n/unfold.ts reads it: `{ files: { open: 'Open' } }` for `{ "files.open": ["Open"] }`, which is a good
 * part smaller.
 *
 * @throws Error that names the message which is not ICU MessageFormat
 */
export function compileCatalogue(json: string, part: CataloguePart): string {
  const folded: Record<string, Record<string, unknown>> = {}
  for (const [id, text] of Object.entries(JSON.parse(json) as Record<string, string>)) {
    const dot = id.indexOf('.')
    if (LATER.has(id.slice(0, dot)) !== (part === 'later')) continue
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

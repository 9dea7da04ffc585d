import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const CATALOGUE = /\/ui\/src\/i18n\/[a-z-]+\.json$/

/** Compiles the ICU messages of the catalogues while building, so that the page carries no message parser. */
export function compileCatalogues(): Plugin {
  return {
    name: 'filemgr:compile-catalogues',
    enforce: 'pre',
    transform: {
      filter: { id: CATALOGUE },
      handler: (json) => ({ code: compileCatalogue(json), map: null }),
    },
  }
}

/** @throws Error that names the message which is not ICU MessageFormat */
export function compileCatalogue(json: string): string {
  const messages = Object.entries(JSON.parse(json) as Record<string, string>)
  return JSON.stringify(Object.fromEntries(messages.map(([id, text]) => [id, compile(id, text)])))
}

function compile(id: string, text: string): unknown {
  try {
    return compileMessageOrThrow(text)
  } catch (error) {
    throw new Error(`message "${id}" is not valid: ${String(error)}`, { cause: error })
  }
}

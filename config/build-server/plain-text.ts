import type { Plugin } from 'vite'

/** Writes what is not ASCII as escapes: Node reads such a file without decoding it, and keeps it in half the memory. */
export function plainText(): Plugin {
  return {
    name: 'plain-text',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code)
    },
  }
}

function escaped(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

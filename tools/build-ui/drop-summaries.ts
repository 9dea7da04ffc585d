import type { Plugin } from 'vite'

interface Node {
  readonly type?: string
  readonly start?: number
  readonly end?: number
  readonly key?: { readonly name?: string }
}

/** Removes the summaries of operations, which only the server's documentation of the API needs, from what each page loads. */
export function dropSummaries(): Plugin {
  return {
    name: 'filemgr:drop-summaries',
    enforce: 'post',
    transform: {
      filter: { id: /\/src\/api\/.*\.ts$/ },
      handler(code) {
        let rest = code
        // From the end, so that the positions before stay right.
        for (const { start, end } of summariesIn(this.parse(code)).toReversed())
          rest = rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, '')
        return { code: rest, map: null }
      },
    },
  }
}

function summariesIn(node: unknown): { readonly start: number; readonly end: number }[] {
  if (Array.isArray(node)) return node.flatMap(summariesIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, key, start, end } = node as Node
  if (type === 'Property' && key?.name === 'summary' && start !== undefined && end !== undefined)
    return [{ start, end }]
  return Object.values(node).flatMap(summariesIn)
}

import type { Plugin } from 'vite'

interface Node {
  readonly type?: string
  readonly start?: number
  readonly end?: number
  readonly key?: { readonly name?: string }
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly { readonly properties?: readonly Node[] }[]
}

/** What the page's client reads of an operation. */
const READ = new Set(['method', 'path', 'access', 'bodyKind'])

/** Removes the rest of each operation from what the page loads: schemas, which only the server checks, and documentation. */
export function bareOperations(): Plugin {
  return {
    name: 'filemgr:bare-operations',
    enforce: 'post',
    transform: {
      filter: { id: /\/src\/api\/.*\.ts$/ },
      handler(code) {
        let rest = code
        // From the end, so that the positions before stay right.
        for (const { start, end } of unreadIn(this.parse(code)).toReversed())
          rest = rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, '')
        return { code: withoutUnusedImports(rest), map: null }
      },
    },
  }
}

/** Without imports of what only those schemas needed: otherwise its modules would count as parts of the screen. */
function withoutUnusedImports(code: string): string {
  return code.replaceAll(/^import \{([^}]*)\} from [^\n]*\/domain\/[^\n]*\n/gm, (statement, names: string) => {
    const isUsed = names
      .split(',')
      .map((name) => name.trim().split(' as ').at(-1) ?? '')
      .some((name) => name !== '' && code.split(new RegExp(`\\b${name}\\b`)).length > 2)
    return isUsed ? statement : ''
  })
}

function unreadIn(node: unknown): { readonly start: number; readonly end: number }[] {
  if (Array.isArray(node)) return node.flatMap(unreadIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, callee, arguments: [declaration] = [] } = node as Node
  if (type !== 'CallExpression' || callee?.name !== 'operation') return Object.values(node).flatMap(unreadIn)
  return (declaration?.properties ?? []).flatMap(({ key, start, end }) =>
    start === undefined || end === undefined || READ.has(key?.name ?? '') ? [] : [{ start, end }],
  )
}

import type { Operation } from '../../../src/api/operation.ts'

/** What goes into a path or behind the question mark. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>

/** The address of a call: parameters go into the path, percent-encoded segment by segment; unset query values are left out. */
export function operationUrl(baseUrl: string, operation: Operation, params: Values = {}, query: Values = {}): string {
  const path = operation.path.replace(/:(\w+)|\*/g, (_match, name?: string) =>
    name === undefined ? encodePath(String(params['*'] ?? '')) : encodeURIComponent(String(params[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? baseUrl + path : `${baseUrl}${path}?${search.toString()}`
}

/** Encodes what a URL may not carry as it is, but keeps the slashes. A slash at the start is dropped. */
function encodePath(path: string): string {
  return path.replace(/^\//, '').split('/').map(encodeURIComponent).join('/')
}

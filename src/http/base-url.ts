import type { ServerOptions } from '../domain/server-options.ts'

/** The base URL without a slash at its end; "" for none. */
export function baseOf({ baseURL }: Pick<ServerOptions, 'baseURL'>): string {
  return baseURL.replace(/\/+$/, '')
}

/** The path as seen from the base URL, or undefined for an address outside it: "/fbx" is not below "/fb". */
export function pathBelow(base: string, path: string): string | undefined {
  if (path === base) return ''
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined
}

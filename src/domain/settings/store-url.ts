import { fail } from '../errors.ts'

const PROTOCOLS = ['postgres:', 'postgresql:']

/** @throws INVALID_INPUT, without the text, which may contain a password */
export function requireStoreUrl(text: string): void {
  if (!isStoreUrl(text))
    fail('INVALID_INPUT', 'the store is not a PostgreSQL address, such as postgres://filemgr@db/filemgr', {
      field: 'store',
    })
}

export function isStoreUrl(text: string): boolean {
  return URL.canParse(text) && PROTOCOLS.includes(new URL(text).protocol)
}

export function hasPassword(text: string): boolean {
  return URL.canParse(text) && withoutPassword(text) !== new URL(text).href
}

/** For messages and other processes. Empty for a text that is not a URL, since a password may be anywhere in it. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return ''
  const url = new URL(text)
  url.password = ''
  if (url.searchParams.has('password')) url.searchParams.delete('password')
  return url.href
}

/** The location of a store, for messages. @param url of the database; "" for files in the folder */
export function storeName({ folder, url }: { readonly folder: string; readonly url: string }): string {
  return url === '' ? folder : withoutPassword(url)
}

import { fail } from '../errors.ts'

const PROTOCOLS = ['postgres:', 'postgresql:']

/**
 * What `sslmode` may be, and what the driver does then. "require" and "verify-ca" check as much as "verify-full": what is not
 * checked may be another server, which reads along. "allow" and "prefer" are refused, since they go on without encryption.
 */
const SSL_MODES: Readonly<Record<string, string>> = {
  disable: 'disable',
  'no-verify': 'no-verify',
  require: 'verify-full',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
}
/** Which server `target_session_attrs` may ask for: whatever it says, filemgr needs one that takes writes. */
const TARGETS = ['any', 'read-write', 'primary']

/** `user:password@`, the hosts, and the rest. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is

/** @throws INVALID_INPUT, without the text, which may contain a password */
export function requireStoreUrl(text: string): void {
  const [url] = urlsOf(text)
  if (url === undefined || !isStoreUrl(text))
    return refuse('the store is not a PostgreSQL address, such as postgres://filemgr@db/filemgr')
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !Object.hasOwn(SSL_MODES, mode))
    refuse(`the address of the store has an sslmode that is none of ${Object.keys(SSL_MODES).join(', ')}`)
  const target = url.searchParams.get('target_session_attrs')
  if (target !== null && !TARGETS.includes(target))
    refuse('filemgr also writes to the store: leave out target_session_attrs, or set it to read-write')
  const ports = listIn(url, 'port').length
  if (ports > 1 && ports !== listIn(url, 'host').length)
    refuse('the address of the store must have one port, or one for each host')
}

function refuse(message: string): never {
  return fail('INVALID_INPUT', message, { field: 'store' })
}

/** The same address for each server that it names, in their order, as the driver reads it. */
export function storeServers(text: string): string[] {
  return urlsOf(text).flatMap((url) => {
    const ports = listIn(url, 'port')
    const hosts = listIn(url, 'host')
    const mode = url.searchParams.get('sslmode')
    url.searchParams.delete('target_session_attrs')
    if (mode !== null) url.searchParams.set('sslmode', SSL_MODES[mode] ?? mode)
    if (hosts.length < 2) return [url.href]
    return hosts.map((host, number) => {
      const one = new URL(url)
      one.searchParams.set('host', host)
      const port = ports[number] ?? ports[0]
      if (port !== undefined) one.searchParams.set('port', port)
      return one.href
    })
  })
}

const listIn = ({ searchParams }: URL, name: string): string[] =>
  (searchParams.get(name) ?? '').split(',').filter((item) => item !== '')

/** One for each host before the path, with everything else; none if the text is not a URL. */
function urlsOf(text: string): URL[] {
  const [, start = '', named = '', rest = ''] = PARTS.exec(text) ?? []
  // libpq takes an account without a host, such as in "user@/db?host=…", which a URL cannot have.
  const hosts = named === '' && start.endsWith('@') ? 'localhost' : named
  const texts = hosts.split(',').map((host) => `${start}${host}${rest}`)
  return texts.every((each) => URL.canParse(each)) ? texts.map((each) => new URL(each)) : []
}

export function isStoreUrl(text: string): boolean {
  return PROTOCOLS.includes(urlsOf(text)[0]?.protocol ?? '')
}

export function hasPassword(text: string): boolean {
  const [url] = urlsOf(text)
  return url !== undefined && (url.password !== '' || url.searchParams.has('password'))
}

/** For messages and other processes. Empty for a text that is not a URL, since a password may be anywhere in it. */
export function withoutPassword(text: string): string {
  const urls = urlsOf(text)
  const [url] = urls
  if (url === undefined) return ''
  url.password = ''
  if (url.searchParams.has('password')) url.searchParams.delete('password')
  const account = url.username === '' ? '' : `${url.username}@`
  return `${url.protocol}//${account}${urls.map(({ host }) => host).join(',')}${url.pathname}${url.search}`
}

/** The location of a store, for messages. @param url of the database; "" for files in the folder */
export function storeName({ folder, url }: { readonly folder: string; readonly url: string }): string {
  return url === '' ? folder : withoutPassword(url)
}

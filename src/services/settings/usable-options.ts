import { dirname, isAbsolute } from 'node:path'
import { parseDuration } from '../../domain/text/units.ts'
import { fail } from '../../domain/errors.ts'
import { isBucketUrl, parseBucketUrl } from '../../domain/settings/bucket-url.ts'
import { baseOf, type ServerOptions } from '../../domain/settings/server-options.ts'
import { createAddressList, isLoopback } from '../../platform/network/address-list.ts'
import { checkRoot, isFolder } from '../../platform/files/served-root.ts'
import { loadTls } from '../../platform/network/tls-files.ts'

/** Checks start-up values beyond their schema, without reading the disk. @throws INVALID_INPUT naming the option */
export function requireUsableOptions(options: ServerOptions): void {
  const { tokenExpirationTime, trustedProxies, noAuth, noAuthRemote, socket, address, root, enableExec } = options
  const life = parseDuration(tokenExpirationTime)
  if (life === undefined || life < 1000) {
    const message = `--token-expiration-time must be a duration such as 30m or 2h30m, not "${tokenExpirationTime}"`
    fail('INVALID_INPUT', message, { field: 'tokenExpirationTime' })
  }
  createAddressList(trustedProxies)
  requireBasePath(options)
  requirePublicUrl(options)
  if (isBucketUrl(root)) parseBucketUrl(root)
  if (isBucketUrl(root) && enableExec) {
    const advice = 'programs can run only where files are on a disk of this machine; leave it out, or serve a folder'
    fail('INVALID_INPUT', `--enable-exec: ${advice}`, { field: 'enableExec' })
  }
  requireDirectUrl(options)
  // A forgotten --no-auth on a public address would hand the folder to the whole network.
  if (noAuth && !noAuthRemote && socket === '' && !isLoopback(address)) {
    const advice = 'anyone who can reach it could do everything; add --no-auth-remote if this is intended'
    fail('INVALID_INPUT', `--no-auth on the address ${address}: ${advice}`, { field: 'noAuth' })
  }
}

function requireDirectUrl({ s3Direct, root }: ServerOptions): void {
  if (s3Direct === '') return
  const refuse = (message: string) => fail('INVALID_INPUT', `--s3-direct ${message}`, { field: 's3Direct' })
  if (!URL.canParse(s3Direct)) refuse(`${s3Direct} is no address`)
  if (!isBucketUrl(root)) refuse('is only for a bucket: leave it out, or serve one as s3://BUCKET')
}

/**
 * Browsers clean and encode addresses before they send them, and the router gives some characters a meaning: with such a base
 * path, no request would be beneath it.
 */
function requireBasePath({ baseURL }: ServerOptions): void {
  const names = baseOf({ baseURL }).split('/').slice(1)
  const isUsable = names.every((name) => /^[\w.~@+-]+$/.test(name) && name !== '.' && name !== '..')
  if (isUsable) return
  const message = `--base-url "${baseURL}": use only letters from a to z, digits and -._~@+ in it, and no . or .. between slashes`
  fail('INVALID_INPUT', message, { field: 'baseURL' })
}

/** A path that is not the base path would give links that lead nowhere. */
function requirePublicUrl({ publicUrl, baseURL }: ServerOptions): void {
  if (publicUrl === '') return
  const path = URL.canParse(publicUrl) ? baseOf({ baseURL: new URL(publicUrl).pathname }) : undefined
  if (path === undefined) fail('INVALID_INPUT', `--public-url ${publicUrl} is no address`, { field: 'publicUrl' })
  if (path === '' || path === baseOf({ baseURL })) return
  const message = `--public-url ends in ${path}, but the base path is "${baseURL}": both must be the same`
  fail('INVALID_INPUT', message, { field: 'publicUrl' })
}

/**
 * Checks the files and folders that changed values name. Unchanged values are not checked again: a folder that is missing by now
 * must not prevent changing the port.
 *
 * @throws INVALID_INPUT naming the option
 */
export async function requireReachable(
  options: ServerOptions,
  changed: readonly (keyof ServerOptions)[],
): Promise<void> {
  const { root, socket } = options
  if (changed.includes('root')) {
    if (isBucketUrl(root)) parseBucketUrl(root)
    else if (!isAbsolute(root)) fail('INVALID_INPUT', `root must be an absolute path, not "${root}"`, { field: 'root' })
    else await checkRoot(root)
  }
  if (changed.includes('cert') || changed.includes('key')) await loadTls(options)
  if (changed.includes('socket') && socket !== '') await requireFolderOf('socket', socket)
  for (const name of ['log', 'accessLog'] as const) {
    const path = options[name]
    if (changed.includes(name) && !['', 'stdout', 'stderr'].includes(path)) await requireFolderOf(name, path)
  }
}

async function requireFolderOf(option: keyof ServerOptions, path: string): Promise<void> {
  if (!(await isFolder(dirname(path)))) {
    fail('INVALID_INPUT', `${option}: the folder of ${path} does not exist; make it first`, { field: option })
  }
}

import { isIP } from 'node:net'
import { dirname, isAbsolute } from 'node:path'
import { parseDuration } from '../../domain/text/units.ts'
import { fail } from '../../domain/errors.ts'
import { auditFilesIn, parseAuditTarget } from '../../domain/server/audit-target.ts'
import { isBucketUrl, parseBucketUrl, requireLocalPath, isHostName } from '../../domain/server/addresses.ts'
import { kebabCase } from '../../domain/text/option-names.ts'
import { baseOf, type ServerOptions } from '../../domain/server/server-options.ts'
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
  requireAddress(options)
  requirePaths(options)
  options.auditExport.forEach(parseAuditTarget)
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

function requireAddress({ address, metrics }: ServerOptions): void {
  // Such as "[::1]:9180".
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(metrics) ?? []
  const metricsHost = host.replace(/^\[(.*)\]$/, '$1')
  for (const [name, value] of [['address', address] as const, ['metrics', metricsHost] as const]) {
    if (value === '' || isIP(value) !== 0 || isHostName(value)) continue
    fail('INVALID_INPUT', `--${name}: "${value}" is neither an IP address nor a host name`, { field: name })
  }
  if (Number(port) > 65_535)
    fail('INVALID_INPUT', `--metrics: the port must be between 0 and 65535, not ${port}`, { field: 'metrics' })
}

/** The kernel takes no longer path for a socket. */
const MAX_SOCKET_BYTES = 107

function requirePaths(options: ServerOptions): void {
  for (const name of ['cert', 'key', 'socket', 'log', 'accessLog', 'cacheDir'] as const)
    requireLocalPath(options[name], `--${kebabCase(name)}`, 'name a file or folder of this machine', name)
  for (const name of ['log', 'accessLog'] as const) {
    // A mistyped "stdout" would become a file in whatever folder the daemon is started.
    if (/^(|stdout|stderr|.*\.log|.*\/.*)$/s.test(options[name])) continue
    const choice = 'use stdout, stderr or a file such as /var/log/filemgr.log, or leave it empty for none'
    fail('INVALID_INPUT', `--${kebabCase(name)}: ${choice}, not "${options[name]}"`, { field: name })
  }
  if (Buffer.byteLength(options.socket) > MAX_SOCKET_BYTES)
    fail('INVALID_INPUT', `--socket: the path is longer than the ${MAX_SOCKET_BYTES} bytes that Linux takes`, {
      field: 'socket',
    })
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
  if (changed.includes('auditExport'))
    for (const path of auditFilesIn(options.auditExport)) await requireFolderOf('auditExport', path)
}

async function requireFolderOf(option: keyof ServerOptions, path: string): Promise<void> {
  if (!(await isFolder(dirname(path)))) {
    fail('INVALID_INPUT', `${option}: the folder of ${path} does not exist; make it first`, { field: option })
  }
}

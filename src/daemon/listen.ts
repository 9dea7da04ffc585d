import { chmod, lstat, unlink } from 'node:fs/promises'
import { createConnection, createServer, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { FilemgrError } from '../domain/errors.ts'
import { baseOf, type ServerOptions } from '../domain/server/server-options.ts'

type Endpoint = Pick<ServerOptions, 'address' | 'port' | 'socket' | 'socketPerm'>

/** The options for `listen()` of node:net. */
export function listenOptions({ address, port, socket }: Endpoint): { host: string; port: number } | { path: string } {
  // For Node an empty address means all interfaces; an unset option must not expose the server like that.
  return socket === '' ? { host: address === '' ? '127.0.0.1' : address, port } : { path: socket }
}

/**
 * Listens for a moment, so that a start that cannot listen fails before it creates anything.
 *
 * @throws INVALID_INPUT if the address is not available, with advice
 */
export async function probeAddress(endpoint: Endpoint): Promise<void> {
  if (endpoint.socket !== '') await removeStaleSocket(endpoint.socket)
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ ...listenOptions(endpoint), exclusive: true }, resolve)
    })
  } catch (error) {
    throw listenFailure(error, endpoint)
  }
  await new Promise((resolve) => server.close(resolve))
}

/** Translates errors of listen() into advice; returns other errors unchanged. */
export function listenFailure(error: unknown, { address, port, socket }: Endpoint): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const field = socket === '' ? (['EADDRINUSE', 'EACCES'].includes(code) ? 'port' : 'address') : 'socket'
  const message = socket === '' ? portProblem(code, address, port) : socketProblem(code, socket)
  return new FilemgrError('INVALID_INPUT', message, { field }, { cause: error })
}

function portProblem(code: string, address: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `--port ${port} on ${address} is in use; choose another one, or 0 for any that is free`
    case 'EACCES':
      return `--port ${port} needs more rights than this account has; choose one above 1023`
    case 'EADDRNOTAVAIL':
      return `--address ${address} is not an address of this machine`
    default:
      return `--address ${address} cannot be listened on (${code})`
  }
}

function socketProblem(code: string, socket: string): string {
  if (code === 'EADDRINUSE') return `--socket ${socket} is in use by another process, or is a file of another kind`
  if (code === 'ENOENT') return `--socket ${socket}: its folder does not exist`
  return `--socket ${socket} cannot be created (${code})`
}

/** A killed daemon leaves its socket behind, which would block the next start. */
async function removeStaleSocket(path: string): Promise<void> {
  const answer = await new Promise<string>((resolve) => {
    const connection = createConnection(path)
    connection.once('connect', () => {
      connection.destroy()
      resolve('alive')
    })
    connection.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  // A regular file also refuses connections, and may be user data.
  if (answer === 'ECONNREFUSED' && (await lstat(path)).isSocket()) await unlink(path)
}

/** Runs `listen` under a umask, so that the socket never has wider permissions, not even briefly. */
export async function withSocketMode<T>({ socket, socketPerm }: Endpoint, listen: () => Promise<T>): Promise<T> {
  if (socket === '') return await listen()
  const mode = Number.parseInt(socketPerm.replace('o', ''), 8)
  const before = process.umask(0o777 & ~mode)
  try {
    const result = await listen()
    await chmod(socket, mode)
    return result
  } finally {
    process.umask(before)
  }
}

/**
 * The URLs of the daemon, loopback first. A wildcard address is replaced by the addresses of this machine.
 *
 * @param port the actual port, which differs from the option if that is 0
 */
export function reachableUrls(options: Pick<ServerOptions, 'address' | 'baseURL' | 'cert'>, port: number): string[] {
  const scheme = options.cert === '' ? 'http' : 'https'
  return hostsOf(options.address).map((host) => {
    const shown = isIPv6(host) ? `[${host}]` : host
    return `${scheme}://${shown}:${port}${baseOf(options)}/`
  })
}

function hostsOf(address: string): string[] {
  if (address !== '0.0.0.0' && address !== '::') return [address === '' ? '127.0.0.1' : address]
  const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  // Link-local addresses need an interface name, which browsers do not accept.
  const usable = found.filter(
    ({ family, address: own }) => (family === 'IPv4' || address === '::') && !own.startsWith('fe80'),
  )
  return usable.sort((one, other) => Number(other.internal) - Number(one.internal)).map(({ address: own }) => own)
}

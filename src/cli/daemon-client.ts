import { type IncomingMessage, request as requestPlain, type RequestOptions } from 'node:http'
import { request as requestTls } from 'node:https'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { requireAnswer } from '../context/daemon-record.ts'
import { isAdministrator } from '../domain/accounts/user.ts'
import { type ErrorCode, type ErrorDetails, fail, FilemgrError, isFilemgrError } from '../domain/errors.ts'
import { baseOf, type ServerOptions } from '../domain/server/server-options.ts'
import { dataFolder } from './data-folder.ts'
import { requireDaemon } from './find-daemon.ts'
import { failWhenSilent } from './http-exchange.ts'
import { openContext } from './open-context.ts'
import type { Invocation } from './program/command.ts'

/** Sends API requests to the running daemon as an administrator. Disposing ends its session. */
interface DaemonClient extends AsyncDisposable {
  /** @throws the daemon's error */
  request<T>(method: 'GET' | 'POST' | 'DELETE', path: string): Promise<T>
}

/** Milliseconds that the daemon may take to see a new session in the data folder. */
const SESSION_TIMEOUT = 5000
const CLIENT = { address: '', userAgent: 'filemgr command line' }

/** Needs no password, because anyone who can write to the data folder can create a session. @throws DAEMON_NOT_RUNNING */
export async function openDaemonClient(invocation: Invocation): Promise<DaemonClient> {
  const daemon = await requireDaemon(invocation)
  const folder = dataFolder(invocation.globals, invocation.terminal)
  const context = await openContext(invocation)
  try {
    const { auth } = context.services
    const token = await auth.redeemCode(await auth.issueCode(administratorOf(context)), CLIENT)
    const deadline = Date.now() + SESSION_TIMEOUT
    return {
      async request<T>(method: 'GET' | 'POST' | 'DELETE', path: string) {
        for (;;) {
          const line = { ...optionsFor(daemon.url, context.options, path), method, headers: headersWith(token) }
          const response = await send(line, async () => await requireAnswer(folder, daemon))
          if (response.statusCode !== 401 || Date.now() > deadline) return (await valueOf(response)) as T
          response.resume()
          await setTimeout(20)
        }
      },
      async [Symbol.asyncDispose]() {
        // The session of a daemon that does not answer ends by itself.
        await auth.logout((await auth.authenticate(token, CLIENT)).actor).catch(unlessSilent)
        await context[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await context[Symbol.asyncDispose]()
    throw error
  }
}

function unlessSilent(error: unknown): void {
  if (!isFilemgrError(error, 'STORE_BUSY')) throw error
}

function administratorOf({ store }: Context) {
  const found = store.snapshot().users.find(isAdministrator)
  return (
    found?.id ?? fail('NOT_FOUND', 'there is no administrator; create one with "filemgr users set NAME --perm.admin"')
  )
}

function headersWith(token: string) {
  return { 'x-auth': token, accept: 'application/json' }
}

function optionsFor(url: string, options: ServerOptions, path: string): RequestOptions {
  const { socket, cert } = options
  if (socket === '') {
    const { protocol, hostname, port, pathname } = new URL(path, url)
    return {
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: `${pathname}${new URL(path, url).search}`,
    }
  }
  const protocol = cert === '' ? 'http:' : 'https:'
  return { protocol, socketPath: socket, path: `${baseOf(options)}/${path}` }
}

async function send(options: RequestOptions, ask: () => Promise<void>): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  // The certificate need not match: it is for the public name, and this address comes from our own data folder.
  const request =
    options.protocol === 'https:' ? requestTls({ ...options, rejectUnauthorized: false }) : requestPlain(options)
  failWhenSilent(request, ask)
  request.on('response', resolve).on('error', reject).end()
  return await promise
}

async function valueOf(response: IncomingMessage): Promise<unknown> {
  const { statusCode = 0 } = response
  if (statusCode === 204) {
    response.resume()
    return undefined
  }
  const value = await json(response)
  if (statusCode < 400) return value
  const { error } = value as { error: { code: ErrorCode; message: string; details: ErrorDetails } }
  throw new FilemgrError(error.code, error.message, error.details)
}

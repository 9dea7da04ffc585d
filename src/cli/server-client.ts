import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { Option } from 'commander'
import { type ErrorCode, fail, FilemgrError, isFilemgrError } from '../domain/errors.ts'
import { encodeName } from '../domain/files/name-text.ts'
import { readTextFile } from '../platform/text/read-text-file.ts'
import { isRecord } from '../domain/schema/schema-tools.ts'
import { parseJson } from '../domain/schema/parse-value.ts'
import { segmentsOf, parseVirtualPath } from '../domain/files/virtual-path.ts'
import { environmentValue } from '../options/environment.ts'
import { exchange, requestTo } from './http-exchange.ts'
import type { Invocation, Terminal } from './program/command.ts'
import { unreadable } from './program/named-files.ts'
import { readLineOf } from './program/prompts.ts'

/** The flags of every command that talks to a server by its API. */
export function remoteOptions(): Option[] {
  return [
    new Option('--url <url>', 'address of the server (default: FILEMGR_URL)'),
    new Option('--token-file <file>', 'file with an API token in its first line'),
    new Option('--token <token>', 'API token; visible in the process list, prefer --token-file or FILEMGR_TOKEN'),
  ]
}

export interface RemoteRequest {
  readonly method: 'GET' | 'POST'
  /** Such as "resources". */
  readonly call: string
  /** A path of the user. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: Readable
}

/** A server, reached by its public API with an API token. */
export interface Remote {
  /** The reply, if its status is a success. Its body must be read or destroyed. @throws the error that the server names */
  send(request: RemoteRequest): Promise<IncomingMessage>
}

/** @throws INVALID_INPUT without an address or a token */
export async function remoteOf(invocation: Invocation): Promise<Remote> {
  const base = await serverAddress(invocation)
  const token = await tokenOf(invocation)
  return {
    async send({ method, call, path, query = {}, headers = {}, body }) {
      const url = new URL(`api/${call}/${encoded(path)}`, base)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      const sent = await requestTo(url, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}`, accept: 'application/json' },
      })
      const reply = await exchange(sent, base, body)
      const { statusCode: status = 0 } = reply
      if (status !== 200 && status !== 201) return await refuse(reply, status, base)
      // Files are sent as bytes, whatever they contain.
      if (reply.headers['content-type']?.startsWith('text/html') !== true) return reply
      reply.destroy()
      return notServer(base)
    },
  }
}

function notServer({ origin, pathname }: URL): never {
  const message = `${origin}${pathname} is not the address of filemgr; give the one of its start page, such as https://files.example.com/`
  return fail('INVALID_INPUT', message, { field: 'url' })
}

/** The JSON of a reply. @throws UNAVAILABLE if it is none, or incomplete */
export async function jsonOf<Reply>(reply: IncomingMessage): Promise<Reply> {
  const text = await readAll(reply).catch(brokenOff)
  const parsed = parseJson(text)
  if (parsed === undefined) fail('UNAVAILABLE', 'the server did not answer like filemgr; check the address')
  return parsed as Reply
}

function brokenOff(error: unknown): never {
  if (isFilemgrError(error)) throw error
  return fail('UNAVAILABLE', 'the connection broke off', {}, { cause: error })
}

/** @returns the JSON of the reply. @throws like `Remote.send` */
export async function sendJson<Reply>(remote: Remote, call: string, path: string, request: object): Promise<Reply> {
  const body = Buffer.from(JSON.stringify(request))
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const reply = await remote.send({ method: 'POST', call, path, headers, body: Readable.from([body]) })
  return await jsonOf<Reply>(reply)
}

async function tokenOf({ values, terminal }: Invocation): Promise<string> {
  const { token, tokenFile } = values
  if (token !== undefined && tokenFile !== undefined)
    fail('INVALID_INPUT', 'use only one of --token and --token-file', { field: 'token' })
  const given = typeof tokenFile === 'string' ? await firstLineOf(tokenFile, terminal) : token
  const found = typeof given === 'string' ? given : environmentValue(terminal.env, 'TOKEN')?.text
  if (found === undefined) fail('INVALID_INPUT', 'no token: use --token-file or FILEMGR_TOKEN', { field: 'token' })
  if (!/^[\w.-]+$/.test(found)) fail('INVALID_INPUT', 'this is not an API token', { field: 'token' })
  return found
}

async function firstLineOf(name: string, { stdin, cwd }: Terminal): Promise<string> {
  if (name === '-') return await readLineOf(stdin, 'token-file')
  const path = resolve(cwd(), name)
  const text = await readTextFile(path).catch((error: unknown) => unreadable(path, error))
  return text.split(/\r?\n/, 1)[0]?.trim() ?? ''
}

/** Keeps a slash at the end, which names a folder. */
function encoded(path: string): string {
  const names = segmentsOf(parseVirtualPath(path)).map(encodeName).join('/')
  return path.endsWith('/') && names !== '' ? `${names}/` : names
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  // The reply for a missing download permission, as clients of File Browser expect it.
  202: 'FORBIDDEN',
  400: 'INVALID_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_REFUSED',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED',
  429: 'RATE_LIMITED',
  507: 'NO_SPACE',
}

async function refuse(reply: IncomingMessage, status: number, base: URL): Promise<never> {
  const { location } = reply.headers
  const isRedirect = status >= 300 && status < 400
  const text = await readAll(reply).catch(() => '')
  const parsed = parseJson(text)
  const error = isRecord(parsed) && isRecord(parsed['error']) ? parsed['error'] : {}
  // Calls of filemgr answer with JSON.
  if (status === 404 && error['code'] === undefined) notServer(base)
  const message =
    isRedirect && location !== undefined
      ? `the server redirects to ${location}; use that address`
      : typeof error['message'] === 'string'
        ? error['message']
        : status === 202
          ? 'the token does not have the permission to download'
          : `the server answered ${status}`
  throw new FilemgrError(CODES[status] ?? 'UNAVAILABLE', message)
}

/** With these, the addresses of screens and calls continue after the base path. */
const SCREENS = new Set(['api', 'files', 'share', 'settings', 'trash', 'help', 'login'])

/**
 * The address of the server, with a slash at its end. People also copy it from the browser, with what follows the base path; a
 * base path may have such a name too, so the server is asked.
 *
 * @throws INVALID_INPUT without a usable address, UNAVAILABLE
 */
async function serverAddress({ values, terminal }: Invocation): Promise<URL> {
  const { url } = values
  const text = typeof url === 'string' ? url : environmentValue(terminal.env, 'URL')?.text
  if (text === undefined) fail('INVALID_INPUT', 'no server: use --url or FILEMGR_URL', { field: 'url' })
  const given = URL.canParse(text) ? new URL(text) : undefined
  if (given === undefined || !/^https?:$/.test(given.protocol))
    fail('INVALID_INPUT', `--url takes an address such as https://files.example.com, not "${text}"`, { field: 'url' })
  const names = given.pathname.split('/').filter((name) => name !== '')
  const screens = [...names.keys()].filter((index) => SCREENS.has(names[index] ?? ''))
  if (screens.length === 0) return below(given, names)
  for (const length of [names.length, ...screens]) {
    const address = below(given, names.slice(0, length))
    if (await isServer(address)) return address
  }
  return below(given, names)
}

function below(address: URL, names: readonly string[]): URL {
  const cut = new URL(address)
  cut.pathname = names.map((name) => `${name}/`).join('')
  cut.search = ''
  cut.hash = ''
  return cut
}

/** @throws UNAVAILABLE if nothing answers */
async function isServer(address: URL): Promise<boolean> {
  const reply = await exchange(await requestTo(new URL('health/live', address), {}), address)
  return isRecord(parseJson(await readAll(reply)))
}

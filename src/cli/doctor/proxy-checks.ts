import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { formatByteSize } from '../../domain/text/units.ts'
import { advice, type Check, fault, type Finding, type DoctorContext, skip } from './doctor-context.ts'

const REPLY_TIMEOUT = 10_000

/** Whether the public address leads to this installation, with the right base URL. */
export const publicUrlCheck: Check = {
  name: 'public-url',
  title: 'Public address',
  async run({ url, isPublic, daemon, options: { baseURL } }: DoctorContext) {
    if (url === undefined) {
      const reason = daemon === undefined ? 'no daemon is running' : `the daemon listens on ${daemon.url}`
      return skip(`${reason}; to check the address that users open, use --url ADDRESS`)
    }
    if (!URL.canParse(url)) return [fault(`${url} is not a URL`, 'write it like https://files.example.org/')]
    const health = await get(`${url}health`, isPublic)
    if (typeof health === 'string') return [fault(`${url} does not respond: ${health}`, whereToLook(isPublic))]
    if (health.status === 503) {
      const problem = `${url} cannot serve its folder: it is missing, or its disk does not respond`
      return [fault(problem, 'mount the disk, or put the folder back')]
    }
    if (health.status !== 200 || !health.body.includes('"OK"')) {
      const path = new URL(url).pathname
      const base = `the base URL is "${baseURL}" here and "${path.replace(/\/$/, '')}" in the address`
      return [fault(`${url}health returned ${health.status}, so it is not filemgr`, `${base}: both must be the same`)]
    }
    return await pageFindings(url, isPublic, baseURL)
  },
}

function whereToLook(isPublic: boolean): string {
  return isPublic ? 'check the proxy, DNS and the firewall' : 'check the log: filemgr logs'
}

async function pageFindings(url: string, isPublic: boolean, baseURL: string): Promise<Finding[]> {
  const page = await get(url, isPublic)
  const actual = typeof page === 'string' ? undefined : /"BaseURL":"([^"]*)"/.exec(page.body)?.[1]
  const expected = new URL(url).pathname.replace(/\/$/, '')
  if (actual === undefined || actual === expected) return []
  const fix = `filemgr server set baseURL=${expected === '' ? '""' : expected}, or change the proxy`
  return [fault(`the page at ${url} loads its files from "${actual}" (base URL "${baseURL}")`, fix)]
}

/** A shorter network prefix covers far more addresses than an operator's own proxies. */
const MIN_PREFIX = { 4: 8, 6: 16 }

/** A client that can forge its address evades the rate limit for passwords, and forges the log. */
export const proxyHeadersCheck: Check = {
  name: 'proxy-headers',
  title: 'Proxies trusted to report client addresses',
  run({ options: { trustedProxies, address }, isPublic }: DoctorContext) {
    const wide = trustedProxies.filter(coversMostAddresses)
    if (wide.length > 0) return wide.map(tooWide)
    if (!isPublic || trustedProxies.length > 0 || !['127.0.0.1', '::1', 'localhost'].includes(address)) return []
    const problem =
      'all clients seem to have the address of the proxy, so one that guesses passwords slows down all others'
    return [advice(problem, 'filemgr server set trustedProxies=ADDRESS-OF-THE-PROXY')]
  },
}

function coversMostAddresses(range: string): boolean {
  const [address = '', bits] = range.split('/')
  const family = isIP(address)
  return (family === 4 || family === 6) && bits !== undefined && Number(bits) < MIN_PREFIX[family]
}

function tooWide(range: string): Finding {
  const problem = `X-Forwarded-For is trusted from ${range}, which is almost every address`
  return fault(problem, 'trust only the addresses of the proxies: filemgr server set trustedProxies=10.0.0.2')
}

const MEBIBYTE = 1024 * 1024
/** Few installations have larger upload chunks, and sending one would take long. */
const MAX_PROBE_SIZE = 64 * MEBIBYTE

/** Sends as much as the page does in one request, without a token: filemgr replies 401, a proxy with a lower limit 413. */
export const bodyLimitCheck: Check = {
  name: 'body-limit',
  title: 'Largest request that the proxy accepts',
  async run({ url, isPublic, store }: DoctorContext) {
    if (!isPublic || url === undefined) return skip('to check a proxy, use --url ADDRESS')
    const size = Math.min(store.document?.settings.tus.chunkSize ?? 10 * MEBIBYTE, MAX_PROBE_SIZE)
    const reply = await postZeros(`${url}api/resources/filemgr-doctor`, size)
    if (reply !== 413 && reply !== 'cut') return []
    const verb = reply === 'cut' ? 'cuts off' : 'refuses'
    const fix =
      'raise the limit of the proxy (nginx: client_max_body_size 0), or: filemgr settings set tus.chunkSize=1MiB'
    return [fault(`the proxy ${verb} requests of ${formatByteSize(size)}, so uploads fail`, fix)]
  },
}

/** The terminal needs a WebSocket, which many proxies pass only if configured to. */
export const webSocketCheck: Check = {
  name: 'websocket',
  title: 'WebSocket through the proxy',
  async run({ url, isPublic, options, token }: DoctorContext) {
    if (!options.enableExec) return skip('only the terminal needs it, which is off')
    if (!isPublic || url === undefined) return skip('to check a proxy, use --url ADDRESS')
    const adminToken = await token()
    if (adminToken === undefined) return skip('no daemon is running on this data folder')
    const status = await upgradeStatus(`${url}api/command/`, adminToken)
    if (status === 101) return []
    const fix = 'let the proxy pass it (nginx: proxy_http_version 1.1, and the headers Upgrade and Connection)'
    const reply = status === undefined ? 'gets no response' : `is refused with status ${status}`
    return [fault(`a WebSocket to ${url} ${reply}, so the terminal does not work`, fix)]
  },
}

/** The status of the response to an upgrade; undefined without one. */
async function upgradeStatus(address: string, token: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16, 'filemgr').toString('base64'),
    origin: new URL(address).origin,
    'x-auth': token,
  }
  const send = address.startsWith('https:') ? requestTls : requestPlain
  const request = send(address, { headers, signal: AbortSignal.timeout(REPLY_TIMEOUT) })
  request.on('upgrade', (response: IncomingMessage, socket: { destroy(): void }) => {
    socket.destroy()
    resolve(response.statusCode)
  })
  request.on('response', (response) => {
    response.destroy()
    resolve(response.statusCode)
  })
  request.on('error', () => resolve(undefined))
  request.end()
  return await promise
}

const MAX_BODY_SIZE = 256 * 1024

interface Reply {
  readonly status: number
  /** The start of the body. */
  readonly body: string
}

/**
 * Gets a URL within ten seconds. Returns the reply, or why there is none.
 *
 * @param isPublic false skips the check of the certificate, which is for the public name
 */
async function get(url: string, isPublic: boolean): Promise<Reply | string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = { signal: AbortSignal.timeout(REPLY_TIMEOUT), rejectUnauthorized: isPublic }
  const request = url.startsWith('https:') ? requestTls(url, options) : requestPlain(url, options)
  request.on('response', resolve).on('error', reject).end()
  try {
    const response = await promise
    const parts: Buffer[] = []
    let length = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      length += part.length
      if (length > MAX_BODY_SIZE) break
    }
    return { status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no response within ten seconds'
    return 'code' in error ? String(error.code) : error.message
  }
}

const UPLOAD_TIMEOUT = 30_000
const PART = 64 * 1024

/**
 * Posts `size` bytes and returns the status; "cut" if the connection ends meanwhile, undefined without a response. Sends
 * "Expect: 100-continue", so that most proxies refuse with a status before they cut the connection.
 */
async function postZeros(address: string, size: number): Promise<number | 'cut' | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | 'cut' | undefined>()
  const send = address.startsWith('https:') ? requestTls : requestPlain
  const request = send(address, {
    method: 'POST',
    headers: { 'content-length': size, expect: '100-continue' },
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT),
  })
  let isSending = false
  request.on('continue', () => {
    isSending = true
    Readable.from(zeros(size)).pipe(request)
  })
  request.on('response', ({ statusCode }) => {
    resolve(statusCode)
    request.destroy()
  })
  request.on('error', () => resolve(isSending ? 'cut' : undefined))
  request.flushHeaders()
  return await promise
}

function* zeros(size: number): Generator<Buffer> {
  for (let remaining = size; remaining > 0; remaining -= PART) yield Buffer.alloc(Math.min(remaining, PART))
}

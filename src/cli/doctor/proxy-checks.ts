import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { formatByteSize } from '../../domain/text/units.ts'
import { advice, type Check, fault, type Finding, type DoctorContext, skip } from './doctor-context.ts'

const ANSWER_PATIENCE = 10_000

/** The public address leads to this installation, base URL included. */
export const publicUrlCheck: Check = {
  name: 'public-url',
  title: 'Public address',
  async run({ url, isPublic, daemon, options: { baseURL } }: DoctorContext) {
    if (url === undefined) {
      const reason = daemon === undefined ? 'no daemon runs' : `the daemon listens on ${daemon.url}`
      return skip(`${reason}; with --url ADDRESS the way of its users is looked at`)
    }
    if (!URL.canParse(url)) return [fault(`${url} is no address`, 'write it as https://files.example.org/')]
    const health = await ask(`${url}health`, isPublic)
    if (typeof health === 'string') return [fault(`${url} does not answer: ${health}`, advise(isPublic))]
    if (health.status === 503) {
      const problem = `${url} cannot serve its folder: it is not there, or its disk does not answer`
      return [fault(problem, 'mount the disk, or bring the folder back')]
    }
    if (health.status !== 200 || !health.body.includes('"OK"')) {
      const path = new URL(url).pathname
      const base = `the base URL is "${baseURL}" here and "${path.replace(/\/$/, '')}" in the address`
      return [fault(`${url}health answers ${health.status}, which is not us`, `${base}: both must be the same`)]
    }
    return await pageFindings(url, isPublic, baseURL)
  },
}

function advise(isPublic: boolean): string {
  return isPublic ? 'look at the proxy in front, at DNS and at the firewall' : 'look at its log: filemgr logs'
}

async function pageFindings(url: string, isPublic: boolean, baseURL: string): Promise<Finding[]> {
  const page = await ask(url, isPublic)
  const told = typeof page === 'string' ? undefined : /"BaseURL":"([^"]*)"/.exec(page.body)?.[1]
  const expected = new URL(url).pathname.replace(/\/$/, '')
  if (told === undefined || told === expected) return []
  const fix = `filemgr server set baseURL=${expected === '' ? '""' : expected}, or change the proxy`
  return [fault(`the page at ${url} looks for its parts below "${told}" (base URL "${baseURL}")`, fix)]
}

/** Fewer bits than these are not the proxies of one house. */
const NARROWEST = { 4: 8, 6: 16 }

/** A client that can forge its address evades the rate limit for passwords and forges the log. */
export const proxyHeadersCheck: Check = {
  name: 'proxy-headers',
  title: 'Proxies that are trusted to name the address of a client',
  run({ options: { trustedProxies, address }, isPublic }: DoctorContext) {
    const wide = trustedProxies.filter(coversMostAddresses)
    if (wide.length > 0) return wide.map(tooWide)
    if (!isPublic || trustedProxies.length > 0 || !['127.0.0.1', '::1', 'localhost'].includes(address)) return []
    const problem =
      'behind a proxy all clients share its address, so one that guesses passwords slows down sign-in for all'
    return [advice(problem, 'filemgr server set trustedProxies=ADDRESS-OF-THE-PROXY')]
  },
}

function coversMostAddresses(range: string): boolean {
  const [address = '', bits] = range.split('/')
  const family = isIP(address)
  return (family === 4 || family === 6) && bits !== undefined && Number(bits) < NARROWEST[family]
}

function tooWide(range: string): Finding {
  const problem = `X-Forwarded-For is believed of ${range}, which is almost every address`
  return fault(problem, 'name the addresses of the proxies only: filemgr server set trustedProxies=10.0.0.2')
}

const MEBIBYTE = 1024 * 1024
/** Larger parts of uploads are chosen by few, and would take long to send. */
const LARGEST = 64 * MEBIBYTE

/** Sends what the page sends in one request, without a token: filemgr says 401, a proxy with a lower limit says 413. */
export const bodyLimitCheck: Check = {
  name: 'body-limit',
  title: 'Largest request that the proxy in front passes on',
  async run({ url, isPublic, store }: DoctorContext) {
    if (!isPublic || url === undefined) return skip('no proxy is known of; with --url ADDRESS one is asked')
    const size = Math.min(store.document?.settings.tus.chunkSize ?? 10 * MEBIBYTE, LARGEST)
    const answer = await postZeros(`${url}api/resources/filemgr-doctor`, size)
    if (answer !== 413 && answer !== 'cut') return []
    const done = answer === 'cut' ? 'cuts off' : 'refuses'
    const fix =
      'raise the limit of the proxy (nginx: client_max_body_size 0), or filemgr settings set tus.chunkSize=1MB'
    return [fault(`the proxy in front ${done} requests of ${formatByteSize(size)}, so uploads fail`, fix)]
  },
}

/** The terminal speaks over a WebSocket, which many proxies pass only when they are told to. */
export const webSocketCheck: Check = {
  name: 'websocket',
  title: 'WebSocket through the proxy in front',
  async run({ url, isPublic, options, token }: DoctorContext) {
    if (!options.enableExec) return skip('the terminal is off, and nothing else needs it')
    if (!isPublic || url === undefined) return skip('no proxy is known of; with --url ADDRESS one is asked')
    const mine = await token()
    if (mine === undefined) return skip('no daemon runs on this data folder')
    const status = await upgradeStatus(`${url}api/command/`, mine)
    if (status === 101) return []
    const fix = 'let the proxy pass it (nginx: proxy_http_version 1.1, and the headers Upgrade and Connection)'
    return [fault(`a WebSocket to ${url} is answered ${status ?? 'not at all'}, so there is no terminal`, fix)]
  },
}

/** What an upgrade is answered; undefined when nothing comes back. */
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
  const request = send(address, { headers, signal: AbortSignal.timeout(ANSWER_PATIENCE) })
  request.on('upgrade', (answer: IncomingMessage, socket: { destroy(): void }) => {
    socket.destroy()
    resolve(answer.statusCode)
  })
  request.on('response', (answer) => {
    answer.destroy()
    resolve(answer.statusCode)
  })
  request.on('error', () => resolve(undefined))
  request.end()
  return await promise
}

const LONGEST_BODY = 256 * 1024

interface Reply {
  readonly status: number
  /** The first part of it. */
  readonly body: string
}

/**
 * Asks an address, and gives up after ten seconds. What went wrong, where nothing came back.
 *
 * @param isPublic the certificate is not looked at otherwise: it is for the name that others use
 */
async function ask(url: string, isPublic: boolean): Promise<Reply | string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const how = { signal: AbortSignal.timeout(ANSWER_PATIENCE), rejectUnauthorized: isPublic }
  const request = url.startsWith('https:') ? requestTls(url, how) : requestPlain(url, how)
  request.on('response', resolve).on('error', reject).end()
  try {
    const answer = await promise
    const parts: Buffer[] = []
    let length = 0
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part)
      length += part.length
      if (length > LONGEST_BODY) break
    }
    return { status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer within ten seconds'
    return 'code' in error ? String(error.code) : error.message
  }
}

const SENDING_PATIENCE = 30_000
const PART = 64 * 1024

/**
 * Posts that many bytes and returns the status; `cut` when the connection ends while they are sent, undefined when nothing
 * comes back at all. Asks first whether they are wanted, so that most refusals are heard before the connection is cut.
 */
async function postZeros(address: string, size: number): Promise<number | 'cut' | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | 'cut' | undefined>()
  const send = address.startsWith('https:') ? requestTls : requestPlain
  const request = send(address, {
    method: 'POST',
    headers: { 'content-length': size, expect: '100-continue' },
    signal: AbortSignal.timeout(SENDING_PATIENCE),
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
  for (let left = size; left > 0; left -= PART) yield Buffer.alloc(Math.min(left, PART))
}

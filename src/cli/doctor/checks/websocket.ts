import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import { fault, skip, type Check, type Scene } from '../check.ts'

const PATIENCE = 10_000

/** The terminal speaks over a WebSocket, which many proxies pass only when they are told to. */
export const webSocketCheck: Check = {
  name: 'websocket',
  title: 'WebSocket through the proxy in front',
  async run({ url, isPublic, options, token }: Scene) {
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
  const request = send(address, { headers, signal: AbortSignal.timeout(PATIENCE) })
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

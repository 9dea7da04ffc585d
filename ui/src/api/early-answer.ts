/** What `early.js` has asked for before the scripts of the page were there. */
interface Early {
  readonly address: string
  readonly token: string
  readonly answer: Promise<Response>
}

declare global {
  var filemgrEarly: Early | undefined
}

/** The answer to this request, if it has been sent already; only once. Without a connection, the request is sent again. */
export function earlyAnswer(...request: Parameters<typeof fetch>): Promise<Response> | undefined {
  const [address, { method = 'GET', headers } = {}] = request
  const early = globalThis.filemgrEarly
  if (early === undefined || method !== 'GET' || address !== early.address) return undefined
  globalThis.filemgrEarly = undefined
  if (new Headers(headers).get('X-Auth') !== early.token) return undefined
  return early.answer.catch(async () => await fetch(...request))
}

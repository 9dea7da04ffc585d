import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { selfSigned } from '../self-signed.ts'
import { tempFolder } from '../temp-folder.ts'

/** A local captcha service with TLS. Stopped when disposed. */
export interface CaptchaService extends AsyncDisposable {
  /** The origin of the service. */
  readonly host: string
  /** The file with its certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly cert: string
  /** The captcha responses that it was asked to verify. */
  readonly asked: readonly string[]
  /** The paths that were requested. */
  readonly fetched: readonly string[]
}

/** Renders a button that solves the captcha as "solved <number>". Like a real one, it appears a while after its script. */
const SCRIPT = `setTimeout(() => {
  let solved = 0
  let value = ''
  window.grecaptcha = {
    render(place, { sitekey, theme, size }) {
      const box = document.createElement('button')
      box.type = 'button'
      box.textContent = ['I am a person', sitekey, theme, size].join(' ')
      box.onclick = () => { value = 'solved ' + ++solved; box.setAttribute('aria-pressed', 'true') }
      place.append(box)
      return 0
    },
    getResponse: () => value,
    reset: () => { value = ''; document.querySelector('[aria-pressed][type=button]:not([data-tooltip])')?.removeAttribute('aria-pressed') },
  }
}, 150)`

/** Every response is valid once, as with a real service. */
export async function startCaptchaService(): Promise<CaptchaService> {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder())
  const { cert, key } = selfSigned(folder)
  const [asked, fetched]: string[][] = [[], []]
  const server: Server = createServer({ cert: await readFile(cert), key: await readFile(key) }, (request, response) => {
    const path = request.url ?? ''
    if (request.method === 'GET') {
      fetched?.push(path)
      response.writeHead(200, { 'content-type': 'text/javascript', 'cross-origin-resource-policy': 'cross-origin' })
      return void response.end(SCRIPT)
    }
    void text(request).then((body) => {
      const answer = new URLSearchParams(body).get('response') ?? ''
      const success = /^solved \d+$/.test(answer) && !asked?.includes(answer)
      asked?.push(answer)
      response.end(JSON.stringify({ success }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  held.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const all = held.move()
  return {
    host,
    cert,
    asked: asked ?? [],
    fetched: fetched ?? [],
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

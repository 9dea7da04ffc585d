import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'

describe('the test browser', () => {
  it.each([
    ['throws', '<script>throw new Error("broken")</script>', /threw: broken/],
    ['logs an error', '<script>console.error("odd")</script>', /logged: odd/],
    [
      'asks another origin',
      '<img src="http://127.0.0.1:9/x.png" alt="">',
      /asked another origin: http:\/\/127.0.0.1:9/,
    ],
    [
      'breaks its policy',
      '<meta http-equiv="Content-Security-Policy" content="img-src \'none\'"><img src="/x.png">',
      /img-src/,
    ],
    ['gets an error that nobody expects', '<script>fetch("/404")</script>', /status of 404/],
  ])('fails the test of a page that %s', async (_, body, message) => {
    await using server = await serve(body)
    const visit = async () => {
      await using browser = await openBrowser(server.url)
      await browser.page.goto('/', { waitUntil: 'networkidle' })
    }
    await expect(visit()).rejects.toThrow(message)
  })

  it('accepts a healthy page and expected errors', async () => {
    await using server = await serve('<script>fetch("/404")</script>')
    await using browser = await openBrowser(server.url, { expectedStatuses: [404] })
    await browser.page.goto('/', { waitUntil: 'networkidle' })
    expect(await browser.page.title()).toBe('a page')
  })

  it('reports accessibility violations', async () => {
    await using server = await serve('<main><h1>Page</h1><input></main>')
    await using browser = await openBrowser(server.url)
    await browser.page.goto('/')
    expect(await accessibilityProblems(browser.page)).toEqual([expect.stringMatching(/^label: /)])
  })
})

async function serve(body: string): Promise<AsyncDisposable & { url: string }> {
  const page = `<!doctype html><html lang="en"><title>a page</title><link rel="icon" href="data:,">${body}</html>`
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/404' ? 404 : 200, { 'content-type': 'text/html' }).end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

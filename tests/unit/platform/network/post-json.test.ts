import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { postJson, isPublicAddress } from '../../../../src/platform/network/post-json.ts'

async function receiver(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}/hook`),
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const POST = { headers: {}, body: '{}', timeout: 10_000, isPrivateAllowed: true }

describe('a post of JSON', () => {
  it('returns the status and reads only a little of the answer', async () => {
    let sent = 0
    await using server = await receiver((_request, response) => {
      const write = (): void => {
        sent += 65_536
        if (!response.destroyed && response.write(Buffer.alloc(65_536))) setImmediate(write)
        else response.once('drain', write)
      }
      response.writeHead(202)
      response.once('close', () => (sent = -1))
      write()
    })
    expect(await postJson({ ...POST, url: server.url })).toEqual({ kind: 'answered', status: 202 })
    await expect.poll(() => sent).toBe(-1)
  })

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = []
    await using server = await receiver(({ url }, response) => {
      asked.push(url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await postJson({ ...POST, url: server.url })).toEqual({ kind: 'answered', status: 302 })
    expect(asked).toEqual(['/hook'])
  })

  it('ends when nobody answers, when it is cancelled, and when nobody listens', async () => {
    const stop = new AbortController()
    await using server = await receiver(() => stop.abort())
    const { url } = server
    expect(await postJson({ ...POST, url, signal: stop.signal })).toMatchObject({ kind: 'cancelled' })
    expect(await postJson({ ...POST, url, timeout: 50 })).toMatchObject({ kind: 'timeout' })
    await server[Symbol.asyncDispose]()
    expect(await postJson({ ...POST, url })).toEqual({ kind: 'unreachable', detail: 'ECONNREFUSED' })
  })

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '169.254.169.254'])(
    'does not reach the private address behind %s',
    async (host) => {
      let requests = 0
      await using server = await receiver((_request, response) => {
        requests += 1
        response.end()
      })
      const url = new URL(`http://${host}:${server.port}/`)
      expect(await postJson({ ...POST, url, isPrivateAllowed: false })).toMatchObject({ kind: 'private' })
      expect(requests).toBe(0)
    },
  )
})

describe('a public address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ...['10.1.2.3', '100.64.0.1', '127.1.2.3', '169.254.169.254', '172.16.0.1', '192.168.1.5', '0.0.0.0', '224.0.0.1'],
    ...['255.255.255.255', '::', '::1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', 'fe80::1', 'fd00::1', '2002:7f00:1::'],
    ...['2001:db8::1', 'example.org', ''],
  ])('is not %j', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmod, copyFile, readFile, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findingOn } from '../../../src/cli/doctor/folder-checks.ts'
import { inspectStore } from '../../../src/context/inspect-store.ts'
import type { ApiToken } from '../../../src/domain/accounts/api-token.ts'
import { ROOT } from '../../../src/domain/files/virtual-path.ts'
import type { TokenId, UserId } from '../../../src/domain/ids.ts'
import { selfSigned } from '../../helpers/self-signed.ts'
import { expectOnly, found, installation } from './installation.ts'
import { freePort } from '../../helpers/free-port.ts'

it('finds nothing in a sound installation', async () => {
  await using here = await installation()
  expect(found(await here.look())).toEqual({})
})

describe('the data folder', () => {
  it('open to others is named', async () => {
    await using here = await installation()
    await chmod(here.data, 0o755)
    expectOnly(await here.look(), 'data-folder', 'others can enter')
  })

  it('with a store that others can read is named, and stays as it is', async () => {
    await using here = await installation()
    await chmod(here.store, 0o644)
    expectOnly(await here.look(), 'data-folder', 'others can read')
    expectOnly(await here.look(), 'data-folder', 'others can read')
  })

  it('that is not there is named', async () => {
    await using here = await installation()
    const folder = here.at('nowhere')
    const names = Object.keys(found(await here.look({ folder, store: await inspectStore({ folder, url: '' }) })))
    expect(names).toEqual(['data-folder', 'store'])
  })
})

describe('the store', () => {
  it('that is damaged is named with the copy that is sound, and is not touched', async () => {
    await using here = await installation()
    await writeFile(here.store, '{"version":1')
    const { store: [finding] = [] } = found(await here.look())
    expect(finding).toMatchObject({ level: 'fault', fix: expect.stringContaining('store.json.1') as string })
    expect(await readFile(here.store, 'utf8')).toBe('{"version":1')
  })

  it('of a newer filemgr is named', async () => {
    await using here = await installation()
    const text = await readFile(here.store, 'utf8')
    await writeFile(here.store, text.replace('"version": 1', '"version": 99'))
    expectOnly(await here.look(), 'store', 'written by a newer filemgr')
  })

  it('that was set aside is advice', async () => {
    await using here = await installation()
    await copyFile(here.store, `${here.store}.corrupt-2026`)
    await chmod(`${here.store}.corrupt-2026`, 0o600)
    expectOnly(await here.look(), 'store', 'damaged store', 'advice')
  })
})

it('names a clock that is behind what was written before', async () => {
  await using here = await installation()
  const later = new Date(Date.now() + 3_600_000)
  await utimes(here.store, later, later)
  expectOnly(await here.look(), 'clock', 'the clock is behind')
})

it('names start-up values that cannot be', async () => {
  await using here = await installation()
  expectOnly(await here.look({ nextOptions: 'FILEMGR_PORT must be a number' }), 'start-up-values', 'FILEMGR_PORT')
  expectOnly(await here.look({}, { tokenExpirationTime: 'soon' }), 'start-up-values', '"soon"')
})

it('tells too little space from little', () => {
  expect(findingOn('/srv', 2 ** 40)).toEqual([])
  expect(findingOn('/srv', 500 * 2 ** 20)).toMatchObject([{ level: 'advice' }])
  expect(findingOn('/srv', 2 ** 20)).toMatchObject([
    { level: 'fault', problem: expect.stringContaining('1MB') as string },
  ])
})

it('names a port that is taken', async () => {
  await using here = await installation()
  await using other = await listening(createServer())
  expectOnly(await here.look({}, { port: other.port }), 'port', 'in use')
})

describe('TLS', () => {
  const DAY = 86_400_000

  it('is sound with a certificate and its key', async () => {
    await using here = await installation()
    expectOnly(await here.look({}, selfSigned(here)), 'tls', 'expires on', 'advice')
  })

  it('that has expired, or is not valid yet, is named', async () => {
    await using here = await installation()
    const pair = selfSigned(here)
    expectOnly(await here.look({ now: Date.now() + 9 * DAY }, pair), 'tls', 'expired on')
    const early = found(await here.look({ now: Date.now() - DAY }, pair))
    expect(early['tls']).toMatchObject([{ problem: expect.stringContaining('is not valid before') as string }])
  })

  it('with the key of another certificate, without one, or with no certificate at all is named', async () => {
    await using here = await installation()
    const [{ cert }, { key }] = [selfSigned(here), selfSigned(here, 'other')]
    const { tls } = found(await here.look({}, { cert, key }))
    expect(tls?.map(({ problem }) => problem)).toContainEqual(expect.stringContaining('is not the key of'))
    expectOnly(await here.look({}, { cert }), 'tls', 'only the certificate or only the key')
    expectOnly(await here.look({}, { cert: here.at('files/a.txt'), key }), 'tls', 'is not a PEM certificate')
  })
})

describe('headers of proxies', () => {
  it('accepted from anyone are named', async () => {
    await using here = await installation()
    expectOnly(
      await here.look({}, { trustedProxies: ['10.0.0.2', '0.0.0.0/0'] }),
      'proxy-headers',
      'almost every address',
    )
    expectOnly(await here.look({}, { trustedProxies: ['::/0'] }), 'proxy-headers', 'almost every address')
    expect(found(await here.look({}, { trustedProxies: ['10.0.0.0/8', 'fd00::/16'] }))).toEqual({})
  })
})

describe('accounts', () => {
  it('without a password are named', async () => {
    const users = [
      { id: 1, username: 'admin' },
      { id: 2, username: 'eve', password: '' },
    ]
    await using here = await installation({ users })
    expectOnly(await here.look(), 'accounts', 'the user eve has no password')
  })

  it('without an administrator are named', async () => {
    await using here = await installation({ users: [{ id: 1, username: 'bob', perm: {} }] })
    expectOnly(await here.look(), 'accounts', 'no account is an administrator')
  })

  it('that anybody may make, while others see everything, are advice', async () => {
    await using here = await installation({ settings: { signup: true, createUserDir: false } })
    expectOnly(await here.look(), 'sign-up', 'home folder', 'advice')
  })

  it('that nobody has to sign in to are named, unless only this machine reaches them', async () => {
    await using here = await installation({}, ({ settings }) => (settings.authMethod = 'noauth'))
    expectOnly(await here.look({}, { address: '0.0.0.0' }), 'sign-in', 'anyone who can reach 0.0.0.0')
    expect(found(await here.look())).toEqual({})
  })

  it('whose program to ask at sign-in is not there are named', async () => {
    await using here = await installation({}, ({ settings }) => {
      settings.authMethod = 'hook'
      settings.auth.command = ['/nowhere/check']
    })
    expectOnly(await here.look(), 'sign-in', '/nowhere/check is not an executable program')
  })
})

it('counts links without an end', async () => {
  const link = (hash: string, expire: number) => ({ hash, path: `/${hash}`, userID: 1, expire })
  const links = [link('aa', 0), link('bb', 4_000_000_000)]
  await using here = await installation({ links })
  expectOnly(await here.look(), 'shares', '1 link never expires (1 without a password)', 'advice')
})

it('counts API tokens that nobody has used for long', async () => {
  const token = (letter: string, more: Partial<ApiToken>): ApiToken => ({
    ...{ id: letter.repeat(12) as TokenId, userId: 1 as UserId, name: letter, hash: letter.repeat(64) },
    ...{ permissions: [], path: ROOT, created: 0, expires: 0, lastUsed: 0, ...more },
  })
  const tokens = [token('a', {}), token('b', { lastUsed: Date.now() }), token('c', { expires: 1 })]
  await using here = await installation({}, (document) => void (document.tokens = tokens))
  expectOnly(await here.look(), 'tokens', '1 API token was not used for 90 days', 'advice')
})

it('says which helpers are missing', async () => {
  await using here = await installation()
  const { tools } = found(await here.look({ programs: here.at('files') }))
  expect(tools?.map(({ problem }) => /ffmpeg|HEIC/.exec(problem)?.[0])).toEqual(['ffmpeg', 'HEIC'])
})

describe('an address behind a proxy', () => {
  it('that nobody answers at is named', async () => {
    await using here = await installation()
    const port = await freePort()
    const examined = await here.look({ url: `http://127.0.0.1:${port}/`, isPublic: true })
    expect(found(examined)['public-url']).toMatchObject([
      { problem: expect.stringContaining('ECONNREFUSED') as string },
    ])
  })

  it('that another program answers at is named', async () => {
    await using here = await installation()
    await using other = await listening(createServer((_, answer) => answer.end('It works!')))
    const { 'public-url': findings } = found(await here.look({ url: other.url, isPublic: true }))
    expect(findings).toMatchObject([{ problem: expect.stringContaining('so it is not filemgr') as string }])
  })

  it('whose proxy passes no WebSocket is named, when there is a terminal', async () => {
    await using here = await installation()
    const server = createServer((_, answer) => answer.writeHead(400).end())
    await using deaf = await listening(server)
    const context = { url: deaf.url, isPublic: true }
    const { websocket } = found(await here.look(context, { enableExec: true }))
    expect(websocket).toMatchObject([{ problem: expect.stringContaining('is refused with status 400') as string }])
    server.on('upgrade', (_, socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    })
    expect(found(await here.look(context, { enableExec: true }))['websocket']).toBeUndefined()
  })
})

async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

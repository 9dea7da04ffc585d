import { X509Certificate } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmod, copyFile, readFile, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findingOn } from '../../../src/cli/doctor/folder-checks.ts'
import { inspectStore } from '../../../src/upkeep/inspect-store.ts'
import type { ApiToken } from '../../../src/domain/accounts/api-token.ts'
import { ROOT, type VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import type { Grant } from '../../../src/domain/shares/grant.ts'
import { type Group, NO_GROUP_PERMISSIONS } from '../../../src/domain/accounts/group.ts'
import type { GrantId, GroupId, ShareHash, TokenId, UserId } from '../../../src/domain/ids.ts'
import { selfSigned } from '../../helpers/self-signed.ts'
import { expectOnly, found, installation } from './installation.ts'
import { freePort } from '../../helpers/free-port.ts'

it('finds nothing in a sound installation', async () => {
  await using here = await installation()
  expect(found(await here.examine())).toEqual({})
})

describe('the data folder', () => {
  it('is reported if other accounts can enter it', async () => {
    await using here = await installation()
    await chmod(here.data, 0o755)
    expectOnly(await here.examine(), 'data-folder', 'others can enter')
  })

  it('is reported, and stays as it is, if other accounts can read the store', async () => {
    await using here = await installation()
    await chmod(here.store, 0o644)
    expectOnly(await here.examine(), 'data-folder', 'others can read')
    expectOnly(await here.examine(), 'data-folder', 'others can read')
  })

  it('is reported if it is missing', async () => {
    await using here = await installation()
    const folder = here.at('nowhere')
    const names = Object.keys(found(await here.examine({ folder, store: await inspectStore({ folder, url: '' }) })))
    expect(names).toEqual(['data-folder', 'store'])
  })
})

describe('the store', () => {
  it('is reported if it is damaged, with the sound copy, and is not touched', async () => {
    await using here = await installation()
    await writeFile(here.store, '{"version":1')
    const { store: [finding] = [] } = found(await here.examine())
    expect(finding).toMatchObject({ level: 'fault', fix: expect.stringContaining('store.json.1') as string })
    expect(await readFile(here.store, 'utf8')).toBe('{"version":1')
  })

  it('is reported if a newer filemgr wrote it', async () => {
    await using here = await installation()
    const text = await readFile(here.store, 'utf8')
    await writeFile(here.store, text.replace('"version": 1', '"version": 99'))
    expectOnly(await here.examine(), 'store', 'written by a newer filemgr')
  })

  it('that was set aside as damaged is reported as advice', async () => {
    await using here = await installation()
    await copyFile(here.store, `${here.store}.corrupt-2026`)
    await chmod(`${here.store}.corrupt-2026`, 0o600)
    expectOnly(await here.examine(), 'store', 'damaged store', 'advice')
  })
})

it('reports a clock that is behind the time of an earlier write', async () => {
  await using here = await installation()
  const later = new Date(Date.now() + 3_600_000)
  await utimes(here.store, later, later)
  expectOnly(await here.examine(), 'clock', 'the clock is behind')
})

it('reports invalid start-up values', async () => {
  await using here = await installation()
  expectOnly(await here.examine({ nextOptions: 'FILEMGR_PORT must be a number' }), 'start-up-values', 'FILEMGR_PORT')
  expectOnly(await here.examine({}, { tokenExpirationTime: 'soon' }), 'start-up-values', '"soon"')
})

it('reports little free space as advice, and too little as a fault', () => {
  expect(findingOn('/srv', 2 ** 40)).toEqual([])
  expect(findingOn('/srv', 500 * 2 ** 20)).toMatchObject([{ level: 'advice' }])
  expect(findingOn('/srv', 2 ** 20)).toMatchObject([
    { level: 'fault', problem: expect.stringContaining('1MiB') as string },
  ])
})

it('reports a port that is in use', async () => {
  await using here = await installation()
  await using other = await listening(createServer())
  expectOnly(await here.examine({}, { port: other.port }), 'port', 'in use')
})

describe('TLS', () => {
  const DAY = 86_400_000

  it('has no fault with a certificate and its key', async () => {
    await using here = await installation()
    const pair = selfSigned(here)
    const { validToDate } = new X509Certificate(await readFile(pair.cert))
    expect(found(await here.examine({}, pair))).toEqual({})
    const soon = validToDate.getTime() - DAY
    expectOnly(await here.examine({ now: soon }, pair), 'tls', 'expires on', 'advice')
  })

  it('is reported if the certificate has expired or is not valid yet', async () => {
    await using here = await installation()
    const pair = selfSigned(here)
    const { validFromDate, validToDate } = new X509Certificate(await readFile(pair.cert))
    expectOnly(await here.examine({ now: validToDate.getTime() + DAY }, pair), 'tls', 'expired on')
    const early = found(await here.examine({ now: validFromDate.getTime() - DAY }, pair))
    expect(early['tls']).toMatchObject([{ problem: expect.stringContaining('is not valid before') as string }])
  })

  it('is reported if the key is missing or of another certificate, or the certificate file holds none', async () => {
    await using here = await installation()
    const [{ cert }, { key }] = [selfSigned(here), selfSigned(here, 'other')]
    const { tls } = found(await here.examine({}, { cert, key }))
    expect(tls?.map(({ problem }) => problem)).toContainEqual(expect.stringContaining('is not the key of'))
    expectOnly(await here.examine({}, { cert }), 'tls', 'only the certificate or only the key')
    expectOnly(await here.examine({}, { cert: here.at('files/a.txt'), key }), 'tls', 'is not a PEM certificate')
  })
})

describe('headers of proxies', () => {
  it('are reported if they are accepted from almost every address', async () => {
    await using here = await installation()
    expectOnly(
      await here.examine({}, { trustedProxies: ['10.0.0.2', '0.0.0.0/0'] }),
      'proxy-headers',
      'almost every address',
    )
    expectOnly(await here.examine({}, { trustedProxies: ['::/0'] }), 'proxy-headers', 'almost every address')
    expect(found(await here.examine({}, { trustedProxies: ['10.0.0.0/8', 'fd00::/16'] }))).toEqual({})
  })
})

describe('accounts', () => {
  it('are reported if one has no password', async () => {
    const users = [
      { id: 1, username: 'admin' },
      { id: 2, username: 'eve', password: '' },
    ]
    await using here = await installation({ users })
    expectOnly(await here.examine(), 'accounts', 'the user eve has no password')
  })

  it('are reported if none is an administrator', async () => {
    await using here = await installation({ users: [{ id: 1, username: 'bob', perm: {} }] })
    expectOnly(await here.examine(), 'accounts', 'no account is an administrator')
  })

  it('are reported as advice if only case distinguishes their names', async () => {
    const users = ['admin', 'Max', 'MAX'].map((username, index) => ({ id: index + 1, username }))
    await using here = await installation({ users })
    expectOnly(await here.examine(), 'accounts', 'Max, MAX', 'advice')
  })

  it('are reported as advice if anyone may sign up and see all files', async () => {
    await using here = await installation({ settings: { signup: true, createUserDir: false } })
    expectOnly(await here.examine(), 'sign-up', 'home folder', 'advice')
  })

  it('are reported if nobody has to sign in, unless only this machine can connect', async () => {
    await using here = await installation({}, ({ settings }) => (settings.authMethod = 'noauth'))
    expectOnly(await here.examine({}, { address: '0.0.0.0' }), 'sign-in', 'anyone who can reach 0.0.0.0')
    expect(found(await here.examine())).toEqual({})
  })

  it('are reported if the program that checks sign-ins is missing', async () => {
    await using here = await installation({}, ({ settings }) => {
      settings.authMethod = 'hook'
      settings.auth.command = ['/nowhere/check']
    })
    expectOnly(await here.examine(), 'sign-in', '/nowhere/check is not an executable program')
  })
})

it('counts links that never expire', async () => {
  const link = (hash: string, expire: number) => ({ hash, path: `/${hash}`, userID: 1, expire })
  const links = [link('aa', 0), link('bb', 4_000_000_000)]
  await using here = await installation({ links })
  const { shares } = found(await here.examine())
  expect(shares).toMatchObject([{ level: 'advice', problem: '1 link never expires (1 without a password)' }])
})

it('names what is shared without an owner, a recipient or a file', async () => {
  const grant = (id: string, more: Partial<Grant>): Grant => ({
    id: id.replace('.', '').padEnd(16, '-') as GrantId,
    owner: 1 as UserId,
    name: id,
    path: `/${id}` as VirtualPath,
    scope: ROOT,
    target: { device: '1', inode: '1', birth: '1' },
    to: { user: 2 as UserId },
    allows: 'view',
    created: 0,
    expires: 0,
    ...more,
  })
  const users = ['admin', 'bob'].map((username, index) => ({ id: index + 1, username }))
  await using here = await installation({ users }, (document) => {
    const orphan = { hash: 'orphan' as ShareHash, path: '/a.txt', userID: 9 as UserId, expire: 4_000_000_000 }
    document.shares = [{ ...orphan, scope: ROOT, created: 0, openings: 0, lastOpened: 0 }]
    document.grants = [
      grant('gone', {}),
      grant('a.txt', {}),
      grant('expired', { expires: 1 }),
      grant('unowned', { owner: 9 as UserId }),
      grant('unreceived', { to: { user: 9 as UserId } }),
      grant('crewless', { to: { group: 'crew' as GroupId } }),
    ]
  })
  const { shared } = found(await here.examine())
  expect(shared?.map(({ problem }) => problem)).toEqual([
    'the link to /a.txt has no owner any more',
    'what admin shares inside at /gone shows nothing: nothing is at its path',
    'what admin shares inside at /a.txt shows nothing: another file or folder is at its path',
    'what is shared inside at /unowned has no owner any more',
    'what admin shares inside at /unreceived is for a user that does not exist any more',
    'what admin shares inside at /crewless is for a group that does not exist any more',
  ])
  expect(shared?.map(({ fix }) => fix)).toContain('filemgr grants rm unowned---------')
})

it('counts API tokens that were not used for a long time', async () => {
  const token = (letter: string, more: Partial<ApiToken>): ApiToken => ({
    id: letter.repeat(12) as TokenId,
    userId: 1 as UserId,
    name: letter,
    hash: letter.repeat(64),
    permissions: [],
    path: ROOT,
    created: 0,
    expires: 0,
    lastUsed: 0,
    ...more,
  })
  const tokens = [token('a', {}), token('b', { lastUsed: Date.now() }), token('c', { expires: 1 })]
  await using here = await installation({}, (document) => void (document.tokens = tokens))
  expectOnly(await here.examine(), 'tokens', '1 API token was not used for 90 days', 'advice')
})

it('names groups without members, and those that give nothing', async () => {
  const group = (name: string, more: Partial<Group>): Group => ({
    id: name as GroupId,
    name,
    perm: NO_GROUP_PERMISSIONS,
    rules: [],
    permissionRules: [],
    places: [],
    quota: 0,
    quotaFiles: 0,
    members: [1 as UserId],
    ...more,
  })
  const groups = [group('empty', { members: [], quota: 1 }), group('silent', {}), group('good', { quota: 1 })]
  await using here = await installation({}, (document) => void (document.groups = groups))
  expect(found(await here.examine())['groups']?.map(({ problem }) => problem)).toEqual([
    'the group empty has no members',
    'the group silent gives nothing',
  ])
})

it('reports which helper programs are missing', async () => {
  await using here = await installation()
  const { tools } = found(await here.examine({ programs: here.at('files') }))
  expect(tools?.map(({ problem }) => /ffmpeg|HEIC|PDF/.exec(problem)?.[0])).toEqual(['ffmpeg', 'HEIC', 'PDF'])
})

describe('an address behind a proxy', () => {
  it('is reported if nothing answers there', async () => {
    await using here = await installation()
    const port = await freePort()
    const examined = await here.examine({ url: `http://127.0.0.1:${port}/`, isPublic: true })
    expect(found(examined)['public-url']).toMatchObject([
      { problem: expect.stringContaining('ECONNREFUSED') as string },
    ])
  })

  it('is reported if another program answers there', async () => {
    await using here = await installation()
    await using other = await listening(createServer((_, answer) => answer.end('It works!')))
    const { 'public-url': findings } = found(await here.examine({ url: other.url, isPublic: true }))
    expect(findings).toMatchObject([{ problem: expect.stringContaining('so it is not filemgr') as string }])
  })

  it('is reported if the proxy passes no WebSocket and the terminal is enabled', async () => {
    await using here = await installation()
    const server = createServer((_, answer) => answer.writeHead(400).end())
    await using proxy = await listening(server)
    const context = { url: proxy.url, isPublic: true }
    const { websocket } = found(await here.examine(context, { enableExec: true }))
    expect(websocket).toMatchObject([{ problem: expect.stringContaining('is refused with status 400') as string }])
    server.on('upgrade', (_, socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    })
    expect(found(await here.examine(context, { enableExec: true }))['websocket']).toBeUndefined()
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

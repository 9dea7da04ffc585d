import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendToLink } from '../../../src/api/shares/public.ts'
import { OPERATIONS } from '../../../src/api/index.ts'
import type { Operation } from '../../../src/api/operation.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { NewApiToken } from '../../../src/domain/accounts/api-token.ts'
import { testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const SECRET = 'text outside of the scope'
const NFC = '\u00e9.txt'
const NFD = 'e\u0301.txt'

/** Its wildcard is the hash of a share, not a path. */
const isHash = ({ id }: Operation) => id === 'shares.remove' || id === 'public.link'
/** Checks the path only when a command comes over the socket: tests/api/automation/terminal.test.ts covers that. */
const isTerminal = ({ id }: Operation) => id === 'terminal.open'
/** create-many.test.ts and change-many.test.ts send them such paths, in the address and in the body. */
const isForMany = ({ id }: Operation) => id === 'files.createMany' || id === 'files.changeMany'
const WITH_PATH = OPERATIONS.filter(
  (operation) => operation.path.endsWith('/*') && !isHash(operation) && !isTerminal(operation) && !isForMany(operation),
)
/** Answers with an empty result for a missing path. */
const isSearch = ({ id }: Operation) => id === 'search.run' || id === 'shares.ofPath'
/** Needs an upload under way, and there is none. */
const isUpload = ({ id, path }: Operation) => id.startsWith('uploads.') || path === sendToLink.path
const READING = WITH_PATH.filter(
  (operation) => operation.method === 'GET' && !isSearch(operation) && !isUpload(operation),
)
const MAKING = WITH_PATH.filter(({ id }) => id === 'files.create')

/** What else a request of an operation needs. */
const QUERIES: Readonly<Record<string, string>> = { 'files.transfer': '?action=rename&destination=%2Fmoved' }
const BODIES: Readonly<Record<string, string>> = {
  'shares.create': '{}',
  'files.planRenames': '{"pattern":{"template":"x{n}"}}',
  'files.renameMany': '{"pattern":{"template":"x{n}"}}',
  'downloads.select': '{"files":["a.txt"]}',
  'public.select': '{"files":["a.txt"]}',
  'archives.extract': '{"destination":"/dir"}',
  'pictures.edit': '{"turns":1}',
  'archives.compress': '{"names":["a.txt"],"destination":"/dir/a.zip"}',
}
const PERMISSIONS = { create: true, modify: true, rename: true, delete: true, download: true, share: true }

interface World extends AsyncDisposable {
  readonly server: TestApp
  readonly ann: Client
  /** The hash of a public link to all her files. */
  readonly hash: string
  /** An API token of ann, only for her folder "dir". */
  readonly token: string
}

async function openWorld(): Promise<World> {
  const server = await testApp({
    files: { 'home/dir/a.txt': 'inside', [`home/${NFC}`]: 'composed', 'outside/secret.txt': SECRET },
  })
  await symlink('../outside/secret.txt', join(server.root, 'home/link'))
  await symlink('../outside', join(server.root, 'home/linkdir'))
  const ann = await server.user('ann', PERMISSIONS, { scope: '/home' })
  const share = await ann.ask('POST', '/api/share/', { payload: '{"terms":{"allows":"both"}}' })
  const { apiTokens, users } = server.context.services
  const order = {
    name: 'dir',
    permissions: ['download', 'create', 'modify', 'rename', 'delete', 'share'],
    path: '/dir',
  }
  const made = await apiTokens.create(OPERATOR, order as NewApiToken, { owner: users.find('ann').id })
  return {
    server,
    ann,
    token: made.token,
    hash: share.json<{ hash: string }>().hash,
    async [Symbol.asyncDispose]() {
      const outside = join(server.root, 'outside')
      const remaining = [await readdir(outside), await readFile(join(outside, 'secret.txt'), 'utf8')]
      await server[Symbol.asyncDispose]()
      expect(remaining, 'nothing outside of the scope may change').toEqual([['secret.txt'], SECRET])
    },
  }
}

/** One world for all tests of a group: none of them changes it. */
function sharedWorld(): () => World {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(async () => await world[Symbol.asyncDispose]())
  return () => world
}

const send = async (
  { id, method, path, access }: Operation,
  { server, ann, hash }: World,
  encoded: string,
  token = ann.token,
) => {
  const address = path.replace(':size', 'thumb').replace('*', access === 'share' ? `${hash}/${encoded}` : encoded)
  const payload = BODIES[id] ?? 'written'
  return await server.askExactly(method, `${address}${QUERIES[id] ?? ''}`, {
    headers: { 'x-auth': token, ...((id === 'uploads.begin' || id === sendToLink.id) && { 'upload-length': '7' }) },
    ...(method === 'POST' || method === 'PUT' ? { payload } : {}),
  })
}

describe.each(WITH_PATH)('$method $path', (operation) => {
  const world = sharedWorld()

  it.each([
    '../outside/secret.txt',
    '..%2Foutside%2Fsecret.txt',
    '%2e%2e/outside/secret.txt',
    '%2E%2E%2Foutside%2fsecret.txt',
    'dir/../../outside/secret.txt',
    'dir%2F..%2F..%2Foutside/secret.txt',
    './dir/a.txt',
    'dir//a.txt',
    '%2Fdir/a.txt',
  ])('redirects %s to its plain form and does nothing', async (path) => {
    const answer = await send(operation, world(), path)
    expect([answer.statusCode, answer.body]).toEqual([301, ''])
    expect(answer.headers.location).not.toMatch(/\.\.|\/\//)
  })

  it.each(['a%00.txt', 'dir%00/a.txt', 'x'.repeat(256), '%C3%A9'.repeat(128), `${'a/'.repeat(2500)}b`])(
    'refuses %.20s, which is no valid name',
    async (path) => {
      expect((await send(operation, world(), path)).statusCode).toBe(400)
    },
  )

  it.each(['a%zz', '%', '%ff%zz'])('refuses %s, which is not percent-encoded properly', async (path) => {
    expect((await send(operation, world(), path)).statusCode).toBe(400)
  })

  it.each(['%ff.txt', '%c0%ae%c0%ae%c0%afsecret.txt', 'caf%E9.txt'])(
    'makes nothing named %s, which is not UTF-8',
    async (path) => {
      const answer = await send(operation, world(), path)
      expect(isSearch(operation) ? [200] : [400, 404]).toContain(answer.statusCode)
      expect(answer.body).not.toContain(SECRET)
    },
  )

  it.each(['link', 'linkdir/secret.txt'])('does not follow %s out of the scope', async (path) => {
    const answer = await send(operation, world(), path)
    const refusals = isUpload(operation) ? [403, 404, 409] : [403, 409]
    // It stores the file beside the link, under a numbered name, and accepts names only.
    if (operation.id === sendToLink.id) refusals.push(201, 400)
    expect(isSearch(operation) ? [200] : refusals).toContain(answer.statusCode)
    expect(answer.body).not.toContain(SECRET)
  })

  it('does not take a slash that is encoded twice for a separator', async () => {
    const answer = await send(operation, world(), '..%252Foutside%252Fsecret.txt')
    const made = operation.id === 'uploads.begin' || operation.id === sendToLink.id ? 201 : 404
    expect(answer.statusCode).toBe(operation.id === 'files.create' || isSearch(operation) ? 200 : made)
    expect(answer.body).not.toContain(SECRET)
  })
})

describe.each(READING)('$method $path', (operation) => {
  const world = sharedWorld()

  it('takes an encoded slash for a separator', async () => {
    expect((await send(operation, world(), 'dir%2Fa.txt')).statusCode).not.toBe(404)
  })

  it('takes a backslash for a part of a name', async () => {
    expect((await send(operation, world(), 'dir%5Ca.txt')).statusCode).toBe(404)
    expect((await send(operation, world(), '..%5Coutside%5Csecret.txt')).statusCode).toBe(404)
  })

  it('does not find a name in another Unicode form', async () => {
    expect((await send(operation, world(), encodeURIComponent(NFC))).statusCode).not.toBe(404)
    expect((await send(operation, world(), encodeURIComponent(NFD))).statusCode).toBe(404)
  })

  it('accepts a name of 255 bytes', async () => {
    expect((await send(operation, world(), 'x'.repeat(255))).statusCode).toBe(404)
  })
})

describe.each(MAKING)('$method $path', (operation) => {
  it.each([
    ['a backslash', 'a\\b.txt'],
    ['another Unicode form', NFD],
    ['255 bytes', 'x'.repeat(255)],
    ['a percent sign', '100%.txt'],
    ['what looks like an escape', '%41'],
  ])('keeps the bytes of a new name with %s', async (_, name) => {
    await using world = await openWorld()
    expect((await send(operation, world, encodeURIComponent(name))).statusCode).toBe(200)
    const home = join(world.server.root, 'home')
    expect((await readdir(home)).includes(name)).toBe(true)
    expect(await readFile(join(home, NFC), 'utf8')).toBe('composed')
  })

  it.each(['a%0Ab', 'a%1B[0m', 'a%7Fb'])('refuses control characters in the new name %s', async (path) => {
    await using world = await openWorld()
    expect((await send(operation, world, path)).statusCode).toBe(400)
  })
})

describe('the destination of a copy or move', () => {
  const transfer = async ({ server, ann }: World, action: string, destination: string) =>
    await server.askExactly(
      'PATCH',
      `/api/resources/dir/a.txt?action=${action}&override=true&destination=${destination}`,
      {
        headers: { 'x-auth': ann.token },
      },
    )

  it.each(['copy', 'rename'])('of a %s is resolved inside the scope', async (action) => {
    await using world = await openWorld()
    const answer = await transfer(world, action, '%2F..%2F..%252Foutside%252F..%252Foutside%252Fsecret.txt')
    expect(answer.statusCode).toBe(200)
    expect(await readFile(join(world.server.root, 'home/outside/secret.txt'), 'utf8')).toBe('inside')
  })

  it.each([
    ['copy', '%2Flink', 403],
    ['copy', '%2Flinkdir%2Fsecret.txt', 403],
    ['rename', '%2Flink', 403],
    ['rename', '%2Flinkdir%2Fsecret.txt', 403],
    ['copy', '%2Flinkdir%2Fnew', 403],
    ['rename', '%2Fa%2500b', 400],
    ['rename', '%2Fa%250Ab', 400],
    ['rename', '%2F50%2525%2520%25zz', 400],
    ['copy', '%2F.filemgr-trash%2F1', 403],
    ['copy', '%2F.FILEMGR-tra%25C5%25BFh%2F1', 403],
    ['copy', '%2F.file%25E2%2580%258Bmgr-trash%2F1', 403],
    ['copy', '%2F%25E2%2580%258B.filemgr-trash%2F1', 403],
    ['rename', '%2F', 403],
    ['rename', '', 403],
  ])('of a %s is refused: %s', async (action, destination, status) => {
    await using world = await openWorld()
    expect((await transfer(world, action, destination)).statusCode).toBe(status)
    expect(await readFile(join(world.server.root, 'home/dir/a.txt'), 'utf8')).toBe('inside')
  })
})

describe.each(WITH_PATH.filter(({ access }) => access !== 'share'))('$method $path with an API token', (operation) => {
  const world = sharedWorld()

  it.each(['%C3%A9.txt', 'dir2', 'link'])('does not reach %s outside its folder', async (path) => {
    const answer = await send(operation, world(), path, world().token)
    expect([answer.statusCode, answer.body]).toEqual(
      isSearch(operation) ? [200, expect.stringMatching(/^(\[\])?\s*$/)] : [403, expect.anything()],
    )
  })
})

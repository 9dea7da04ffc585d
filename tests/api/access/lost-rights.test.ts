import { readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { NO_ROOT } from '../../../src/domain/accounts/place.ts'
import type { User } from '../../../src/domain/accounts/user.ts'
import { FILES_ROOT } from '../../../src/domain/server/root.ts'
import { NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { ShareHash } from '../../../src/domain/ids.ts'
import type { Job } from '../../../src/domain/automation/job.ts'
import { openRequest, type OpenRequest } from '../../helpers/api/open-request.ts'
import { announce } from '../../helpers/api/send-files.ts'
import { openTerminal } from '../../helpers/api/open-terminal.ts'
import { shareOf } from '../../helpers/api/shared.ts'
import { testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

/** Each kind of work that runs or waits for long, against each way to lose the right to it in the meantime. */

const MAY = { create: true, rename: true, modify: true, delete: true, download: true, share: true, execute: true }
const ASYNC = { headers: { prefer: 'respond-async' } }
const DENY = { regex: false, allow: false, path: '/box', regexp: null }

/** Bytes: sparse, so that it costs no room; hours of work where it is read. */
const HUGE = 200_000_000_000
/** Bytes: more than all buffers between the file and a client that does not read. */
const LARGE = 64 * 1024 * 1024

interface World {
  readonly server: TestApp
  readonly bob: Client
}

/** Work that was begun. */
interface Begun {
  /** How it ends: "refused", and why; anything else is a fault. */
  readonly outcome: Promise<string>
}

type Begin = (world: World) => Promise<Begun>

/** How a request ends whose reply has not begun, or of which the rest was cut off. */
async function outcomeOf(request: OpenRequest): Promise<string> {
  const answer = await request.answer.catch(() => undefined)
  if (answer === undefined) return 'no answer'
  if ((answer.statusCode ?? 0) >= 400) return `refused ${answer.statusCode} ${await text(answer).catch(() => '')}`
  answer.on('error', () => undefined).resume()
  return (await request.ended) ? `complete ${answer.statusCode}` : 'refused, cut off'
}

const upload =
  (method: string, path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Begin =>
  async ({ server, bob }) => {
    const request = await openRequest(server.app, bob, method, path, { body, headers })
    return { outcome: outcomeOf(request) }
  }

const download =
  (path: string): Begin =>
  async ({ server, bob }) => {
    const request = await openRequest(server.app, bob, 'GET', path)
    expect((await request.answer).statusCode).toBe(200)
    return {
      outcome: (async () => {
        // Nothing is read before the right is lost, so that much is left to be sent.
        await lost
        return await outcomeOf(request)
      })(),
    }
  }

let lost: Promise<void> = Promise.resolve()

const job =
  (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', path: string, body?: object): Begin =>
  async ({ server, bob }) => {
    const extras = { ...ASYNC, ...(body && { payload: JSON.stringify(body) }) }
    const answer = await bob.ask(method, path, extras)
    expect(answer.statusCode, answer.body).toBe(202)
    const sent = answer.json<Job | { job: Job }>()
    const { id } = 'job' in sent ? sent.job : sent
    const ended = Promise.withResolvers<string>()
    const look = setInterval(() => {
      void server.context.services.jobs.find(OPERATOR, id).then(({ state, error, leftOut }) => {
        if (state === 'waiting' || state === 'running') return
        clearInterval(look)
        ended.resolve(
          state === 'failed' ? `refused ${error?.code} ${error?.message}` : `${state} ${JSON.stringify(leftOut)}`,
        )
      })
    }, 20)
    return { outcome: ended.promise }
  }

const BOUNDARY = { 'content-type': 'multipart/form-data; boundary=b' }
const FORM = '--b\r\ncontent-disposition: form-data; name="file"; filename="one.txt"\r\n\r\nthe beginning'

/**
 * The first two jobs occupy the places of running ones; those after them wait. Jobs begin last, because on a busy machine the copy could
 * end before the rest had begun, and those that wait with it.
 */
const WORK: Readonly<Record<string, Begin>> = {
  'an upload': upload('POST', '/api/resources/box/new.txt', 'the beginning'),
  'saving a file': upload('PUT', '/api/resources/box/old.txt', 'the beginning'),
  'a form of several files': upload('POST', '/api/upload/box', FORM, BOUNDARY),
  'a part of a resumable upload': async (world) => {
    await world.bob.ask('POST', '/api/tus/box/part.bin', { headers: { 'upload-length': '1000' } })
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    return await upload('PATCH', '/api/tus/box/part.bin', 'a part', headers)(world)
  },
  'a download': download('/api/raw/box/large.bin'),
  'the download of a folder': download('/api/raw/box/dir?algo=tar'),
  'the download of a selection': download('/api/raw/box/?files=large.bin,small&algo=zip'),
  'a checksum that runs': job('GET', '/api/resources/box/huge.bin?checksum=sha512'),
  'a copy that runs': job('PATCH', '/api/resources/box/dir?action=copy&destination=%2Fbox%2Fcopied'),
  'a copy that waits': job('PATCH', '/api/resources/box/small?action=copy&destination=%2Fbox%2Fcopied2'),
  'a merging move that waits': job(
    'PATCH',
    '/api/resources/box/small?action=rename&override=true&destination=%2Fbox%2Ffull',
  ),
  'a deletion that waits': job('DELETE', '/api/resources/box/full'),
  'an archive that waits': job('POST', '/api/compress/box', {
    names: ['small'],
    destination: '/box/made.zip',
  }),
  'an extraction that waits': job('POST', '/api/extract/box/old.zip', { destination: '/box/full' }),
  'renames that wait': job('POST', '/api/rename/box/many', { pattern: { template: 'new-{n}{ext}' } }),
}

/** Only of people who have signed in. */
const CONNECTIONS: Readonly<Record<string, Begin>> = {
  'a command of the terminal': async ({ server, bob }) => {
    const terminal = await openTerminal(server, { headers: { 'x-auth': bob.token }, folder: '/box' })
    terminal.socket.send('sleep 600')
    return { outcome: terminal.ended.then(({ code, reason, lines }) => `refused ${code} ${reason} ${lines.join()}`) }
  },
}

const idOf = ({ server }: World) => server.context.services.users.find('bob').id
const set = async (world: World, fields: object) =>
  await world.server.context.services.users.update(OPERATOR, idOf(world), fields)

/** Ways to lose every right at once. */
const LOSSES: Readonly<Record<string, (world: World) => Promise<unknown> | void>> = {
  'the account is disabled': async (world) => await set(world, { disabled: true }),
  'the account is deleted': async (world) => await world.server.context.services.users.remove(OPERATOR, idOf(world)),
  'the permissions are taken': async (world) => await set(world, { perm: NO_PERMISSIONS }),
  'the scope is changed': async (world) => await set(world, { scope: '/elsewhere' }),
  'a rule of the user denies it': async (world) => await set(world, { rules: [DENY] }),
  'a rule for everybody denies it': async ({ server }) => await server.context.services.rules.add(OPERATOR, DENY),
}

const SESSION_LOSSES: typeof LOSSES = {
  'the user signs out': async ({ bob }) => await bob.ask('POST', '/api/logout'),
  'the session is revoked': async (world) =>
    await world.server.context.services.sessions.revokeAllOf(OPERATOR, idOf(world)),
  'the password is changed': async (world) => await set(world, { password: 'quite another pass phrase' }),
}

const TOKEN_LOSSES: typeof LOSSES = {
  'the token is revoked': async ({ server: { context } }) => {
    const [token] = context.services.apiTokens.list(OPERATOR)
    await context.services.apiTokens.revoke(OPERATOR, token?.id ?? '')
  },
  'the token expires': ({ server }) => server.context.clock.move(25 * 60 * 60_000),
}

async function filledServer(): Promise<TestApp> {
  const server = await testApp({
    files: {
      'box/old.txt': 'old',
      'box/dir/a': 'a',
      'box/small/s': 's',
      'box/full/f': 'f',
      'elsewhere/': '',
      ...Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`box/many/${index}.txt`, ''])),
    },
    options: { enableExec: true },
  })
  const { root } = server
  for (const [name, size] of [
    ['huge.bin', HUGE],
    ['large.bin', LARGE],
    ['dir/b', 20_000_000_000],
  ] as const) {
    await writeFile(join(root, 'box', name), 'x')
    await truncate(join(root, 'box', name), size)
  }
  const admin = await server.admin()
  const made = await admin.ask('POST', '/api/compress/box', {
    payload: JSON.stringify({ names: ['small'], destination: '/box/old.zip' }),
  })
  expect(made.statusCode).toBe(200)
  return server
}

/** Everything beneath the folder, without hidden files, which an upload keeps that can be resumed. */
async function treeOf(server: TestApp): Promise<string[]> {
  const names = await readdir(join(server.root, 'box'), { recursive: true })
  return names.filter((name) => !name.includes('.fm-tmp')).toSorted()
}

/** Begins all of the work, loses the right to it, and checks each. */
function checkAll(
  work: Readonly<Record<string, Begin>>,
  lose: (world: World) => Promise<unknown> | void,
  enter: () => Promise<World>,
): void {
  let world: World
  let before: string[]
  const outcomes = new Map<string, Promise<string>>()

  beforeAll(async () => {
    world = await enter()
    before = await treeOf(world.server)
    const { promise, resolve } = Promise.withResolvers<void>()
    lost = promise
    for (const [name, begin] of Object.entries(work)) outcomes.set(name, (await begin(world)).outcome)
    await lose(world)
    resolve()
  })
  afterAll(async () => await world.server[Symbol.asyncDispose]())

  it.each(Object.keys(work))('%s', async (name) => {
    expect(await outcomes.get(name)).toMatch(/^refused/)
  })

  it('leaves all files as they were', async () => {
    await Promise.all(outcomes.values())
    await expect.poll(async () => await treeOf(world.server)).toEqual(before)
    expect((await stat(join(world.server.root, 'box/old.txt'))).size).toBe(3)
  })
}

/** Gives an account no folder but one, as a place. */
async function inPlace(): Promise<World> {
  const world = await signedIn()
  const place = { root: FILES_ROOT, scope: '/', name: '', rules: [], permissionRules: [] }
  await setStored(world, { root: NO_ROOT, places: [place] })
  return world
}

const takePlace = async (world: World) => await setStored(world, { places: [] })

async function setStored(world: World, fields: Partial<User>): Promise<void> {
  const id = idOf(world)
  await world.server.context.store.update((draft, { users }) => {
    draft.users = users.map((user) => (user.id === id ? { ...user, ...fields } : user))
  })
}

async function signedIn(): Promise<World> {
  const server = await filledServer()
  return { server, bob: await server.user('bob', MAY, { commands: ['sleep'] }) }
}

describe.each(Object.entries({ ...LOSSES, ...SESSION_LOSSES }))('when %s, it ends', (_, lose) => {
  checkAll({ ...WORK, ...CONNECTIONS }, lose, signedIn)
})

describe.each(Object.entries({ ...LOSSES, ...TOKEN_LOSSES }))('by a token, when %s, it ends', (_, lose) => {
  checkAll(WORK, lose, async () => {
    const { server } = await signedIn()
    const permissions = ['create', 'rename', 'modify', 'delete', 'download'] as const
    const owner = server.context.services.users.find('bob').id
    const asked = { name: 'script', permissions: [...permissions], expires: '24h' }
    const { token } = await server.context.services.apiTokens.create(OPERATOR, asked, { owner })
    const ask: Client['ask'] = async (method, url, extras = {}) =>
      await server.ask(method, url, { ...extras, headers: { 'x-auth': token, ...extras.headers } })
    return { server, bob: { token, ask } }
  })
})

describe('when the only place is taken away, it ends', () => {
  checkAll(WORK, takePlace, inPlace)
})

/** What visitors do by a link. */
const VISITS: Readonly<Record<string, Begin>> = {
  'the download of a file': async (world) => await download(`/api/public/dl/${hashOf(world)}/large.bin`)(world),
  'the download of the folder': async (world) => await download(`/api/public/dl/${hashOf(world)}?algo=tar`)(world),
  'the download of a selection': async (world) =>
    await download(`/api/public/dl/${hashOf(world)}?files=large.bin&algo=zip`)(world),
  'sending a file': async (world) => {
    const hash = hashOf(world)
    const begun = await announce(world.server, { hash }, 'sent.bin', { length: 1000 })
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    return await upload('PATCH', String(begun.headers.location), 'a part', headers)(world)
  },
}

function hashOf({ server }: World): ShareHash {
  const [share] = server.context.store.snapshot().shares
  if (share === undefined) throw new Error('there is no link')
  return share.hash
}

const update = async (world: World, fields: object) => {
  const { shares } = world.server.context.services
  await shares.update(OPERATOR, hashOf(world), fields)
}

const LINK_LOSSES: typeof LOSSES = {
  ...LOSSES,
  'the link is removed': async (world) => {
    await world.server.context.services.shares.remove(OPERATOR, hashOf(world))
  },
  'the link expires': ({ server }) => server.context.clock.move(2 * 60 * 60_000),
  'the link gets a password': async (world) => await update(world, { password: 'a password of the link' }),
}

describe('by a link, when the only place of its owner is taken away, it ends', () => {
  checkAll(VISITS, takePlace, async () => {
    const { server, bob } = await inPlace()
    await shareOf(bob, '/box', { expires: '1', unit: 'hours', terms: { allows: 'both' } })
    return { server, bob: { token: '', ask: server.ask } }
  })
})

describe.each(Object.entries(LINK_LOSSES))('by a link, when %s, it ends', (_, lose) => {
  checkAll(VISITS, lose, async () => {
    const { server, bob } = await signedIn()
    await shareOf(bob, '/box', { expires: '1', unit: 'hours', terms: { allows: 'both' } })
    return { server, bob: { token: '', ask: server.ask } }
  })
})

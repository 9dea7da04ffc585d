import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RenameOutcome, RenamePlan, RenameRequest } from '../../../src/domain/files/renames/renames.ts'
import type { Job } from '../../../src/domain/automation/job.ts'
import { MAY_SHARE, detailsOf, serveShared, shareOf } from '../../helpers/api/shared.ts'
import { type Client, testApp, type TestApp } from '../../helpers/api/test-app.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const MAY = { rename: true }
const JSON_ANSWER = { accept: 'application/json' }

async function post(client: Client, call: string, folder: string, request: RenameRequest, headers = {}) {
  const payload = JSON.stringify(request)
  return await client.ask('POST', `/api/${call}/${folder}`, { payload, headers: { ...JSON_ANSWER, ...headers } })
}

async function plan(client: Client, folder: string, request: RenameRequest) {
  return (await post(client, 'rename-plan', folder, request)).json<RenamePlan>().renames
}

async function rename(client: Client, folder: string, request: RenameRequest): Promise<RenameOutcome> {
  const answer = await post(client, 'rename', folder, request)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<RenameOutcome>()
}

/** The content of each file of a folder. */
async function contents({ root }: TestApp, folder = ''): Promise<Record<string, string>> {
  const names = (await readdir(join(root, folder))).toSorted()
  const read = names.map(async (name) => [name, await readFile(join(root, folder, name), 'utf8')] as const)
  return Object.fromEntries(await Promise.all(read))
}

const pairs = (names: Readonly<Record<string, string>>) => ({
  renames: Object.entries(names).map(([from, to]) => ({ from, to })),
})

const reversed = ({ renamed }: RenameOutcome) => ({ renames: renamed.map(({ from, to }) => ({ from: to, to: from })) })

describe('a batch rename', () => {
  it('does what the plan says, with one pattern for all entries of a folder or for some', async () => {
    await using server = await testApp({ files: { 'p/b.JPG': 'b', 'p/a.JPG': 'a', 'p/c/': '', 'other.JPG': 'o' } })
    const ann = await server.user('ann', MAY)
    const pattern = { template: 'Beach {n}', digits: 2 }
    const planned = await plan(ann, 'p', { pattern })
    expect(planned.map(({ to }) => to).toSorted()).toEqual(['Beach 01', 'Beach 02.JPG', 'Beach 03.JPG'])
    expect((await readdir(join(server.root, 'p'))).toSorted()).toEqual(['a.JPG', 'b.JPG', 'c'])
    const some = { pattern, names: ['b.JPG', 'a.JPG'] }
    expect(await plan(ann, 'p', some)).toEqual(pairs({ 'b.JPG': 'Beach 01.JPG', 'a.JPG': 'Beach 02.JPG' }).renames)
    expect(await rename(ann, 'p', some)).toEqual({
      renamed: pairs({ 'b.JPG': 'Beach 01.JPG', 'a.JPG': 'Beach 02.JPG' }).renames,
      failed: [],
    })
    await rm(join(server.root, 'p/c'), { recursive: true })
    expect(await contents(server, 'p')).toEqual({ 'Beach 01.JPG': 'b', 'Beach 02.JPG': 'a' })
  })

  it('handles swaps, cycles and chains of names, and can be undone with its own answer', async () => {
    const files = { a: '1', b: '2', c: '3', d: '4', e: '5', n1: '6', n2: '7', 'c(1)': 'beside' }
    await using server = await testApp({ files })
    const ann = await server.user('ann', MAY)
    const outcome = await rename(ann, '', pairs({ a: 'b', b: 'a', c: 'd', d: 'e', e: 'c', n1: 'n2', n2: 'n3' }))
    expect(outcome.failed).toEqual([])
    const expected = { a: '2', b: '1', c: '5', 'c(1)': 'beside', d: '3', e: '4', n2: '6', n3: '7' }
    expect(await contents(server)).toEqual(expected)
    expect((await rename(ann, '', reversed(outcome))).failed).toEqual([])
    expect(await contents(server)).toEqual(files)
  })

  it.each([
    [409, { a: 'kept', b: 'x' }, 'taken'],
    [409, { a: 'x', b: 'x' }, 'twice'],
    [404, { gone: 'x', b: 'y' }, 'missing'],
    [403, { a: 'secret', b: 'y' }, 'denied'],
    [403, { secret: 'x', b: 'y' }, 'denied'],
    [403, { a: '.filemgr-trash', b: 'y' }, 'denied'],
    [400, { a: 'x/y', b: 'y' }, 'slash'],
    [400, { a: 'x\ny', b: 'y' }, 'controls'],
  ])('is refused as a whole with %i for %j', async (status, names, problem) => {
    const files = { a: 'a', b: 'b', kept: 'k', secret: 's' }
    await using server = await testApp({ files })
    const rules = [{ regex: false, allow: false, path: '/secret', regexp: null }]
    const ann = await server.user('ann', MAY, { rules })
    expect((await plan(ann, '', pairs(names)))[0]).toMatchObject({ problem })
    const answer = await post(ann, 'rename', '', pairs(names))
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining('Nothing was renamed')])
    expect(await contents(server)).toEqual(files)
  })

  it.each([
    [{}],
    [{ pattern: {}, renames: [] }],
    [{ pattern: { template: '{date}', timeZone: 'Moon' } }],
    [
      {
        renames: [
          { from: 'a', to: 'x' },
          { from: 'a', to: 'y' },
        ],
      },
    ],
    [{ renames: [{ from: 'dir/a', to: 'x' }] }],
    [{ renames: [{ from: '..', to: 'x' }] }],
  ])('is refused with 400: %j', async (request) => {
    await using server = await testApp({ files: { a: 'a', 'dir/a': 'a' } })
    const ann = await server.user('ann', MAY)
    for (const call of ['rename-plan', 'rename']) expect((await post(ann, call, '', request)).statusCode).toBe(400)
    expect((await post(ann, 'rename', 'a', { pattern: {} })).statusCode).toBe(400)
  })

  it('tells nothing about names that a rule denies', async () => {
    await using server = await testApp({ files: { a: 'a', 'secret-1': 's' } })
    const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '^/secret' } }]
    const ann = await server.user('ann', MAY, { rules })
    const asked = await plan(ann, '', pairs({ a: 'secret-1' }))
    expect(asked).toEqual([{ from: 'a', to: 'secret-1', problem: 'denied' }])
    expect(await plan(ann, '', pairs({ a: 'secret-2' }))).toMatchObject([{ problem: 'denied' }])
    expect(await plan(ann, '', pairs({ 'secret-1': 'b' }))).toMatchObject([{ problem: 'denied' }])
    expect(await plan(ann, '', { pattern: { template: 'x' } })).toEqual([{ from: 'a', to: 'x' }])
  })

  it('is checked again file by file: failures are reported, and the rest is done', async () => {
    const rules = [{ regex: false, allow: false, path: '/dir/secret', regexp: null }]
    await using server = await testApp({ files: { a: 'a', 'dir/secret': 's', z: 'z' } })
    const ann = await server.user('ann', MAY, { rules })
    const outcome = await rename(ann, '', pairs({ a: 'b', dir: 'open', z: 'y' }))
    expect(outcome.renamed).toEqual(pairs({ a: 'b', z: 'y' }).renames)
    expect(outcome.failed).toMatchObject([{ from: 'dir', to: 'open', error: { code: 'FORBIDDEN' } }])
    await rename(ann, '', reversed(outcome))
    expect((await readdir(server.root)).toSorted()).toEqual(['a', 'dir', 'z'])
  })

  it('puts the first entry of a cycle back if a hook refuses another one', async () => {
    // Refuses whatever is to become "a".
    await using hook = await tempFolder({ 'refuse-a': '#!/bin/sh\ntest "$(basename "$DESTINATION")" != a\n' })
    await chmod(hook.at('refuse-a'), 0o700)
    await using server = await testApp({ files: { a: 'a', b: 'b', c: 'c' }, options: { enableExec: true } })
    const lines = [hook.at('refuse-a')]
    await server.context.store.update(({ settings }) => void (settings.commands['before_rename'] = lines))
    const admin = await server.admin()
    const outcome = await rename(admin, '', pairs({ a: 'b', b: 'c', c: 'a' }))
    expect(outcome.renamed).toEqual([])
    expect(outcome.failed).toHaveLength(3)
    expect(await contents(server)).toEqual({ a: 'a', b: 'b', c: 'c' })
  })

  it('keeps shares with their files when names are swapped', async () => {
    const { server, ann } = await serveShared({ files: { 'a.txt': 'a', 'b.txt': 'b' } }, { ...MAY_SHARE, rename: true })
    await using _server = server
    const share = await shareOf(ann, '/a.txt')
    await rename(ann, '', pairs({ 'a.txt': 'b.txt', 'b.txt': 'a.txt' }))
    expect(await detailsOf(ann, share)).toMatchObject({ path: '/b.txt', target: 'bound' })
  })

  it('leaves one line in the activity log, and none for a plan', async () => {
    await using server = await testApp({ files: { 'p/a': 'a' } })
    const admin = await server.admin()
    await plan(admin, 'p', { pattern: { template: 'x' } })
    await rename(admin, 'p', { pattern: { template: 'x' } })
    const { entries } = (await admin.ask('GET', '/api/audit?action=files.')).json<{ entries: object[] }>()
    expect(entries).toMatchObject([{ action: 'files.renameMany', target: '/p', effect: 'moved', outcome: 'done' }])
  })
})

describe('500 photos', () => {
  it('are renamed by a job that reports each rename, and are renamed back', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `IMG_${index}.jpg`)
    await using server = await testApp({ files: { 'p/': '' } })
    for (const name of names) await writeFile(join(server.root, 'p', name), name)
    const ann = await server.user('ann', MAY)
    const pattern = { template: 'IMG_{n}', start: 1 }
    const answer = await post(ann, 'rename', 'p', { pattern, names }, { prefer: 'respond-async' })
    expect(answer.statusCode).toBe(202)
    const job = await endOf(ann, answer.json<Job>().id)
    expect(job).toMatchObject({ kind: 'rename', state: 'done', progress: { files: 500, totalFiles: 500 } })
    expect(job.renames?.renamed).toHaveLength(500)
    expect(await readFile(join(server.root, 'p/IMG_500.jpg'), 'utf8')).toBe('IMG_499.jpg')
    expect((await ann.ask('GET', '/api/jobs')).json<Job[]>()[0]).not.toHaveProperty('renames')
    const outcome = await rename(ann, 'p', reversed(job.renames ?? { renamed: [], failed: [] }))
    expect(outcome.renamed).toHaveLength(500)
    expect(await contents(server, 'p')).toEqual(Object.fromEntries(names.map((name) => [name, name])))
  })

  it('are renamed exactly as the job reports, also when it is cancelled', async () => {
    await using server = await testApp({ files: { 'p/': '' } })
    const names = Array.from({ length: 400 }, (_, index) => `${index}.jpg`)
    for (const name of names) await writeFile(join(server.root, 'p', name), '')
    const ann = await server.user('ann', MAY)
    const request = { pattern: { template: 'x{name}' }, names }
    const { id } = (await post(ann, 'rename', 'p', request, { prefer: 'respond-async' })).json<Job>()
    await ann.ask('DELETE', `/api/jobs/${id}`)
    const { renames = { renamed: [], failed: [] } } = await endOf(ann, id)
    const moved = renames.renamed.map(({ to }) => to)
    // None if it was cancelled while it waited.
    expect([0, 400]).toContain(moved.length + renames.failed.length)
    expect((await readdir(join(server.root, 'p'))).filter((name) => name.startsWith('x')).toSorted()).toEqual(
      moved.toSorted(),
    )
  })
})

async function endOf(client: Client, id: string): Promise<Job> {
  const read = async () => (await client.ask('GET', `/api/jobs/${id}`)).json<Job>()
  await expect.poll(async () => (await read()).ended).toBeDefined()
  return await read()
}

import { readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReplyOf } from '../../../src/api/operation.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { NewApiToken } from '../../../src/domain/accounts/api-token.ts'
import type { createMany } from '../../../src/api/files/files-changes.ts'
import { type Client, testApp, type TestApp } from '../../helpers/api/test-app.ts'

interface Sent {
  readonly path?: string
  readonly name?: string
  readonly modified?: string
  readonly content: string | Buffer<ArrayBuffer>
}

/** Sends a form as a browser makes it. */
async function send(client: Client, folder: string, files: readonly Sent[], query = '') {
  const form = new FormData()
  for (const { path, name = 'blob', modified, content } of files) {
    if (path !== undefined) form.append('path', path)
    if (modified !== undefined) form.append('modified', modified)
    form.append('file', new Blob([content]), name)
  }
  const { headers, body } = await encoded(form)
  return await client.ask('POST', `/api/upload/${folder}${query}`, { headers, payload: body })
}

async function encoded(form: FormData) {
  const response = new Response(form)
  const body = Buffer.from(await response.arrayBuffer())
  return { headers: { 'content-type': response.headers.get('content-type') ?? '' }, body }
}

async function outcomes(answer: Awaited<ReturnType<typeof send>>): Promise<ReplyOf<typeof createMany>> {
  expect(answer.statusCode, answer.body).toBe(200)
  return await Promise.resolve(answer.json<ReplyOf<typeof createMany>>())
}

async function tree({ root }: TestApp): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}

describe('many files in one request', () => {
  it('are stored below the folder with their times, whatever their names', async () => {
    await using server = await testApp({ files: { 'in/': '' } })
    const ann = await server.user('ann', { create: true })
    const names = ['a.txt', 'sub/new/b.txt', 'quote" %22.txt', 'ü 漢.txt', 'empty']
    const files = names.map((path) => ({ path, modified: '1700000000.5', content: path === 'empty' ? '' : path }))
    const headers = { 'x-auth': ann.token }
    // A real connection: its request ends when the form has been read, before the last file is stored.
    const byWire: Client = {
      ...ann,
      ask: async (method, url, extras) =>
        await server.askExactly(method, url, { ...extras, headers: { ...extras?.headers, ...headers } }),
    }
    const sent = await outcomes(await send(byWire, 'in/', [...files, { name: 'by-name.txt', content: 'curl' }]))
    expect(sent).toEqual([...names, 'by-name.txt'].map((path) => ({ path, status: 200 })))
    for (const name of names.slice(0, 4)) {
      expect(await readFile(join(server.root, 'in', name), 'utf8')).toBe(name)
      expect((await stat(join(server.root, 'in', name))).mtimeMs).toBe(1_700_000_000_500)
    }
    expect(await readFile(join(server.root, 'in/by-name.txt'), 'utf8')).toBe('curl')
  })

  it('are judged one by one: a refused file does not keep the others out', async () => {
    const rules = [{ allow: false, regex: false, path: '/secret', regexp: { raw: '' } }]
    const files = { 'old.txt': 'old', 'folder/x': '', 'home/': '', 'secret/': '' }
    await using server = await testApp({ files, settings: { rules } })
    const ann = await server.user('ann', { create: true })
    const large = Buffer.alloc(1024 * 1024 + 1, 1)
    const paths = ['first', 'old.txt', 'folder', 'secret/s', 'large', 'bad\0name', '../../up', 'time', 'last']
    const contents = paths.map((path) => ({
      path,
      content: path === 'large' ? large : path,
      ...(path === 'time' ? { modified: 'noon' } : {}),
    }))
    const sent = await outcomes(await send(ann, '', contents))
    expect(sent.map(({ path, status }) => `${path} ${status}`)).toEqual([
      ...['first 200', 'old.txt 409', 'folder 409', 'secret/s 403', 'large 413', 'bad\0name 400', '../../up 400'],
      ...['time 400', 'last 200'],
    ])
    expect((await tree(server)).toSorted()).toEqual(['/first', '/folder/x', '/last', '/old.txt'])
    expect(await readFile(join(server.root, 'old.txt'), 'utf8')).toBe('old')
  })

  it('replace files only with override and the permission to modify', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old', 'b.txt': 'old' } })
    const ann = await server.user('ann', { create: true })
    const editor = await server.user('ed', { create: true, modify: true })
    const files = ['a.txt', 'new.txt'].map((path) => ({ path, content: 'new' }))
    const refused = await outcomes(await send(ann, '', files, '?override=true'))
    expect(refused.map(({ status }) => status)).toEqual([403, 200])
    const done = await outcomes(await send(editor, '', files, '?override=true'))
    expect(done.map(({ status }) => status)).toEqual([200, 200])
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('new')
  })

  it('stay in the scope, need the permission to create, and are each in the activity log', async () => {
    await using server = await testApp({ files: { 'home/': '' } })
    const ann = await server.user('ann', { create: true }, { scope: '/home' })
    const reader = await server.user('reader', { create: false })
    await outcomes(
      await send(
        ann,
        'sub',
        ['a', 'b'].map((path) => ({ path, content: path })),
      ),
    )
    const refused = await outcomes(await send(reader, '', [{ path: 'c', content: 'c' }]))
    expect(refused).toMatchObject([{ path: 'c', status: 403 }])
    expect(await tree(server)).toEqual(['/home/sub/a', '/home/sub/b'])
    const { entries } = (await (await server.admin()).ask('GET', '/api/audit?action=files.createMany')).json<{
      entries: object[]
    }>()
    expect(entries).toMatchObject([
      { who: 'reader', target: '/c', outcome: 'refused' },
      { who: 'ann', target: '/home/sub/b', effect: 'created', outcome: 'done' },
      { who: 'ann', target: '/home/sub/a', effect: 'created', outcome: 'done' },
    ])
  })

  it('are stored in order where one depends on another, and otherwise at the same time', async () => {
    await using server = await testApp({ files: {} })
    const ann = await server.user('ann', { create: true, modify: true })
    const size = 64 * 1024
    const others = Array.from({ length: 20 }, (_, index) => ({
      path: `new/${index}`,
      content: Buffer.alloc(size, index),
    }))
    const files = [
      ...[{ path: 'new/', content: '' }, ...others],
      ...['first', 'second', 'third'].map((content) => ({ path: 'same', content })),
      ...[
        { path: 'dir/', content: '' },
        { path: 'dir', content: 'a file' },
        { path: 'same/below', content: 'x' },
      ],
      { path: 'large', content: Buffer.alloc(size + 1, 'l') },
    ]
    const sent = await outcomes(await send(ann, '', files, '?override=true'))
    expect(sent.map(({ path }) => path)).toEqual(files.map(({ path }) => path))
    const refused = sent.filter(({ status }) => status !== 200).map(({ path }) => path)
    expect(refused).toEqual(['dir', 'same/below'])
    expect(await readFile(join(server.root, 'same'), 'utf8')).toBe('third')
    expect((await stat(join(server.root, 'large'))).size).toBe(size + 1)
    for (const { path, content } of others) expect((await readFile(join(server.root, path))).equals(content)).toBe(true)
    const { entries } = (await (await server.admin()).ask('GET', '/api/audit?action=files.createMany')).json<{
      entries: { target: string }[]
    }>()
    expect(entries.map(({ target }) => target).toReversed()).toEqual(files.map(({ path }) => `/${path}`))
  })

  it('never leave the scope or the folder of a token, by the address or by a name in the form', async () => {
    await using server = await testApp({ files: { 'home/dir/x': '', 'outside/secret.txt': 'secret' } })
    await symlink('../outside/secret.txt', join(server.root, 'home/link'))
    await symlink('../outside', join(server.root, 'home/linkdir'))
    const may = { create: true, modify: true }
    const ann = await server.user('ann', may, { scope: '/home' })
    const { apiTokens, users } = server.context.services
    const order = { name: 'dir', permissions: ['create', 'modify'], path: '/dir' }
    const made = await apiTokens.create(OPERATOR, order as NewApiToken, { owner: users.find('ann').id })
    const paths = [
      'link',
      'linkdir/evil',
      'linkdir/secret.txt',
      '../outside/evil',
      '..\\evil',
      './../evil',
      'a//../../evil',
    ]
    const files = paths.map((path) => ({ path, content: 'evil' }))
    for (const folder of ['', 'linkdir', '..%2Foutside', '..%252Foutside', 'linkdir%2F..%2F..%2Foutside']) {
      const answer = await send(ann, folder, files, '?override=true')
      expect(answer.body).not.toContain('secret"')
    }
    const headers = { 'x-auth': made.token }
    const byToken: Client = {
      token: made.token,
      ask: async (method, url, extras) =>
        await server.ask(method, url, { ...extras, headers: { ...extras?.headers, ...headers } }),
    }
    const sent = await outcomes(
      await send(
        byToken,
        '',
        ['dir/new', 'new', 'dir/../new'].map((path) => ({ path, content: 'x' })),
      ),
    )
    expect(sent.map(({ status }) => status)).toEqual([200, 403, expect.not.toBeOneOf([200])])
    expect(await readdir(join(server.root, 'outside'))).toEqual(['secret.txt'])
    expect(await readFile(join(server.root, 'outside/secret.txt'), 'utf8')).toBe('secret')
    expect(await readdir(server.root)).toEqual(['home', 'outside'])
  })

  it('are at least one and at most 100', async () => {
    await using server = await testApp({ files: {} })
    const ann = await server.user('ann', { create: true })
    const many = Array.from({ length: 101 }, (_, index) => ({ path: `${index}.txt`, content: 'x' }))
    expect((await outcomes(await send(ann, '', many.slice(0, 100)))).every(({ status }) => status === 200)).toBe(true)
    expect((await send(ann, 'more', many)).statusCode).toBe(400)
    expect((await send(ann, '', [])).statusCode).toBe(400)
    expect((await ann.ask('POST', '/api/upload/', { payload: 'bytes' })).statusCode).toBe(415)
  })
})

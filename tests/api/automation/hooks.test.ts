import { chmod, readdir, readFile, realpath } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testApp, type Client, type TestAppInput } from '../../helpers/api/test-app.ts'

const MAY = { create: true, delete: true, modify: true, rename: true, download: true }
const TUS = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }

/** A server with hooks that run these scripts. `output()` reads the lines that they write. */
async function hooked(scripts: Readonly<Record<string, string>>, input: TestAppInput = {}) {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder())
  const server = held.use(await testApp({ options: { enableExec: true }, ...input }))
  for (const [event, script] of Object.entries(scripts)) {
    await folder.fill({ [event]: `#!/bin/sh\n${script}\n` })
    await chmod(folder.at(event), 0o700)
    const lines = [`${folder.at(event)} ${folder.path} $FILE`]
    await server.context.store.update(({ settings }) => void (settings.commands[event] = lines))
  }
  const output = async () => {
    const names = await readdir(folder.path)
    return names.includes('heard') ? (await readFile(folder.at('heard'), 'utf8')).trim().split('\n') : []
  }
  const ann = await server.user('ann', MAY)
  const root = await realpath(server.root)
  const all = held.move()
  return { server, folder, output, ann, root, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

const TELL = 'echo "$TRIGGER $FILE $DESTINATION $USERNAME $SCOPE" >> "$1/heard"'
const REFUSE = 'echo "a secret of the script"; exit 3'
const both = (event: string, script = TELL) => ({ [`before_${event}`]: script, [`after_${event}`]: script })

interface Case {
  readonly event: string
  readonly act: (client: Client) => Promise<number>
  /** The FILE and the DESTINATION that the hook gets, as paths in the served folder. */
  readonly file: string
  readonly destination?: string
}

const status = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode

const CASES: [string, Case][] = [
  [
    'POST of a file',
    {
      event: 'upload',
      file: '/n.txt',
      act: async (c) => await status(c.ask('POST', '/api/resources/n.txt', { payload: 'n' })),
    },
  ],
  [
    'POST of a folder',
    { event: 'upload', file: '/new', act: async (c) => await status(c.ask('POST', '/api/resources/new/')) },
  ],
  [
    'the last part of a resumable upload',
    {
      event: 'upload',
      file: '/t.txt',
      act: async (c) => {
        await c.ask('POST', '/api/tus/t.txt', { headers: { 'tus-resumable': '1.0.0', 'upload-length': '2' } })
        return await status(c.ask('PATCH', '/api/tus/t.txt', { headers: TUS, payload: 'tt' }))
      },
    },
  ],
  [
    'PUT',
    {
      event: 'save',
      file: '/a.txt',
      act: async (c) => await status(c.ask('PUT', '/api/resources/a.txt', { payload: 'n' })),
    },
  ],
  [
    'PATCH that copies',
    {
      event: 'copy',
      file: '/a.txt',
      destination: '/c.txt',
      act: async (c) => await status(c.ask('PATCH', '/api/resources/a.txt?action=copy&destination=/c.txt')),
    },
  ],
  [
    'PATCH that copies a folder, which is a job',
    {
      event: 'copy',
      file: '/docs',
      destination: '/docs2',
      act: async (c) => await status(c.ask('PATCH', '/api/resources/docs?action=copy&destination=/docs2')),
    },
  ],
  [
    'PATCH that renames',
    {
      event: 'rename',
      file: '/a.txt',
      destination: '/r.txt',
      act: async (c) => await status(c.ask('PATCH', '/api/resources/a.txt?action=rename&destination=/r.txt')),
    },
  ],
  [
    'DELETE',
    { event: 'delete', file: '/a.txt', act: async (c) => await status(c.ask('DELETE', '/api/resources/a.txt')) },
  ],
  [
    'DELETE of a folder, which is a job',
    { event: 'delete', file: '/docs', act: async (c) => await status(c.ask('DELETE', '/api/resources/docs')) },
  ],
]

const UNTOUCHED = { '/a.txt': 'a', '/docs': 'folder', '/docs/b.txt': 'b' }
const FILES = { 'a.txt': 'a', 'docs/b.txt': 'b' }

/** Paths and contents of all files in the served folder. */
async function contentOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter(({ name }) => !name.endsWith('.fm-tmp'))
  const read = files.map(async (entry) => {
    const path = `${entry.parentPath}/${entry.name}`
    return [path.slice(root.length), entry.isFile() ? await readFile(path, 'utf8') : 'folder'] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

describe('hooks', () => {
  it.each(CASES)(
    'run before and after %s, and get all facts in their environment',
    async (_, { event, act, file, destination = '' }) => {
      await using world = await hooked(both(event), { files: FILES })
      expect(await act(world.ann)).toBeLessThan(300)
      const facts = `${world.root}${file} ${world.root}${destination} ann /`
      expect(await world.output()).toEqual([`before_${event} ${facts}`, `after_${event} ${facts}`])
    },
  )

  it.each(CASES)('that fail before %s prevent it', async (_, { event, act }) => {
    await using world = await hooked({ [`before_${event}`]: REFUSE, [`after_${event}`]: TELL }, { files: FILES })
    expect(await act(world.ann)).toBe(403)
    expect(await contentOf(world.root)).toEqual(UNTOUCHED)
    expect(await world.output()).toEqual([])
  })

  it.each(CASES)('that fail after %s undo nothing', async (_, { event, act }) => {
    await using world = await hooked({ [`after_${event}`]: REFUSE }, { files: FILES })
    expect(await act(world.ann)).toBeLessThan(300)
    expect(await contentOf(world.root)).not.toEqual(UNTOUCHED)
    expect(world.server.log).toContainEqual(expect.objectContaining({ message: 'a hook failed' }))
  })

  it.each(CASES)('do not run at %s while command execution is off', async (_, { event, act }) => {
    await using world = await hooked(both(event), { files: FILES, options: {} })
    expect(await act(world.ann)).toBeLessThan(300)
    expect(await world.output()).toEqual([])
  })

  it('write their output to the log only, never to the client', async () => {
    await using world = await hooked({ before_upload: REFUSE })
    for (const accept of ['*/*', 'application/json']) {
      const extras = { payload: 'n', headers: { accept } }
      const answer = await world.ann.ask('POST', '/api/resources/n.txt', extras)
      expect([answer.statusCode, answer.body.includes('secret')]).toEqual([403, false])
    }
    const failure = world.server.log.find(({ message }) => message === 'a hook failed')
    expect(failure?.facts).toMatchObject({ stdout: 'a secret of the script\n', exitCode: 3 })
  })

  it('that fail before an upload over a file leave the file as it is', async () => {
    await using world = await hooked({ before_upload: REFUSE }, { files: FILES })
    const answer = await world.ann.ask('POST', '/api/resources/a.txt?override=true', { payload: 'new' })
    expect([answer.statusCode, await contentOf(world.root)]).toMatchObject([403, { '/a.txt': 'a' }])
  })

  it('do not run for a request that is refused anyway', async () => {
    await using world = await hooked(both('upload'), { files: FILES })
    expect((await world.ann.ask('POST', '/api/resources/a.txt', { payload: 'x' })).statusCode).toBe(409)
    const eve = await world.server.user('eve')
    expect((await eve.ask('POST', '/api/resources/e.txt', { payload: 'x' })).statusCode).toBe(403)
    expect(await world.output()).toEqual([])
  })

  it('CVE-2026-32759: do not run for an upload of negative length', async () => {
    await using world = await hooked(both('upload'))
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '-1' }
    expect((await world.ann.ask('POST', '/api/tus/x.txt', { headers })).statusCode).toBe(400)
    expect(await world.output()).toEqual([])
  })

  it('CVE-2026-35585: never run the name of a file as a command', async () => {
    await using world = await hooked({ after_upload: 'printf "%s\\n%s\\n" "$2" "$FILE" > "$1/heard"' })
    const name = '$(touch owned);`touch owned`;a\'b"c & d'
    const address = `/api/resources/${encodeURIComponent(name)}`
    expect((await world.ann.ask('POST', address, { payload: 'x' })).statusCode).toBe(200)
    expect(await world.output()).toEqual([`${world.root}/${name}`, `${world.root}/${name}`])
    expect(await readdir(world.root)).toEqual([name])
  })

  it('find no secret of the daemon in their environment', async () => {
    process.env['FILEMGR_TEST_SECRET'] = 'top secret'
    try {
      await using world = await hooked({ before_upload: 'env > "$1/env"; pwd > "$1/heard"' })
      await world.ann.ask('POST', '/api/resources/n.txt', { payload: 'n' })
      const names = (await readFile(world.folder.at('env'), 'utf8')).split('\n').map((line) => line.split('=')[0])
      expect(names).not.toContain('FILEMGR_TEST_SECRET')
      expect(names).toEqual(expect.arrayContaining(['FILE', 'SCOPE', 'TRIGGER', 'USERNAME', 'DESTINATION', 'VISITOR']))
      expect(await world.output()).toEqual([world.root])
    } finally {
      delete process.env['FILEMGR_TEST_SECRET']
    }
  })

  it('that run in the background refuse nothing', async () => {
    await using world = await hooked({ before_upload: 'exit 1' })
    await world.server.context.store.update(({ settings: { commands } }) => {
      commands['before_upload'] = commands['before_upload']?.map((line) => `${line} &`) ?? []
    })
    expect((await world.ann.ask('POST', '/api/resources/n.txt', { payload: 'n' })).statusCode).toBe(200)
  })

  it('whose failure is to be ignored refuse nothing', async () => {
    await using world = await hooked({ before_upload: 'exit 1' })
    await world.server.context.store.update(({ settings }) => {
      const [line = ''] = settings.commands['before_upload'] ?? []
      settings.hookLimits = [{ event: 'before_upload', line, timeout: 60, onFailure: 'ignore' }]
    })
    expect((await world.ann.ask('POST', '/api/resources/n.txt', { payload: 'n' })).statusCode).toBe(200)
  })

  it('that take too long are ended with all processes that they started, and count as failed', async () => {
    await using world = await hooked({ before_upload: 'echo $$ > "$1/heard"; sleep 600 & echo $! >> "$1/heard"; wait' })
    await world.server.context.store.update(({ settings }) => {
      const [line = ''] = settings.commands['before_upload'] ?? []
      settings.hookLimits = [{ event: 'before_upload', line, timeout: 1, onFailure: 'refuse' }]
    })
    expect((await world.ann.ask('POST', '/api/resources/n.txt', { payload: 'n' })).statusCode).toBe(403)
    const pids = (await world.output()).map(Number)
    expect(pids).toHaveLength(2)
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  it('leave a line in the audit log', async () => {
    await using world = await hooked({ before_upload: REFUSE })
    await world.ann.ask('POST', '/api/resources/n.txt', { payload: 'n' })
    const admin = await world.server.admin()
    const { entries } = (await admin.ask('GET', '/api/audit?action=before_upload')).json<{ entries: object[] }>()
    expect(entries).toEqual([expect.objectContaining({ who: 'ann', target: `${world.root}/n.txt`, outcome: 'failed' })])
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

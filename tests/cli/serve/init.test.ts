import { readFile, stat, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { containing, matching } from '../../helpers/texts.ts'

describe('init', () => {
  it('creates a private store with the root, the given values and an administrator', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const args = [
      '--data',
      'd',
      'init',
      '--root',
      './files',
      '--port',
      '9000',
      '--username',
      'eve',
      '--password',
      'a long passphrase',
    ]
    expect(await runCli(args, { cwd: folder.path })).toMatchObject({ code: 0, stdout: containing('eve') })
    const document = JSON.parse(await readFile(folder.at('d/store.json'), 'utf8')) as {
      server: object
      users: { username: string; perm: { admin: boolean }; passwordHash: string }[]
    }
    expect(document.server).toEqual({ root: folder.at('files'), port: 9000 })
    expect(document.users).toMatchObject([{ username: 'eve', perm: { admin: true } }])
    expect(document.users[0]?.passwordHash).toMatch(/^\$argon2id\$/)
    expect((await stat(folder.at('d/store.json'))).mode & 0o777).toBe(0o600)
  })

  it('generates a password without a terminal, and prints it', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const { stdout } = await runHere(['--data', 'd', 'init', '--root', 'files', '--json'], { cwd: folder.path })
    expect(JSON.parse(stdout)).toEqual({
      data: folder.at('d'),
      root: folder.at('files'),
      username: 'admin',
      password: matching(/^.{16,}$/),
    })
  })

  it('accepts a hash instead of a password', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const { stdout } = await runHere(['hash', 'a long passphrase'])
    const args = ['--data', 'd', 'init', '--root', 'files', '--password-hash', stdout.trim()]
    expect(await runHere(args, { cwd: folder.path })).toMatchObject({ code: 0 })
  })

  it('refuses a store that exists, with exit code 5', async () => {
    await using store = await testStore()
    const again = await store.run(['init', '--root', store.root, '--password', 'another passphrase'])
    expect(again).toMatchObject({ code: 5, stdout: '', stderr: containing(store.data) })
  })

  it('says that a password is not applied to a store that exists, and what to type', async () => {
    await using store = await testStore()
    const stdin = 'another long passphrase'
    await writeFile(store.at('secret'), stdin)
    for (const flag of [['--password-stdin'], ['--password-file', store.at('secret')]])
      for (const line of [
        ['init', '--root', store.root],
        ['serve', store.root, '--port', '0'],
      ]) {
        const { code, stdout, stderr } = await store.run([...line, ...flag], { stdin })
        const [name = ''] = flag
        expect({ line, code, stdout }).toEqual({ line, code: 5, stdout: '' })
        expect(stderr).toMatch(/^filemgr: --password-(stdin|file) is not applied: [^\n]+\n$/)
        expect(stderr).toContain(`"filemgr users passwd admin ${name}`)
      }
  })

  it.each([
    ['a missing root', ['--root', 'nowhere'], '--root'],
    ['a root that is a file', ['--root', 'file.txt'], '--root'],
    ['a weak password', ['--root', '.', '--password', 'short'], 'password'],
    ['half of TLS', ['--root', '.', '--cert', 'a.pem'], '--cert'],
    ['a text that is no hash', ['--root', '.', '--password-hash', 'nonsense'], '--password-hash'],
    ['a value that is not saved', ['--root', '.', '--s3-direct', 'https://s3.example.org'], 'filemgr serve'],
    ['two passwords', ['--root', '.', '--password', 'a long passphrase', '--password-stdin'], '--password-stdin'],
  ])('refuses %s with exit code 2, and creates no store', async (_name, args, named) => {
    await using folder = await tempFolder({ 'file.txt': '' })
    const result = await runHere(['--data', 'd', 'init', ...args], { cwd: folder.path, stdin: 'a long passphrase' })
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: containing(named) })
    await expect(stat(folder.at('d/store.json'))).rejects.toThrow('ENOENT')
  })

  it('points to import when the data folder is a database of File Browser', async () => {
    await using folder = await tempFolder()
    const page = Buffer.alloc(64)
    page.writeUInt32LE(0xed0cdaed, 16)
    await writeFile(folder.at('filebrowser.db'), page)
    const result = await runHere(['-d', 'filebrowser.db', 'users', 'ls'], { cwd: folder.path })
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: containing('filemgr import') })
  })
})

describe('a command on a data folder without a store', () => {
  it.each([[['users', 'ls']], [['settings', 'get']], [['server', 'get']], [['sessions', 'ls']]])(
    '%j ends with exit code 3 and names init',
    async (args) => {
      await using folder = await tempFolder()
      const result = await runHere(['--data', folder.at('none'), ...args])
      expect(result).toMatchObject({ code: 3, stdout: '', stderr: containing('filemgr init') })
    },
  )
})

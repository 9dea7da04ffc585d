import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Encoding } from '../../../src/domain/text/encodings.ts'
import { encodeText } from '../../../src/domain/text/text-codec.ts'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { containing } from '../../helpers/texts.ts'

const encoded = (text: string, encoding: Encoding): Uint8Array => encodeText(text, encoding) ?? new Uint8Array()

describe('users import', () => {
  it.each<[Encoding, string, string]>([
    ['utf-8-bom', 'Jürgen', ''],
    ['utf-16le-bom', 'Jürgen', ''],
    ['windows-1252', 'Jürgen', 'it was read as Windows-1252'],
    ['windows-1251', 'Константин', 'it was read as Windows-1251'],
    ['gbk', '数据库测试', 'it was read as GBK'],
  ])('reads tables and lists in %s, and says so if it is a guess', async (encoding, username, warning) => {
    for (const name of ['users.csv', 'users.json', 'users.yaml']) {
      await using from = await testStore()
      await using to = await testStore()
      await using folder = await tempFolder()
      await from.run(['users', 'add', username, ...CHEAP_HASH])
      const file = folder.at(name)
      await from.run(['users', 'export', file])
      await writeFile(file, encoded(await readFile(file, 'utf8'), encoding))
      expect(await to.run(['users', 'import', file, '--overwrite'])).toMatchObject({
        code: 0,
        stderr: containing(warning),
      })
      const names = (await to.json<UserView[]>(['users', 'ls'])).map((user) => user.username)
      expect(names).toContain(username)
    }
  })
})

describe('a password from a file', () => {
  it.each<Encoding>(['utf-8', 'utf-8-bom', 'utf-16le-bom', 'utf-16be-bom', 'utf-16le'])(
    'in %s is the one that was typed',
    async (encoding) => {
      await using store = await testStore()
      await using folder = await tempFolder()
      const file = folder.at('password')
      await writeFile(file, encoded('pässwört-lang-genug\r\nanother line\r\n', encoding))
      expect(await store.run(['users', 'add', 'bob', '--password-file', file])).toMatchObject({ code: 0 })
      const { stdout } = await store.run(['hash', 'pässwört-lang-genug'])
      expect(stdout).toMatch(/^\$/)
    },
  )

  it('in another encoding is refused with what to do, because a guess could be wrong', async () => {
    await using store = await testStore()
    await using folder = await tempFolder()
    const file = folder.at('password')
    await writeFile(file, encoded('pässwört-lang-genug\n', 'windows-1252'))
    expect(await store.run(['users', 'add', 'bob', '--password-file', file])).toMatchObject({
      code: 2,
      stderr: containing('is neither UTF-8 nor UTF-16; save it as UTF-8'),
    })
    expect((await store.run(['users', 'ls', '--quiet'])).stdout).toBe('1\n')
  })
})

describe('settings and config files', () => {
  it.each<Encoding>(['utf-8-bom', 'utf-16le-bom', 'windows-1252'])('in %s are read', async (encoding) => {
    await using store = await testStore()
    await using folder = await tempFolder()
    const file = folder.at('settings.yaml')
    await writeFile(file, encoded('branding:\n  name: Müller\n', encoding))
    expect(await store.run(['settings', 'import', file])).toMatchObject({ code: 0 })
    expect((await store.run(['settings', 'get', 'branding.name'])).stdout).toContain('Müller')
  })

  it('in another encoding are refused where they may contain a password', async () => {
    await using store = await testStore()
    await using folder = await tempFolder()
    const file = folder.at('filemgr.yaml')
    await writeFile(file, encoded('address: 127.0.0.1\n# größe\n', 'windows-1252'))
    expect(await store.run(['--config', file, 'config', 'cat'])).toMatchObject({
      code: 2,
      stderr: containing('is neither UTF-8 nor UTF-16'),
    })
    await writeFile(file, encoded('address: 127.0.0.1\n# größe\n', 'utf-16le-bom'))
    expect(await store.run(['--config', file, 'config', 'cat'])).toMatchObject({ code: 0 })
  })
})

import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Settings } from '../../../src/domain/settings/settings.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

const settings = async (store: TestStore) => await store.json<Settings>(['settings', 'get'])

describe('settings in a file', () => {
  it.each(['settings.json', 'settings.yaml'])(
    'are exported to %s and imported into another installation',
    async (name) => {
      await using one = await testStore()
      await using other = await testStore()
      await one.run(['settings', 'set', 'branding.name=Ours: "all"', 'tus.chunkSize=20MB', 'trash.days=3'])
      await one.run(['rules', 'add', '/secret'])
      const file = join(one.root, name)
      expect(await one.run(['settings', 'export', file])).toMatchObject({ code: 0 })
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readFile(file, 'utf8')).not.toContain('secret:')
      const dry = await other.run(['settings', 'import', file, '--dry-run'])
      expect(dry.stdout).toContain('trash.days: 30 → 3')
      expect(await settings(other)).toMatchObject({ trash: { days: 30 } })
      expect(await other.run(['settings', 'import', file])).toMatchObject({ code: 0 })
      const { recaptcha: _secret, ...wanted } = await settings(one)
      expect(await settings(other)).toMatchObject(wanted)
    },
  )

  it('change only the part that they name', async () => {
    await using store = await testStore()
    await store.run(['settings', 'set', 'branding.name=Ours'])
    const imported = await store.json<object>(['settings', 'import', '-', '--format', 'json'], {
      stdin: '{"branding":{"theme":"dark"},"signup":false}',
    })
    expect(imported).toEqual({ dryRun: false, changed: ['branding.theme'] })
    expect(await settings(store)).toMatchObject({ branding: { name: 'Ours', theme: 'dark' } })
  })

  it.each([
    ['settings.yaml', 'fileMode: 0600\ndirMode: 0o700\ntus:\n  chunkSize: 20MB\n'],
    ['settings.json', '{"fileMode":"0600","dirMode":"0700","tus":{"chunkSize":"20MB"}}'],
  ])('accept modes and sizes as they are printed, in %s', async (name, text) => {
    await using store = await testStore()
    await writeFile(join(store.root, name), text)
    expect(await store.run(['settings', 'import', join(store.root, name)])).toMatchObject({ code: 0 })
    expect(await settings(store)).toMatchObject({ fileMode: 0o600, dirMode: 0o700, tus: { chunkSize: 20_971_520 } })
    const { stdout } = await store.run(['settings', 'export', '--format', 'yaml'])
    expect(stdout).toContain('fileMode: "0600"')
    expect(stdout).toContain('chunkSize: 20MiB')
  })

  it('are refused with exit code 3 if the file is missing', async () => {
    await using store = await testStore()
    expect(await store.run(['settings', 'import', '/nowhere.json'])).toMatchObject({ code: 3 })
    expect(await store.run(['settings', 'export', '/nowhere/x.json'])).toMatchObject({ code: 3 })
  })

  it('are exported for File Browser', async () => {
    await using store = await testStore()
    await store.run(['settings', 'set', 'branding.name=Ours'])
    const { stdout } = await store.run(['settings', 'export', '--format', 'filebrowser'])
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { branding: { name: 'Ours' }, fileMode: 416 },
      server: { root: store.root, port: '8080' },
      auther: { recaptcha: null },
    })
  })
})

describe('an invalid settings file', () => {
  let store: TestStore
  beforeAll(async () => (store = await testStore()))
  afterAll(async () => await store[Symbol.asyncDispose]())

  it.each([
    ['settings.json', '{"brandng":{}}', 2, 'did you mean branding?'],
    ['settings.json', '{"branding":{"name":5}}', 2, 'branding.name'],
    ['settings.json', '{"branding":', 2, 'is not JSON'],
    ['settings.yaml', 'a: [', 2, 'is not YAML'],
    ['settings.json', '[]', 2, 'must be names with values'],
    ['settings.txt', '{}', 2, 'must end in'],
    ['old.json', '{"settings":{},"server":{},"auther":{}}', 2, 'filemgr import'],
    ['settings.json', '{"signup":true,"rules":[{"regex":true,"allow":false,"path":"","regexp":{"raw":"["}}]}', 2, '['],
  ])('is refused as a whole: %s with %s', async (name, content, code, message) => {
    const before = await store.saved()
    await writeFile(join(store.root, name), content)
    const answer = await store.run(['settings', 'import', join(store.root, name)])
    expect(answer).toMatchObject({ code, stdout: '', stderr: containing(message) })
    expect(await store.saved()).toBe(before)
  })
})

describe('settings in an editor', () => {
  async function editing(script: string) {
    const store = await testStore()
    const editor = join(store.root, 'editor')
    await writeFile(editor, `#!/bin/sh\n${script}\n`)
    await chmod(editor, 0o755)
    const run = async () => await store.run(['settings', 'edit'], { env: { EDITOR: `${editor} --wait` }, columns: 80 })
    return { store, run, [Symbol.asyncDispose]: async () => await store[Symbol.asyncDispose]() }
  }

  it('are saved when the editor exits', async () => {
    await using world = await editing(`sed -i 's/^signup: false/signup: true/' "$2"`)
    const edited = await world.run()
    expect(edited).toMatchObject({ code: 0, stdout: containing('signup: false → true') })
    expect(await settings(world.store)).toMatchObject({ signup: true })
  })

  it('stay unchanged if the editor writes nothing', async () => {
    await using world = await editing('true')
    expect(await world.run()).toMatchObject({ code: 0, stdout: containing('nothing was changed') })
  })

  it('are opened again with the error until they are valid', async () => {
    await using world = await editing(
      `if grep -q '^# Not saved: .*signup' "$2"; then sed -i 's/^signup: perhaps/signup: true/' "$2"; else sed -i 's/^signup: false/signup: perhaps/' "$2"; fi`,
    )
    expect(await world.run()).toMatchObject({ code: 0, stdout: containing('signup: false → true') })
  })

  it('are discarded if the editor exits without a correction', async () => {
    await using world = await editing(`sed -i 's/^signup: false/signup: perhaps/' "$2"`)
    expect(await world.run()).toMatchObject({ code: 2, stdout: '', stderr: containing('signup') })
    expect(await settings(world.store)).toMatchObject({ signup: false })
  })

  it('are not opened without a terminal, where an editor would wait for ever', async () => {
    await using world = await editing('sleep 600')
    const { code, stdout, stderr } = await world.store.run(['settings', 'edit'], { env: { EDITOR: 'vi' } })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^filemgr: an editor needs a terminal; .*settings set.*\n$/)
  })

  it('stay unchanged if the editor fails or is missing', async () => {
    await using world = await editing(`echo broken > "$2"; exit 1`)
    expect((await world.run()).code).not.toBe(0)
    const missing = await world.store.run(['settings', 'edit'], { env: { EDITOR: '/nowhere/editor' }, columns: 80 })
    expect(missing).toMatchObject({ code: 2, stderr: containing('set $EDITOR') })
    expect(await settings(world.store)).toMatchObject({ signup: false })
  })
})

import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Settings } from '../../../src/domain/settings/settings.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

const settings = async (store: TestStore) => await store.json<Settings>(['settings', 'get'])

describe('settings in a file', () => {
  it.each(['settings.json', 'settings.yaml'])(
    'go to %s and come back from it into another installation',
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

  it('that name a part change that part only', async () => {
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
  ])('take modes and sizes as they are printed, in %s', async (name, text) => {
    await using store = await testStore()
    await writeFile(join(store.root, name), text)
    expect(await store.run(['settings', 'import', join(store.root, name)])).toMatchObject({ code: 0 })
    expect(await settings(store)).toMatchObject({ fileMode: 0o600, dirMode: 0o700, tus: { chunkSize: 20_971_520 } })
    const { stdout } = await store.run(['settings', 'export', '--format', 'yaml'])
    expect(stdout).toContain('fileMode: "0600"')
    expect(stdout).toContain('chunkSize: 20MB')
  })

  it('that is missing is told with exit code 3', async () => {
    await using store = await testStore()
    expect(await store.run(['settings', 'import', '/nowhere.json'])).toMatchObject({ code: 3 })
    expect(await store.run(['settings', 'export', '/nowhere/x.json'])).toMatchObject({ code: 2 })
  })

  it('go back to File Browser', async () => {
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

describe('a file of settings that cannot be', () => {
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
  ])('is refused as a whole: %s with %s', async (name, content, code, said) => {
    const before = await store.saved()
    await writeFile(join(store.root, name), content)
    const answer = await store.run(['settings', 'import', join(store.root, name)])
    expect(answer).toMatchObject({ code, stdout: '', stderr: containing(said) })
    expect(await store.saved()).toBe(before)
  })
})

describe('settings in an editor', () => {
  async function editing(script: string) {
    const store = await testStore()
    const editor = join(store.root, 'editor')
    await writeFile(editor, `#!/bin/sh\n${script}\n`)
    await chmod(editor, 0o755)
    const run = async () => await store.run(['settings', 'edit'], { env: { EDITOR: `${editor} --wait` } })
    return { store, run, [Symbol.asyncDispose]: async () => await store[Symbol.asyncDispose]() }
  }

  it('are changed when it is left', async () => {
    await using world = await editing(`sed -i 's/^signup: false/signup: true/' "$2"`)
    const edited = await world.run()
    expect(edited).toMatchObject({ code: 0, stdout: containing('signup: false → true') })
    expect(await settings(world.store)).toMatchObject({ signup: true })
  })

  it('stay as they are when nothing is written', async () => {
    await using world = await editing('true')
    expect(await world.run()).toMatchObject({ code: 0, stdout: containing('nothing was changed') })
  })

  it('are opened again with what is wrong, until it is right', async () => {
    await using world = await editing(
      `if grep -q '^# Not saved: .*signup' "$2"; then sed -i 's/^signup: perhaps/signup: true/' "$2"; else sed -i 's/^signup: false/signup: perhaps/' "$2"; fi`,
    )
    expect(await world.run()).toMatchObject({ code: 0, stdout: containing('signup: false → true') })
  })

  it('are given up by leaving it without another try', async () => {
    await using world = await editing(`sed -i 's/^signup: false/signup: perhaps/' "$2"`)
    expect(await world.run()).toMatchObject({ code: 2, stdout: '', stderr: containing('signup') })
    expect(await settings(world.store)).toMatchObject({ signup: false })
  })

  it('are safe from an editor that fails or is not there', async () => {
    await using world = await editing(`echo broken > "$2"; exit 1`)
    expect((await world.run()).code).not.toBe(0)
    const missing = await world.store.run(['settings', 'edit'], { env: { EDITOR: '/nowhere/editor' } })
    expect(missing).toMatchObject({ code: 2, stderr: containing('set $EDITOR') })
    expect(await settings(world.store)).toMatchObject({ signup: false })
  })
})

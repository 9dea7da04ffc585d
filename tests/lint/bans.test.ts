import { join } from 'node:path'
import { ESLint, Linter } from 'eslint'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const config = new ESLint({ cwd: root, overrideConfigFile: join(root, 'config/lint/eslint.config.js') })

/** The ids of the banning rules that `text` breaks. `file` is not read: its path only decides which rules apply. */
async function complaintsAbout(text: string, file = 'src/services/automation/events/jobs.ts'): Promise<string[]> {
  const { rules } = (await config.calculateConfigForFile(join(root, file))) as Linter.Config
  // The other rules need types, which take a minute.
  const bans = Object.fromEntries(Object.entries(rules ?? {}).filter(([name]) => name.startsWith('no-restricted-')))
  return new Linter().verify(text, { rules: bans }).map(({ ruleId }) => ruleId ?? 'broken')
}

describe('the linter refuses', () => {
  it('CVE-2026-61500: a secret from Math.random, which can be predicted', async () => {
    expect(await complaintsAbout('export const key = () => Math.random()\n')).toContain('no-restricted-properties')
    expect(await complaintsAbout('export const key = () => Math.random()\n', 'src/cli/main.ts')).toContain(
      'no-restricted-properties',
    )
    expect(await complaintsAbout('export const { random } = Math\n')).toContain('no-restricted-properties')
  })

  it.each([
    ['process.stdout.write("a")', 'no-restricted-properties'],
    ['process.stderr.write("a")', 'no-restricted-properties'],
    ['const { stdout } = process\nstdout.write("a")', 'no-restricted-properties'],
    ['import { stdout } from "node:process"\nstdout.write("a")', 'no-restricted-imports'],
  ])('output that no command checks: %j', async (text, rule) => {
    for (const file of ['src/cli/terminal/output.ts', 'src/platform/logging/logger.ts', 'src/daemon/listen.ts'])
      expect(await complaintsAbout(text, file), file).toContain(rule)
    expect(await complaintsAbout('process.stdout.write("a")', 'src/cli/main.ts')).toContain('no-restricted-properties')
  })

  it.each([
    "import { exec } from 'node:child_process'\nexport const run = exec\n",
    "import { execSync } from 'child_process'\nexport const run = execSync\n",
    "import * as processes from 'node:child_process'\nexport const run = processes.exec\n",
  ])('CVE-2024-39943: a command line for a shell: %j', async (text) => {
    for (const file of [
      'src/services/files/search.ts',
      'src/platform/processes/processes.ts',
      'src/cli/terminal/open-browser.ts',
    ])
      expect(await complaintsAbout(text, file), file).toContain('no-restricted-imports')
  })

  it('CVE-2024-39943: a program that is started in a shell', async () => {
    const text = "import { spawn } from 'node:child_process'\nexport const run = () => spawn('ls', { shell: true })\n"
    expect(await complaintsAbout(text, 'src/platform/processes/processes.ts')).toContain('no-restricted-syntax')
  })

  it.each([
    "import { statSync } from 'node:fs'\nexport const look = statSync\n",
    "import * as fs from 'node:fs'\nexport const look = fs.statSync\n",
    "import { stat } from 'node:fs/promises'\nexport const look = stat\n",
    "import { listAttributes } from '@napi-rs/xattr'\nexport const look = listAttributes\n",
  ])('a direct call of the file system, past the gate: %j', async (text) => {
    for (const file of [
      'src/storage/local/local-storage.ts',
      'src/storage/local/system/handle.ts',
      'src/storage/local/tree/walk.ts',
    ])
      expect(await complaintsAbout(text, file), file).toContain('no-restricted-imports')
  })

  it.each([
    ["import { mkdir } from '../system/gated-calls.ts'\nexport const make = mkdir\n", 'no-restricted-imports'],
    [
      "import { close, fchmod } from '../system/gated-calls.ts'\nexport const both = [close, fchmod]\n",
      'no-restricted-imports',
    ],
    ["import * as calls from '../system/gated-calls.ts'\nexport const own = calls.fchown\n", 'no-restricted-imports'],
    ["import { constants } from 'node:fs'\nexport const flags = constants.O_CREAT\n", 'no-restricted-syntax'],
    ["import { constants } from 'node:fs'\nexport const { O_CREAT } = constants\n", 'no-restricted-syntax'],
  ])('an owner or a mode that is not decided in one place: %j', async (text, rule) => {
    for (const file of ['tree/copy-entry', 'write/write-file', 'scope/ensure-folder', 'system/disk'])
      expect(await complaintsAbout(text, `src/storage/local/${file}.ts`), file).toContain(rule)
    for (const file of ['new-entry', 'carried-over', 'file-times'])
      expect(await complaintsAbout(text, `src/storage/local/system/${file}.ts`), file).not.toContain(rule)
  })

  it.each([
    "export const key = (name) => name.normalize('NFC')\n",
    'export const key = (name) => name.normalize()\n',
    'export const key = (name) => name.toLocaleLowerCase()\n',
    'export const order = (names) => names.sort((a, b) => a.localeCompare(b))\n',
  ])('a comparison of names in a way of its own: %j', async (text) => {
    for (const file of [
      'src/services/files/search.ts',
      'src/http/send/disposition.ts',
      'ui/src/admin/shares/shares-page.tsx',
    ])
      expect(await complaintsAbout(text, file), file).toContain('no-restricted-syntax')
    if (text.includes('normalize')) expect(await complaintsAbout(text, 'src/domain/text/fold.ts')).toEqual([])
  })

  it('lower and upper case of anything but words of a protocol or format', async () => {
    for (const method of ['toLowerCase', 'toUpperCase']) {
      const text = `export const same = (a, b) => a.${method}() === b.${method}()\n`
      for (const file of ['src/services/accounts/users/users.ts', 'ui/src/files/list/folder-view.tsx'])
        expect(await complaintsAbout(text, file), file).toContain('no-restricted-syntax')
      for (const file of ['src/domain/text/fold.ts', 'src/http/protocol/caller.ts'])
        expect(await complaintsAbout(text, file), file).toEqual([])
    }
  })

  it('the path of a URL as the path of a file, wherever that is not about addresses on the web', async () => {
    const files = ['src/platform/images/image-process.ts', 'src/cli/main.ts', 'config/vite.config.ts']
    for (const file of files) {
      for (const text of [
        'export const path = (url) => url.pathname\n',
        'export const path = ({ pathname }) => pathname\n',
      ])
        expect(await complaintsAbout(text, file), file).toContain('no-restricted-properties')
    }
    expect(
      await complaintsAbout('export const path = (url) => url.pathname\n', 'src/http/routes/uploads/uploads.ts'),
    ).toEqual([])
  })

  it.each(['`file://${path}`', "'file:///srv'"])('a file URL that is put together: %s', async (url) => {
    expect(await complaintsAbout(`export const url = (path) => new URL(${url})\n`)).toContain('no-restricted-syntax')
    expect(await complaintsAbout("export const input = 'file:name-of-a-field'\n")).toEqual([])
  })

  it('a file that is decoded without a look at its bytes', async () => {
    const decoders = ["new TextDecoder('gbk')", "new TextDecoder('utf-16le')", 'new TextDecoder(label)']
    for (const decoder of decoders) {
      for (const file of ['src/services/files/open-file.ts', 'ui/src/viewer/media/id3.ts', 'src/cli/main.ts'])
        expect(await complaintsAbout(`export const decoder = () => ${decoder}\n`, file)).toContain(
          'no-restricted-syntax',
        )
      expect(await complaintsAbout(`export const it = () => ${decoder}\n`, 'src/domain/text/encodings.ts')).toEqual([])
    }
    for (const decoder of ['new TextDecoder()', "new TextDecoder('utf-8', { fatal: true })"])
      expect(await complaintsAbout(`export const decoder = () => ${decoder}\n`)).toEqual([])
    const text = "export const read = (path, readFile) => readFile(path, 'utf8')\n"
    for (const file of ['src/cli/program/prompts.ts', 'src/options/config-file.ts'])
      expect(await complaintsAbout(text, file)).toContain('no-restricted-syntax')
  })
})

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { manualDate } from '../../../tools/generators/man-pages.ts'
import { COMMANDS } from '../../../src/cli/line/command-list.ts'

const ROOT = join(import.meta.dirname, '../../..')

const description = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { man: readonly string[] }
const folder = join(ROOT, 'docs/reference/man')
const pages = await readdir(folder)

it('npm installs a manual page for the program and for each command', () => {
  const words = COMMANDS.filter(({ hidden }) => hidden !== true).map(({ name }) => `filemgr-${name}.1`)
  expect(pages.toSorted()).toEqual(['filemgr.1', ...words].toSorted())
  expect(description.man.map((path) => basename(path)).toSorted()).toEqual(pages.toSorted())
})

it('the manual is plain ASCII, for every terminal and formatter', async () => {
  for (const page of pages) expect(await readFile(join(folder, page), 'latin1'), page).toMatch(/^[\0-\x7f]*$/)
})

it('the manual has the date of the release, or keeps its date until then, and never depends on the clock', () => {
  const page = '.TH FILEMGR 1 "2026-01-02" "filemgr 1.0.0"\n'
  expect(manualDate('1.0.0', '## [1.0.0] - 2026-12-24\n', page)).toBe('2026-12-24')
  expect(manualDate('1.0.0', '## [1.0.0] - Unreleased\n\n## [0.9.0] - 2025-01-01\n', page)).toBe('2026-01-02')
  expect(() => manualDate('1.0.0', '', '')).toThrow('no date')
})

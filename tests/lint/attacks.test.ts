import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/guide/single-sign-on-attacks.md'), 'utf8')

/** Text of the files with tests, by their short names in the table. */
const files = new Map(
  [...page.matchAll(/^- (\w+): `(tests\/\S+)`$/gm)].map(([, name = '', path = '']) => [
    name,
    readFileSync(join(root, path), 'utf8'),
  ]),
)

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .filter((line) => !line.startsWith('| -'))
  .map((line) => {
    const [, section = '', attack = '', , tests = ''] = line.split('|').map((cell) => cell.trim())
    return { attack: `${section}: ${attack}`, tests: tests.split('<br>') }
  })

describe('the table of attacks on single sign-on', () => {
  it.each(rows)('names tests that exist for $attack', ({ tests }) => {
    const missing = tests.filter((named) => {
      const [, file = '', name = ''] = /^(\w+): (.+)$/.exec(named) ?? []
      return files.get(file)?.includes(`('${name}', `) !== true
    })
    expect(missing).toEqual([])
  })

  it('names each file with tests at least once', () => {
    const named = new Set(rows.flatMap(({ tests }) => tests.map((test) => test.split(':')[0])))
    expect([...files.keys()].filter((name) => !named.has(name))).toEqual([])
  })
})

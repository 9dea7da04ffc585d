import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileCatalogue } from '../../../../tools/build-ui/compile-catalogue.ts'
import { PARTS } from '../../../../ui/src/i18n/parts.ts'
import { wordsOutside } from '../../../helpers/unit/words-outside.ts'
import { type Folded, unfold } from '../../../../ui/src/i18n/translations.ts'

const UI = join(import.meta.dirname, '../../../../ui/src')
const catalogue = JSON.parse(readFileSync(join(UI, 'i18n/catalogues/en.json'), 'utf8')) as Record<string, string>

const groups = [...new Set(Object.keys(catalogue).map((id) => id.slice(0, id.indexOf('.'))))]

const sources = readdirSync(UI, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(UI, file), 'utf8') }))

describe('the English catalogue', () => {
  it('has a message for every id in the code', () => {
    const asked = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/\bt\(\s*'([^']+)'|<RichText\s+id="([^"]+)"/g)].map((match) => ({
        file,
        id: match[1] ?? match[2] ?? '',
      })),
    )
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.filter(({ id }) => !(id in catalogue))).toEqual([])
  })

  it('has no unused message', () => {
    const code = sources.map(({ text }) => text).join('\n')
    // Ids of fields are built from field names, which tests/unit/ui/admin/forms.test.ts checks.
    const ids = Object.keys(catalogue).filter((id) => !id.startsWith('fields.'))
    expect(ids.filter((id) => !code.includes(`'${id}'`) && !code.includes(`"${id}"`))).toEqual([])
  })

  it('is sorted, so that two people who add messages do not conflict', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).toSorted())
  })

  it('contains only ICU messages', () => {
    expect(() => compileCatalogue(catalogue, groups)).not.toThrow()
    expect(() => compileCatalogue({ 'broken.one': '{count, plural, one {a' }, ['broken'])).toThrow(/broken/)
  })

  it('has each message in one part', () => {
    expect(
      groups.filter(
        (group) =>
          Object.values(PARTS)
            .flat()
            .filter((name) => name === group).length !== 1,
      ),
    ).toEqual([])
  })

  it('is compiled without losses', () => {
    const texts = { 'a.plain': 'Open', 'a.with': 'Open {name}', 'b.plain': 'Close', 'c.other': 'Elsewhere' }
    const folded = JSON.parse(compileCatalogue(texts, ['a', 'b'])) as Folded
    expect(unfold(folded)).toEqual({ 'a.plain': ['Open'], 'a.with': ['Open ', ['name']], 'b.plain': ['Close'] })
  })

  it('is the only place for texts', () => {
    expect(sources.flatMap(({ file, text }) => wordsOutside(file, text))).toEqual([])
  })

  it.each([
    '<p>Save it</p>',
    '<p>{busy ? `Saving` : t("a.b")}</p>',
    '<input aria-label="Name of the file" />',
    '<Field label={busy ? "Wait" : t("a.b")} />',
    'toasts.show({ text: "It was saved", kind: "done" })',
    'const column = { title: `Last ${unit}` }',
    'node.setAttribute("aria-label", "Close")',
    'document.title = "Files"',
  ])('is missing a text that is hard-coded: %s', (code) => {
    expect(wordsOutside('x.tsx', code)).toHaveLength(1)
  })
})

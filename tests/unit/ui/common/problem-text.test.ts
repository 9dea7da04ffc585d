import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LOCALES } from '../../../../src/domain/page-contract.ts'
import { ERROR_STATUS } from '../../../../src/http/error-status.ts'
import { ApiError } from '../../../../ui/src/api/api-error.ts'
import { problemOf, problemText, wordsOf } from '../../../../ui/src/common/problem-text.ts'
import { waysProblem } from '../../../../ui/src/common/ways-problem.ts'

const REPOSITORY = join(import.meta.dirname, '../../../..')
const WORDS = 'words of the server'
const UNKNOWN = 'no such code'

/** Reasons that the forms of providers and the steps of a sign-in explain at their place. */
const AT_THEIR_PLACE = ['challengeOver', 'issuer', 'lastWay', 'secondFactor', 'secretNeeded', 'taken']

const catalogueOf = (locale: string) =>
  JSON.parse(readFileSync(join(REPOSITORY, `ui/src/i18n/catalogues/${locale}.json`), 'utf8')) as Record<string, string>

/** Reasons that the files below a folder of the server give. */
function reasonsIn(folder: string): string[] {
  const files = readdirSync(join(REPOSITORY, 'src', folder), { recursive: true, encoding: 'utf8' })
  const code = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(REPOSITORY, 'src', folder, file), 'utf8'))
  const found = code.join('\n').matchAll(/reason: '(\w+)'|refuse\('(\w+)',/g)
  return [...found].map(([, detail, refused = '']) => detail ?? refused)
}

describe.each(LOCALES)('the page in "%s"', (locale) => {
  const catalogue = catalogueOf(locale)
  const say = (code: string, reason?: string) =>
    problemText((id) => catalogue[id] ?? '', { code, message: WORDS, ...(reason !== undefined && { reason }) })

  it('has a sentence of its own for each error code', () => {
    const failed = say('INTERNAL')
    expect(failed).not.toBe('')
    expect(say(UNKNOWN)).toBe(failed)
    const others = Object.keys(ERROR_STATUS).filter((code) => code !== 'INTERNAL')
    expect(others.length).toBeGreaterThan(20)
    expect(others.filter((code) => [failed, '', WORDS].includes(say(code)))).toEqual([])
  })

  it('has a sentence of its own for each reason why an archive is not read', () => {
    const reasons = new Set([
      ...reasonsIn('platform/archives'),
      ...reasonsIn('services/files/archives'),
      'archiveEmpty',
    ])
    expect([...reasons]).toEqual(expect.arrayContaining(['encrypted', 'damaged', 'compression', 'archiveFormat']))
    const texts = [...reasons].map((reason) => say('TOO_LARGE', reason))
    expect(new Set([...texts, say('TOO_LARGE'), '']).size).toBe(texts.length + 2)
  })

  it('has a sentence of its own for each reason why something of administrators or owners is refused', () => {
    const reasons = new Set([
      'lastAdministrator',
      ...['accounts', 'shares', 'settings', 'server', 'automation'].flatMap((topic) => reasonsIn(`services/${topic}`)),
    ])
    expect([...reasons]).toEqual(expect.arrayContaining(['userTaken', 'tokenTaken', 'addressTaken', 'setElsewhere']))
    const isElsewhere = (reason: string) => AT_THEIR_PLACE.includes(reason) || waysProblem(reason) !== waysProblem('')
    const texts = [...reasons].filter((reason) => !isElsewhere(reason)).map((reason) => say('CONFLICT', reason))
    expect(new Set([...texts, say('CONFLICT'), '']).size).toBe(texts.length + 2)
  })

  it('says what is in the way of an operation on files', () => {
    const reasons = ['changed', 'beingMoved', 'isFolder', 'notFolder', 'folderInWay', 'fileInWay', 'mounted']
    expect([...reasonsIn('storage/local'), ...reasonsIn('services/files')]).toEqual(expect.arrayContaining(reasons))
    const texts = reasons.map((reason) => say('CONFLICT', reason))
    expect(new Set([...texts, say('CONFLICT'), '']).size).toBe(texts.length + 2)
  })

  it('does not speak of room where the number of files is the limit', () => {
    for (const code of ['NO_SPACE', 'QUOTA_EXCEEDED']) expect(say(code, 'files')).not.toBe(say(code))
  })
})

it('an error of a proxy gets the sentence of its status', () => {
  const t = (id: string) => id
  const answer = (status: number) => problemText(t, problemOf(new ApiError({ status, message: WORDS })))
  expect([answer(0), answer(413), answer(507), answer(418)]).toEqual([
    'files.noConnection',
    'problems.tooLarge',
    'actions.noSpace',
    'actions.failed',
  ])
})

it('shows what the server says only where the page says less', () => {
  expect(wordsOf({ code: 'INVALID_INPUT', message: WORDS })).toBe('Words of the server.')
  expect(wordsOf({ code: 'INVALID_INPUT', message: WORDS, reason: 'damaged' })).toBeUndefined()
  expect(wordsOf({ code: 'NOT_FOUND', message: WORDS })).toBeUndefined()
})

import { describe, expect, it } from 'vitest'
import { PLAIN_TERMS, type ShareTerms } from '../../../../src/domain/shares/share-terms.ts'
import { checkTerms, isPlain, termsInput, termsOf } from '../../../../ui/src/files/share/terms-fields.tsx'

const GIGABYTE = 1024 ** 3

describe('what a link allows, in the form', () => {
  it('is that of a plain link at first, and what is stored comes back unchanged', () => {
    expect(isPlain(termsOf(termsInput()))).toBe(true)
    const terms: ShareTerms = {
      ...PLAIN_TERMS,
      maxBytes: 20 * GIGABYTE,
      maxFileBytes: 1_000_001,
      maxFiles: 3,
      allows: 'both',
      types: ['jpg', 'png'],
    }
    expect(termsOf(termsInput(terms))).toEqual(terms)
    expect(termsInput(terms)).toMatchObject({ maxTotal: '20GiB', types: 'jpg, png' })
  })

  it('is read as people type it', () => {
    const input = {
      ...termsInput(),
      allows: 'upload',
      maxTotal: ' 1.5 gb',
      maxFiles: ' 7 ',
      types: '*.JPG; .png',
    } as const
    expect(termsOf(input)).toMatchObject({ maxBytes: 1.5 * GIGABYTE, maxFiles: 7, types: ['jpg', 'png'] })
  })

  it('is refused if a number, size or address is invalid', () => {
    const wrong = { ...termsInput(), maxFiles: '-1', maxTotal: 'big', slug: 'a b', maxDownloads: '1.5' }
    const problems = { maxDownloads: 'number', slug: 'slug' }
    expect(checkTerms(wrong)).toEqual(problems)
    expect(checkTerms({ ...wrong, allows: 'upload' })).toEqual({ ...problems, maxFiles: 'number', maxTotal: 'size' })
    expect(checkTerms(termsInput())).toEqual({})
  })
})

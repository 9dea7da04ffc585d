import { PLAIN_TERMS, receivesFiles, type ShareTerms } from '../../../../src/domain/shares/share-terms.ts'
import { formatByteSize, parseByteSize } from '../../../../src/domain/text/units.ts'

/** The values of the form: numbers and sizes as typed, "" for no limit. */
export interface TermsInput extends Pick<ShareTerms, 'allows' | 'note' | 'title' | 'message' | 'asksName' | 'folders'> {
  readonly maxDownloads: string
  readonly maxFiles: string
  readonly maxTotal: string
  readonly maxFile: string
  readonly types: string
  /** Custom address; only a new link can have one. */
  readonly slug: string
}

export type TermsProblem = 'number' | 'size' | 'slug'
export type TermsProblems = Partial<Record<keyof TermsInput, TermsProblem>>

export function termsInput(terms: ShareTerms = PLAIN_TERMS): TermsInput {
  const { maxDownloads, maxFiles, maxBytes, maxFileBytes, types, ...rest } = terms
  const count = (value: number) => (value === 0 ? '' : String(value))
  const size = (value: number) => (value === 0 ? '' : formatByteSize(value))
  return {
    ...rest,
    maxDownloads: count(maxDownloads),
    maxFiles: count(maxFiles),
    maxTotal: size(maxBytes),
    maxFile: size(maxFileBytes),
    types: types.join(', '),
    slug: '',
  }
}

export function checkTerms({ maxDownloads, maxFiles, maxTotal, maxFile, slug, allows }: TermsInput): TermsProblems {
  const problems: TermsProblems = {}
  const isCount = (text: string) => /^\d{0,9}$/.test(text.trim())
  const isSize = (text: string) => text.trim() === '' || parseByteSize(text) !== undefined
  if (!isCount(maxDownloads)) problems.maxDownloads = 'number'
  if (slug !== '' && !/^[A-Za-z0-9][A-Za-z0-9_-]{2,62}$/.test(slug)) problems.slug = 'slug'
  if (!receivesFiles({ allows })) return problems
  if (!isCount(maxFiles)) problems.maxFiles = 'number'
  if (!isSize(maxTotal)) problems.maxTotal = 'size'
  if (!isSize(maxFile)) problems.maxFile = 'size'
  return problems
}

/** Only for valid input. */
export function termsOf(input: TermsInput): ShareTerms {
  const { maxDownloads, maxFiles, maxTotal, maxFile, types, slug: _slug, ...rest } = input
  return {
    ...rest,
    maxDownloads: Number(maxDownloads),
    maxFiles: Number(maxFiles),
    maxBytes: parseByteSize(maxTotal) ?? 0,
    maxFileBytes: parseByteSize(maxFile) ?? 0,
    types: types.split(/[\s,;]+/).flatMap((type) => type.replace(/^\*?\./, '').toLowerCase() || []),
  }
}

export function isPlain(terms: ShareTerms): boolean {
  return Object.entries(PLAIN_TERMS).every(([name, value]) => String(terms[name as keyof ShareTerms]) === String(value))
}

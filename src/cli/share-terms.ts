import { Option } from 'commander'
import {
  type ArrivalView,
  SHARE_KINDS,
  type ShareKind,
  type ShareTerms,
  type ShareTermsChange,
  UPLOAD_FOLDERS,
} from '../domain/shares/share-terms.ts'
import { fail } from '../domain/errors.ts'
import { formatByteSize, parseByteSize } from '../domain/text/units.ts'
import type { LinkUploadView } from '../domain/uploads/upload.ts'
import type { Invocation } from './program/command.ts'
import type { Answer } from './terminal/output.ts'
import { drawTable, type TableStyle } from './terminal/table.ts'

/** Flags for what visitors of a link may do. */
export function termOptions(): Option[] {
  return [
    new Option('--allow <what>', 'what visitors may do; those who may only upload see nothing').choices(SHARE_KINDS),
    new Option('--title <text>', 'shown to visitors'),
    new Option('--message <text>', 'shown to visitors'),
    new Option('--note <text>', 'only for the owner'),
    new Option('--max-downloads <number>', 'how often files may be downloaded; 0 for no limit'),
    new Option('--max-files <number>', 'how many files visitors may send; 0 for no limit'),
    new Option('--max-total <size>', 'size of all that visitors may send, such as 20GiB; 0 for no limit'),
    new Option('--max-file <size>', 'size of one sent file; 0 for no limit'),
    new Option('--types <extensions>', 'types that visitors may send, such as jpg,png; "" for all'),
    new Option('--folders <how>', 'a folder for what each visitor sends, or for each day').choices(UPLOAD_FOLDERS),
    new Option('--ask-name', 'visitors must give a name before they send files'),
    new Option('--no-ask-name', 'visitors need not give a name'),
  ]
}

/** The terms that flags give; undefined without any of them. @throws INVALID_INPUT */
export function termsFrom({ values }: Invocation): ShareTermsChange | undefined {
  const text = (name: string): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  const given: { [Name in keyof ShareTerms]: ShareTerms[Name] | undefined } = {
    allows: text('allow') as ShareKind | undefined,
    title: text('title'),
    message: text('message'),
    note: text('note'),
    maxDownloads: countOf('max-downloads', text('maxDownloads')),
    maxFiles: countOf('max-files', text('maxFiles')),
    maxBytes: sizeOf('max-total', text('maxTotal')),
    maxFileBytes: sizeOf('max-file', text('maxFile')),
    types: typesOf(text('types')),
    folders: text('folders') as ShareTerms['folders'] | undefined,
    asksName: typeof values['askName'] === 'boolean' ? values['askName'] : undefined,
  }
  const terms = Object.entries(given).filter(([, value]) => value !== undefined)
  return terms.length === 0 ? undefined : Object.fromEntries(terms)
}

function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) fail('INVALID_INPUT', `--${flag} takes a whole number, not "${text}"`, { field: flag })
  return Number(text)
}

function sizeOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const bytes = parseByteSize(text)
  return (
    bytes ?? fail('INVALID_INPUT', `--${flag} takes a size such as 20GiB or 500MiB, not "${text}"`, { field: flag })
  )
}

function typesOf(text: string | undefined): string[] | undefined {
  return text?.split(/[\s,]+/).flatMap((type) => type.replace(/^\*?\./, '').toLowerCase() || [])
}

/** The terms as rows of a table; only those that differ from a plain link. */
export function termRows({ terms, downloads, receivedFiles, receivedBytes }: Counted): string[][] {
  const { allows, title, message, note, maxDownloads, maxFiles, maxBytes, maxFileBytes, types, folders } = terms
  const of = (limit: number, text: string) => (limit === 0 ? '' : ` of ${text}`)
  const receives = allows === 'upload' || allows === 'both'
  return [
    ['visitors may', allows],
    ...(title === '' ? [] : [['title', title]]),
    ...(message === '' ? [] : [['message', message]]),
    ...(note === '' ? [] : [['note', note]]),
    ...(maxDownloads === 0 ? [] : [['downloads', `${downloads} of ${maxDownloads}`]]),
    ...(receives
      ? [
          ['files received', `${receivedFiles}${of(maxFiles, String(maxFiles))}`],
          ['bytes received', `${formatByteSize(receivedBytes)}${of(maxBytes, formatByteSize(maxBytes))}`],
          ['largest file', maxFileBytes === 0 ? 'any' : formatByteSize(maxFileBytes)],
          ['types', types.join(', ') || 'any'],
          ['folders', folders],
          ['asks for a name', terms.asksName || folders === 'visitor' ? 'yes' : 'no'],
        ]
      : []),
  ]
}

interface Counted {
  readonly terms: ShareTerms
  readonly downloads: number
  readonly receivedFiles: number
  readonly receivedBytes: number
}

const HEADINGS = ['ARRIVED', 'FROM', 'SIZE', 'PATH', 'SHA256']

/** What visitors have sent, newest first. Times are ISO 8601. */
export function arrivalList(arrivals: readonly ArrivalView[], style: TableStyle): Answer {
  const listed = arrivals.map((each) => ({ ...each, arrived: new Date(each.arrived * 1000).toISOString() }))
  const rows = listed.map(({ arrived, from, size, path, sha256 }) => [
    arrived,
    from,
    formatByteSize(size),
    path,
    sha256?.slice(0, 12) ?? '',
  ])
  return {
    json: listed,
    ids: listed.map(({ path }) => path),
    text: () => drawTable(HEADINGS, rows, style, ['SHA256', 'SIZE', 'ARRIVED']),
  }
}

const UPLOAD_HEADINGS = ['ID', 'FROM', 'NAME', 'SIZE', 'OF', 'LAST BYTE']

/** What visitors have only begun to send. Times are ISO 8601. */
export function linkUploadList(uploads: readonly LinkUploadView[], style: TableStyle): Answer {
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
  const listed = uploads.map((each) => ({ ...each, created: iso(each.created), touched: iso(each.touched) }))
  const rows = listed.map(({ id, from, name, offset, length, touched }) => [
    ...[id, from, name, formatByteSize(offset), formatByteSize(length), touched],
  ])
  return {
    json: listed,
    ids: listed.map(({ id }) => id),
    text: () => drawTable(UPLOAD_HEADINGS, rows, style, ['LAST BYTE', 'OF', 'SIZE']),
  }
}

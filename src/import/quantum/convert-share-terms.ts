import {
  MAX_MESSAGE,
  MAX_TITLE,
  PLAIN_TERMS,
  receivesFiles,
  type ShareKind,
  type ShareTerms,
} from '../../domain/shares/share-terms.ts'
import { booleanOf, integerOf, listOf, type LinkTerms, type OldRecord, textOf } from '../filebrowser/old-record.ts'

/** Why a link of Quantum is left out: here it would let in more people, or show them more. Undefined if it can be imported. */
export function obstacleOf(settings: OldRecord): string | undefined {
  if (listOf(settings, 'allowedUsernames').length > 0) return 'it is only for certain users'
  if (booleanOf(settings, 'disableAnonymous')) return 'it is only for people with an account'
  if (booleanOf(settings, 'perUserDownloadLimit')) return 'it counts the downloads of each account'
  if (textOf(settings, 'hideFileExt') !== '') return 'it hides some types of files'
  const showsNames = booleanOf(settings, 'disableDownload') && booleanOf(settings, 'disableFileViewer')
  return showsNames && !isForUploads(settings) ? 'it shows names of files only' : undefined
}

/** The terms of a link, and what is lost, for the report. */
export function termsOf(settings: OldRecord): LinkTerms & { readonly lost: readonly string[] } {
  const [title, message] = [textOf(settings, 'title'), textOf(settings, 'description')]
  const allows = kindOf(settings)
  const terms: ShareTerms = {
    ...PLAIN_TERMS,
    allows,
    title: shortened(title, MAX_TITLE),
    message: shortened(message, MAX_MESSAGE),
    maxDownloads: Math.max(0, integerOf(settings, 'downloadsLimit')),
  }
  const isShorter = terms.title !== title.trim() || terms.message !== message.trim()
  const changes = ['allowModify', 'allowDelete', 'allowReplacements']
  const isHidden = allows === 'upload'
  const lost = [
    takesFiles(settings) &&
      !receivesFiles({ allows }) &&
      'uploads by visitors, since a link here cannot be for viewing and uploads',
    changes.some((name) => booleanOf(settings, name)) && 'changes, deletions and replacements by visitors',
    integerOf(settings, 'maxBandwidth') > 0 && 'its bandwidth limit',
    !isHidden && booleanOf(settings, 'disableFileViewer') && 'its ban on viewing in the browser',
    isShorter && 'the end of its title or description',
    ['banner', 'favicon', 'themeColor'].some((name) => textOf(settings, name) !== '') && 'its appearance',
  ].filter((text) => text !== false)
  return { terms, downloads: Math.max(0, integerOf(settings, 'downloads')), lost }
}

function kindOf(settings: OldRecord): ShareKind {
  if (isForUploads(settings)) return 'upload'
  if (booleanOf(settings, 'disableDownload')) return 'view'
  return takesFiles(settings) ? 'both' : 'download'
}

function isForUploads(settings: OldRecord): boolean {
  return textOf(settings, 'shareType') === 'upload'
}

/** Early releases called it `allowUpload`. */
function takesFiles(settings: OldRecord): boolean {
  return booleanOf(settings, 'allowCreate') || booleanOf(settings, 'allowUpload')
}

function shortened(text: string, length: number): string {
  const start = text.trim().slice(0, length)
  // Half of a character is no text.
  return start.replace(/[\uD800-\uDBFF]$/, '')
}

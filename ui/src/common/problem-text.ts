import type { ErrorCode } from '../../../src/domain/errors.ts'
import type { Failure } from '../../../src/domain/failure.ts'
import { ApiError } from '../api/api-error.ts'
import type { MessageId, Translate } from '../i18n/use-text.tsx'
import type { Toast } from '../kit/feedback/toast.tsx'
import { sentence } from '../lib/format.ts'

/** Why something failed. Its message is the server's, for logs and scripts: the page has sentences of its own. */
export type Problem = Readonly<Failure>

const NO_CONNECTION = 'NO_CONNECTION'

const BY_CODE: Readonly<Record<ErrorCode | typeof NO_CONNECTION, MessageId>> = {
  NO_CONNECTION: 'files.noConnection',
  INVALID_INPUT: 'problems.invalid',
  UNAUTHENTICATED: 'problems.signedOut',
  WRONG_CREDENTIALS: 'login.wrongCredentials',
  FORBIDDEN: 'actions.forbidden',
  NOT_PERMITTED_HERE: 'actions.forbidden',
  NOT_FOUND: 'actions.notFound',
  METHOD_REFUSED: 'problems.notOffered',
  REQUEST_TIMEOUT: 'problems.tooSlow',
  CONFLICT: 'files.nameTaken',
  PRECONDITION_FAILED: 'problems.changedMeanwhile',
  TOO_LARGE: 'problems.tooLarge',
  CHECKSUM_MISMATCH: 'problems.damagedOnTheWay',
  NO_SPACE: 'actions.noSpace',
  QUOTA_EXCEEDED: 'actions.overQuota',
  UNSUPPORTED: 'problems.unsupported',
  NOT_IMPLEMENTED: 'problems.notOffered',
  RATE_LIMITED: 'problems.tooOften',
  BUSY: 'actions.busy',
  UNAVAILABLE: 'problems.unavailable',
  MAINTENANCE: 'maintenance.text',
  STORE_BUSY: 'problems.unavailable',
  STORE_INVALID: 'problems.unavailable',
  DAEMON_NOT_RUNNING: 'problems.unavailable',
  CANCELLED: 'actions.cancelled',
  INTERNAL: 'actions.failed',
}

/** These say more than the code. */
const BY_REASON: Readonly<Record<string, MessageId>> = {
  disk: 'actions.diskRefuses',
  files: 'problems.tooManyFiles',
  changed: 'problems.changedMeanwhile',
  beingMoved: 'problems.beingMoved',
  isFolder: 'problems.isFolder',
  notFolder: 'problems.notFolder',
  folderInWay: 'problems.folderInWay',
  fileInWay: 'problems.fileInWay',
  mounted: 'problems.mounted',
  encrypted: 'problems.encrypted',
  damaged: 'problems.damaged',
  compression: 'problems.compression',
  archiveMemory: 'problems.archiveMemory',
  archiveFormat: 'problems.archiveFormat',
  archiveBomb: 'problems.archiveBomb',
  archiveEntries: 'problems.archiveEntries',
  archiveEmpty: 'problems.archiveEmpty',
  userTaken: 'problems.userTaken',
  homeTaken: 'problems.homeTaken',
  lastAdministrator: 'problems.lastAdministrator',
  tokenTaken: 'problems.tokenTaken',
  addressTaken: 'problems.addressTaken',
  setElsewhere: 'problems.setElsewhere',
  maximum: 'problems.maximum',
  lastFactor: 'problems.lastFactor',
  passkeyTaken: 'problems.passkeyTaken',
  setupOver: 'problems.setupOver',
  wrongFactor: 'problems.wrongFactor',
}

/** For replies of proxies, which have no code. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
  503: 'BUSY',
  507: 'NO_SPACE',
}

export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { code: 'INTERNAL', message: '' }
  const { status, code = CODE_OF_STATUS[status] ?? 'INTERNAL', message, reason } = error
  if (status === 0) return { code: NO_CONNECTION, message: '' }
  return { code, message, ...(reason !== undefined && { reason }) }
}

/** Their sentences leave open what exactly was refused. */
const VAGUE: readonly string[] = [
  'INVALID_INPUT',
  'FORBIDDEN',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'TOO_LARGE',
  'QUOTA_EXCEEDED',
  'UNSUPPORTED',
  'NOT_IMPLEMENTED',
  'UNAVAILABLE',
  'STORE_BUSY',
  'STORE_INVALID',
] satisfies ErrorCode[]

/** What the server says about it, in English, if the sentence of the page says less. */
export function wordsOf({ code, message, reason = '' }: Problem): string | undefined {
  return VAGUE.includes(code) && message !== '' && !(reason in BY_REASON) ? sentence(message) : undefined
}

/** The same for a toast. */
export function detailsOf(t: Translate, problem: Problem): Pick<Toast, 'details'> {
  const words = wordsOf(problem)
  return words === undefined ? {} : { details: { label: t('details.title'), text: words } }
}

/** A sentence for the user. */
export function problemText(t: Translate, { code, reason = '' }: Problem): string {
  return t(BY_REASON[reason] ?? (BY_CODE as Partial<Record<string, MessageId>>)[code] ?? 'actions.failed')
}

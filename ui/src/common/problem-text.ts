import type { ErrorCode } from '../../../src/domain/errors.ts'
import { ApiError } from '../api/api-error.ts'
import type { MessageId, Translate } from '../i18n/use-text.tsx'

/** Why something failed. */
export interface Problem {
  readonly code: string
  readonly message: string
  /** More about the code. */
  readonly reason?: string | undefined
}

const BY_CODE: Readonly<Partial<Record<ErrorCode, MessageId>>> = {
  FORBIDDEN: 'actions.forbidden',
  NOT_PERMITTED_HERE: 'actions.forbidden',
  NOT_FOUND: 'actions.notFound',
  CONFLICT: 'files.nameTaken',
  NO_SPACE: 'actions.noSpace',
  QUOTA_EXCEEDED: 'actions.overQuota',
  BUSY: 'actions.busy',
  CANCELLED: 'actions.cancelled',
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  503: 'BUSY',
  507: 'NO_SPACE',
}

const NO_CONNECTION = 'NO_CONNECTION'

export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { code: 'INTERNAL', message: '' }
  if (error.status === 0) return { code: NO_CONNECTION, message: '' }
  return {
    code: error.code ?? CODE_OF_STATUS[error.status] ?? 'INTERNAL',
    message: error.message,
    reason: error.reason,
  }
}

/** A sentence for the user, never a bare status. */
export function problemText(t: Translate, { code, message, reason }: Problem): string {
  if (code === NO_CONNECTION) return t('files.noConnection')
  if (code === 'FORBIDDEN' && reason === 'disk') return t('actions.diskRefuses')
  const known = BY_CODE[code as ErrorCode]
  if (known !== undefined) return t(known)
  return code === 'INTERNAL' || message === '' ? t('actions.failed') : message
}

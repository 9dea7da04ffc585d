import { ApiError } from '../../../api/api-error.ts'
import type { Translate } from '../../../i18n/use-text.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'

/** Why a selection cannot be downloaded. */
export function downloadProblem(t: Translate, error: unknown): string {
  // More names than the server keeps.
  const isTooLong = error instanceof ApiError && (error.status === 413 || error.status === 400)
  return isTooLong ? t('download.tooMany') : problemText(t, problemOf(error))
}

import { ApiError } from '../api/api-error.ts'

/** What the server answered is shown by the error screen; anything else that a screen threw is a mistake of ours. */
export function logUnlessAnswered(error: unknown): void {
  if (!(error instanceof ApiError)) reportError(error)
}

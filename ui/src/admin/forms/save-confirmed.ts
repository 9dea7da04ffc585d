import { ApiError } from '../../api/api-error.ts'
import type { Confirmed } from '../../files/actions/use-confirmed.ts'

/** The outcome of a question for the password as `useForm` wants it. @returns false when it was called off @throws ApiError */
export async function saveConfirmed(outcome: ReturnType<Confirmed>): Promise<boolean> {
  const ended = await outcome
  if (ended instanceof ApiError) throw ended
  return ended === true
}
